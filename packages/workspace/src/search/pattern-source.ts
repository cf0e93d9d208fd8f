import type { PatternSource } from './pattern-tokens.ts';

/** The pattern of a content search. */
export interface LinePattern {
  readonly pattern: string;
  readonly isRegex: boolean;
  readonly caseInsensitive: boolean;
}

/** The JavaScript expression of a pattern. Spellings of Python and ripgrep are translated; literal text is escaped. */
export function toPatternSource(search: LinePattern): PatternSource {
  let flags = search.caseInsensitive ? 'i' : '';
  if (!search.isRegex) return { source: escapeLiteral(search.pattern), flags };
  let source = search.pattern;
  const inline = /^\(\?([is]+)\)/.exec(source);
  if (inline) {
    source = source.slice(inline[0].length);
    for (const flag of inline[1] as string) if (!flags.includes(flag)) flags += flag;
  }
  let needsUnicode = false;
  // Escapes are taken whole, so that the second half of an escaped backslash is never read as the start of one.
  source = source.replace(/\\[\s\S]\{?|\(\?P<|\(\?P=(\w+)\)/g, (token, name?: string) => {
    if (token === '(?P<') return '(?<';
    if (name !== undefined) return `\\k<${name}>`;
    if (token.startsWith('\\A')) return `^${token.slice(2)}`;
    if (token.startsWith('\\z') || token.startsWith('\\Z')) return `$${token.slice(2)}`;
    if (/^\\[pPu]\{$/.test(token)) needsUnicode = true;
    return token;
  });
  return { source, flags: needsUnicode ? `${flags}u` : flags };
}

/** Writes text as an expression that matches exactly it. */
export function escapeLiteral(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
}
