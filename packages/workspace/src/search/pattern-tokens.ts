/** One part of a regular expression. Codes are UTF-16 units, or code points where the expression has the flag `u`. */
export type PatternToken =
  | { readonly kind: 'character'; readonly code: number }
  | { readonly kind: 'any' }
  | { readonly kind: 'assertion'; readonly source: '^' | '$' | '\\b' | '\\B' }
  | { readonly kind: 'set'; readonly negated: boolean; readonly items: readonly SetItem[] }
  | { readonly kind: 'open' | 'close' | 'or' }
  | { readonly kind: 'repeat'; readonly least: number; readonly most: number; readonly source: string };

/** A range of characters, or a class such as `\d` or `\p{L}`. */
export type SetItem = readonly [from: number, to: number] | string;

/** A source without its flags: spellings of Python and ripgrep are translated already. */
export interface PatternSource {
  readonly source: string;
  readonly flags: string;
}

const CONTROL: Readonly<Record<string, number>> = { t: 9, n: 10, v: 11, f: 12, r: 13 };

/**
 * Splits a valid JavaScript expression into tokens, with groups as plain ones. `undefined` for look-around,
 * back-references, and rare spellings whose meaning another engine might not share.
 */
export function tokenize({ source, flags }: PatternSource): PatternToken[] | undefined {
  const reader = new TokenReader(source, flags.includes('u'));
  const tokens: PatternToken[] = [];
  while (!reader.isDone()) {
    const token = reader.token();
    if (!token) return undefined;
    tokens.push(token);
  }
  return tokens;
}

/** The product of the largest counts that enclose each other: how often an engine writes out the innermost part. */
export function largestCount(tokens: readonly PatternToken[]): number {
  const groups = [1];
  let last = 1;
  const note = (size: number) => {
    last = size;
    groups[groups.length - 1] = Math.max(groups.at(-1) as number, size);
  };
  for (const token of tokens) {
    if (token.kind === 'open') groups.push(1);
    else if (token.kind === 'close') note(groups.pop() ?? 1);
    else if (token.kind === 'repeat')
      note(last * Math.max(1, token.least, token.most === Number.POSITIVE_INFINITY ? 1 : token.most));
    else last = 1;
  }
  return groups[0] as number;
}

/** Reads tokens from left to right. A method that gives `undefined` met something that it does not know. */
class TokenReader {
  private at = 0;
  private readonly source: string;
  private readonly isUnicode: boolean;

  constructor(source: string, isUnicode: boolean) {
    this.source = source;
    this.isUnicode = isUnicode;
  }

  isDone(): boolean {
    return this.at >= this.source.length;
  }

  token(): PatternToken | undefined {
    const char = this.source[this.at] as string;
    if (char === '\\') return this.escape();
    if (char === '[') return this.set();
    if (char === '(') return this.open();
    const repeat = this.repeat();
    if (repeat) return repeat;
    if (char === '^' || char === '$') return this.take(1, { kind: 'assertion', source: char });
    if (char === '.') return this.take(1, { kind: 'any' });
    if (char === '|') return this.take(1, { kind: 'or' });
    if (char === ')') return this.take(1, { kind: 'close' });
    const code = this.character();
    return code === undefined ? undefined : { kind: 'character', code };
  }

  private take<T>(length: number, value: T): T {
    this.at += length;
    return value;
  }

  private match(expression: RegExp): RegExpExecArray | null {
    expression.lastIndex = this.at;
    const found = expression.exec(this.source);
    if (found) this.at += found[0].length;
    return found;
  }

  private open(): PatternToken | undefined {
    const found = this.match(/\((?:\?(?::|<[A-Za-z_$][\w$]*>)|(?!\?))/y);
    return found ? { kind: 'open' } : undefined;
  }

  private repeat(): PatternToken | undefined {
    const found = this.match(/(?:([*+?])|\{(\d{1,6})(?:(,)(\d{0,6}))?\})\??/y);
    if (!found) return undefined;
    const [source, sign, least, comma, most] = found;
    if (sign !== undefined)
      return {
        kind: 'repeat',
        source,
        least: sign === '+' ? 1 : 0,
        most: sign === '?' ? 1 : Number.POSITIVE_INFINITY,
      };
    const upper = comma === undefined ? Number(least) : most === '' ? Number.POSITIVE_INFINITY : Number(most);
    return { kind: 'repeat', source, least: Number(least), most: upper };
  }

  /** One plain character. Without `u`, half of a pair would be a character of its own. */
  private character(): number | undefined {
    const code = this.source.codePointAt(this.at) as number;
    if (code > 0xffff && !this.isUnicode) return undefined;
    return this.take(code > 0xffff ? 2 : 1, code);
  }

  private escape(): PatternToken | undefined {
    const next = this.source[this.at + 1];
    if (next === 'b' || next === 'B') return this.take(2, { kind: 'assertion', source: `\\${next}` });
    const item = this.escapedItem();
    if (item === undefined) return undefined;
    return typeof item === 'number'
      ? { kind: 'character', code: item }
      : { kind: 'set', negated: false, items: [item] };
  }

  /** A class or a character behind a backslash, in a set or outside. */
  private escapedItem(): string | number | undefined {
    const found = this.match(
      /\\(?:([dDwWsS]|[pP]\{[A-Z][a-z]?\})|x([\da-fA-F]{2})|u([\da-fA-F]{4})|([tnvfr])|([^\w\s]))/y,
    );
    if (!found) return undefined;
    const [, named, byte, unit, control, plain] = found;
    // A property is one only with `u`.
    if (named !== undefined) return /^[pP]/.test(named) && !this.isUnicode ? undefined : `\\${named}`;
    if (control !== undefined) return CONTROL[control];
    if (plain !== undefined) return plain.length > 1 || /[\ud800-\udfff]/.test(plain) ? undefined : plain.charCodeAt(0);
    const code = Number.parseInt((byte ?? unit) as string, 16);
    return code >= 0xd800 && code <= 0xdfff ? undefined : code;
  }

  private set(): PatternToken | undefined {
    const negated = this.match(/\[(\^?)/y)?.[1] === '^';
    const items: SetItem[] = [];
    while (this.source[this.at] !== ']') {
      const from = this.setItem();
      if (from === undefined) return undefined;
      const isRange = this.source[this.at] === '-' && this.source[this.at + 1] !== ']';
      if (!isRange) {
        items.push(typeof from === 'number' ? [from, from] : from);
        continue;
      }
      this.at++;
      const to = this.setItem();
      if (typeof from !== 'number' || typeof to !== 'number') return undefined;
      items.push([from, to]);
    }
    this.at++;
    return items.length === 0 ? undefined : { kind: 'set', negated, items };
  }

  private setItem(): string | number | undefined {
    if (this.isDone()) return undefined;
    if (this.source[this.at] !== '\\') return this.character();
    if (this.source[this.at + 1] === 'b') return this.take(2, 8);
    return this.escapedItem();
  }
}
