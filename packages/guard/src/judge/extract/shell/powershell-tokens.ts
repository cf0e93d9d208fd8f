/** One word of PowerShell. `isOperator` if it was unquoted and has a meaning of its own. */
export interface Token {
  readonly text: string;
  readonly written: string;
  readonly isOperator: boolean;
  readonly isQuoted: boolean;
}

/** Splits a PowerShell text into words and operators. `text` has no quotes; `written` keeps them. */
export function tokenize(source: string): Token[] {
  const tokens: Token[] = [];
  const text = source.replace(/`\r?\n/g, ' ');
  const pattern =
    /@'\r?\n([^]*?)\r?\n'@|@"\r?\n([^]*?)\r?\n"@|<#[^]*?#>|(?<=^|\s)#[^\n]*|(\r?\n|;|\|\||&&|\||[{}()]|&(?=\s|['"$]))|([*1-6]?>>?(?:&\d)?)|((?:'(?:[^']|'')*'|"(?:[^"`]|`[^]|"")*"|`[^]|\$\{[^}]*\}|\$\([^)]*\)|[^\s;|{}()'"`>&]|&(?=\S)|(?<=[\w:.\\/-])[{}](?=[\w\\/]))+)/g;
  for (const match of text.matchAll(pattern)) {
    const [whole, single, double, operator, redirect, word] = match;
    if (single !== undefined || double !== undefined)
      tokens.push({ text: single ?? double ?? '', written: whole, isOperator: false, isQuoted: true });
    else if (operator !== undefined)
      tokens.push({
        text: operator.includes('\n') ? '\n' : operator,
        written: whole,
        isOperator: true,
        isQuoted: false,
      });
    else if (redirect !== undefined) tokens.push({ text: redirect, written: whole, isOperator: true, isQuoted: false });
    else if (word !== undefined) {
      const plain = word.replace(
        /'((?:[^']|'')*)'|"((?:[^"`]|`[^]|"")*)"|`([^])/g,
        (_, a, b, c) => a?.replaceAll("''", "'") ?? b?.replace(/`([^])|""/g, '$1') ?? c ?? '',
      );
      tokens.push({ text: plain, written: word, isOperator: false, isQuoted: word.startsWith("'") });
    }
  }
  return tokens;
}
