/** One word of PowerShell. `isOperator` if it was unquoted and has a meaning of its own. */
export interface Token {
  readonly text: string;
  readonly written: string;
  readonly isOperator: boolean;
  readonly isQuoted: boolean;
  /** An operator that directly follows a word: the parenthesis of a method's arguments. */
  readonly isAttached?: boolean;
}

/** @returns a text with the plain marks for the dashes, quotes and blanks that PowerShell reads as such. */
export function withPlainMarks(source: string): string {
  if (!/[\u0085\u2013-\u201e]/.test(source)) return source;
  return source
    .replace(/[\u2018-\u201b]/g, "'")
    .replace(/[\u201c-\u201e]/g, '"')
    .replace(/\u0085/g, ' ')
    .replace(/(?<=^|[\s;|&(){},=])[\u2013-\u2015]/g, '-');
}

/** The text of a subexpression, with texts in quotes and one more pair of parentheses in it. */
const INNER = /(?:[^()"'`]|'[^']*'|"(?:[^"`]|`[^])*"|`[^]|\((?:[^()"'`]|'[^']*'|"(?:[^"`]|`[^])*")*\))*/.source;
const DOUBLE = `"(?:[^"\`$]|\`[^]|""|\\$(?!\\()|\\$\\(${INNER}\\))*"`;

/** The ends of here-strings and of variables in braces. Each search for one that is missing would read the rest of the text. */
const ENDS = ["\n'@", '\n"@', '}'] as const;

/** A here-string, a comment, an operator, a redirection, the rest of a line behind `--%`, or a word. */
const tokenPattern = (hasEnd: readonly boolean[]): RegExp =>
  new RegExp(
    [
      hasEnd[0] ? /@'[ \t]*\r?\n([^]*?)\r?\n'@/.source : '(?!)()',
      hasEnd[1] ? /@"[ \t]*\r?\n([^]*?)\r?\n"@/.source : '(?!)()',
      /<#[^]*?#>|(?<=^|[\s;|&(){},])#[^\n]*/.source,
      /(\r?\n|;|\|\||&&|\||[{}()]|&(?=\s|['"$])|(?<=^|[\s;|(){}=])&)/.source,
      /([*1-6]?>>?(?:&\d)?)/.source,
      /(?<=\s)(--%[ \t][^\n|]*)/.source,
      `((?:'(?:[^']|'')*'|${DOUBLE}|\`(?:[uU]\\{[\\da-fA-F]{1,6}\\}|[^])|${hasEnd[2] ? '\\$\\{[^}]*\\}|' : ''}\\$\\(${INNER}\\)|${/[^\s;|{}()'"`>&]|&(?=\S)|(?<=[\w:.\\/-])[{}](?=[\w\\/])/.source})+)`,
    ].join('|'),
    'g',
  );

/** By the ends that the rest of a text has, one bit for each. */
const TOKEN_PATTERNS = Array.from({ length: 2 ** ENDS.length }, (_, bits) =>
  tokenPattern(ENDS.map((_end, at) => (bits & (2 ** at)) !== 0)),
);

function* tokensOf(text: string): Generator<RegExpExecArray, void> {
  const last = ENDS.map((end) => text.lastIndexOf(end));
  for (let from = 0; ; ) {
    const bits = last.reduce((sum, end, at) => sum + (from <= end ? 2 ** at : 0), 0);
    const pattern = TOKEN_PATTERNS[bits] as RegExp;
    pattern.lastIndex = from;
    const match = pattern.exec(text);
    if (match === null) return;
    from = pattern.lastIndex;
    yield match;
  }
}

/** Splits a PowerShell text into words and operators. `text` has no quotes; `written` keeps them. */
export function tokenize(source: string): Token[] {
  const tokens: Token[] = [];
  const text = source.replace(/`\r?\n/g, ' ');
  let end = 0;
  /** A quote that begins no text, between the last token and `next`. */
  const pushLoose = (next: number): void => {
    const loose = /["']/.exec(text.slice(end, next))?.[0];
    if (loose !== undefined) tokens.push({ text: ';', written: loose, isOperator: true, isQuoted: false });
  };
  for (const match of tokensOf(text)) {
    const [whole, single, double, operator, redirect, literal, word] = match;
    pushLoose(match.index);
    end = match.index + whole.length;
    if (single !== undefined || double !== undefined)
      tokens.push({
        text: single ?? double?.replace(ESCAPE, unescaped) ?? '',
        written: whole,
        isOperator: false,
        isQuoted: true,
      });
    else if (operator !== undefined) {
      const last = tokens.at(-1);
      // A pipeline goes on behind `|` and in a next line that begins with it, and a list behind its comma.
      if (operator.includes('\n') && (last?.isOperator ? last.text === '|' : last?.written.endsWith(','))) continue;
      if (operator === '|' && last?.isOperator && last.text === '\n') tokens.pop();
      tokens.push({
        text: operator.includes('\n') ? '\n' : operator,
        written: whole,
        isOperator: true,
        isQuoted: false,
        ...(/[\w\]'"}.:]/.test(text[match.index - 1] ?? '') && { isAttached: true }),
      });
    } else if (redirect !== undefined)
      tokens.push({ text: redirect, written: whole, isOperator: true, isQuoted: false });
    else if (literal !== undefined)
      for (const each of literal.split(/[ \t]+/))
        tokens.push({ ...wordToken(''), text: each.replaceAll('"', ''), written: each });
    else if (word !== undefined) tokens.push(wordToken(word));
  }
  pushLoose(text.length);
  return tokens;
}

/** The token of a word as it is written. */
export function wordToken(written: string): Token {
  const text = written.replace(
    /'((?:[^']|'')*)'|"((?:[^"`]|`[^]|"")*)"|`(?:u\{[\da-f]{1,6}\}|[^])/gi,
    (escape, a, b) => a?.replaceAll("''", "'") ?? (b === undefined ? unescaped(escape) : plainText(b)),
  );
  return { text, written, isOperator: false, isQuoted: written.startsWith("'") };
}

const ESCAPE = /`(?:u\{[\da-f]{1,6}\}|[^])/gi;

/** The text of double quotes: a quote is doubled, a backtick escapes. */
const plainText = (quoted: string): string =>
  quoted.replace(/`(?:u\{[\da-f]{1,6}\}|[^])|""/gi, (escape) => (escape === '""' ? '"' : unescaped(escape)));

/** The character of an escape: PowerShell 6 writes any one as `u{2e}` behind a backtick. */
function unescaped(escape: string): string {
  const code = /^`u\{([\da-f]+)\}$/i.exec(escape)?.[1];
  return code === undefined ? escape.slice(1) : String.fromCodePoint(Math.min(Number.parseInt(code, 16), 0x10ffff));
}

/** Whether a word has a subexpression (`$(…)`). Single quotes and a backtick make it plain text. */
export function hasSubexpression(written: string): boolean {
  return !/^@?'/.test(written) && /(?<!`)\$\(/.test(written);
}

/** The texts inside the subexpressions of a word; those whose end is not in the word are left out. */
export function subexpressions({ written }: Token): readonly string[] {
  if (!hasSubexpression(written)) return [];
  const texts: string[] = [];
  for (let at = written.indexOf('$('); at !== -1; at = written.indexOf('$(', at + 2)) {
    let open = 1;
    let end = at + 2;
    for (; end < written.length && open > 0; end++) {
      const char = written.charAt(end);
      const close = /["']/.test(char) ? written.indexOf(char, end + 1) : -1;
      if (close !== -1) end = close;
      else open += char === '(' ? 1 : char === ')' ? -1 : 0;
    }
    if (open > 0) break;
    texts.push(written.slice(at + 2, end - 1));
    at = end - 2;
  }
  return texts;
}
