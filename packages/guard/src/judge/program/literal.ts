/** A value that JavaScript source states literally. */
export type Literal =
  | string
  | number
  | boolean
  | null
  | undefined
  | readonly Literal[]
  | { readonly [key: string]: Literal };

/** The literal that begins at a place in the source, and the place after it. */
export interface ReadLiteral {
  readonly value: Literal;
  readonly end: number;
}

const ESCAPES: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  b: '\b',
  f: '\f',
  v: '\v',
  '0': '\0',
};
const MAX_DEPTH = 32;

class NotLiteral extends Error {}

/**
 * Reads a literal of JavaScript: strings and their concatenation, templates without substitutions, numbers, lists and
 * plain objects.
 *
 * @returns undefined if the value is computed, in whole or in part
 */
export function readLiteral(source: string, start: number): ReadLiteral | undefined {
  const reader = new LiteralReader(source, start);
  try {
    const value = reader.value(0);
    return { value, end: reader.skip() };
  } catch (error) {
    if (error instanceof NotLiteral) return undefined;
    throw error;
  }
}

/** @returns the place of the next token after blanks and comments. */
export function skipBlanks(source: string, at: number): number {
  const blank = /(?:\s|\/\/[^\n\r\u2028\u2029]*|\/\*[^]*?\*\/)*/y;
  blank.lastIndex = at;
  blank.test(source);
  return blank.lastIndex;
}

class LiteralReader {
  readonly #source: string;
  #at: number;

  constructor(source: string, at: number) {
    this.#source = source;
    this.#at = at;
  }

  skip(): number {
    this.#at = skipBlanks(this.#source, this.#at);
    return this.#at;
  }

  value(depth: number): Literal {
    if (depth > MAX_DEPTH) throw new NotLiteral();
    const char = this.#source[this.skip()];
    if (char === '{') return this.#object(depth);
    if (char === '[') return this.#list(depth);
    if (char === '"' || char === "'" || char === '`') return this.#strings();
    const word = this.#match(/(?:true|false|null|undefined)\b|-?(?:\d[\d_]*(?:\.\d*)?(?:e[-+]?\d+)?|\.\d+)(?![\w$])/iy);
    if (word === undefined) throw new NotLiteral();
    if (word === 'undefined') return undefined;
    if (/^[tfn]/.test(word)) return JSON.parse(word) as Literal;
    return Number(word.replaceAll('_', ''));
  }

  #object(depth: number): Literal {
    const entries: [string, Literal][] = [];
    this.#at += 1;
    while (!this.#takes('}')) {
      const quote = this.#source[this.#at];
      const key = quote === '"' || quote === "'" ? this.#string() : this.#match(/[A-Za-z_$][\w$]*|\d+/y);
      if (key === undefined || key === '__proto__' || !this.#takes(':')) throw new NotLiteral();
      entries.push([key, this.value(depth + 1)]);
      if (!this.#takes(',') && this.#source[this.skip()] !== '}') throw new NotLiteral();
    }
    return Object.fromEntries(entries);
  }

  #list(depth: number): Literal {
    const items: Literal[] = [];
    this.#at += 1;
    while (!this.#takes(']')) {
      items.push(this.value(depth + 1));
      if (!this.#takes(',') && this.#source[this.skip()] !== ']') throw new NotLiteral();
    }
    return items;
  }

  #strings(): string {
    let text = this.#string();
    while (this.#takes('+')) {
      if (!/["'`]/.test(this.#source[this.skip()] ?? '')) throw new NotLiteral();
      text += this.#string();
    }
    return text;
  }

  #string(): string {
    const quote = this.#source[this.#at] as string;
    let text = '';
    for (this.#at += 1; ; this.#at += 1) {
      const char = this.#source[this.#at];
      if (char === undefined || (char === '\n' && quote !== '`')) throw new NotLiteral();
      if (char === quote) break;
      if (quote === '`' && char === '$' && this.#source[this.#at + 1] === '{') throw new NotLiteral();
      text += char === '\\' ? this.#escape() : char;
    }
    this.#at += 1;
    return text;
  }

  /** Reads an escape sequence, and stays at its last character. */
  #escape(): string {
    this.#at += 1;
    const code = this.#match(/x[0-9a-f]{2}|u[0-9a-f]{4}|u\{[0-9a-f]{1,6}\}/iy);
    if (code !== undefined) {
      this.#at -= 1;
      const point = Number.parseInt(code.replace(/[xu{}]/g, ''), 16);
      if (point > 0x10_ffff) throw new NotLiteral();
      return String.fromCodePoint(point);
    }
    const char = this.#source[this.#at] ?? '';
    if (char === '\n' || char === '\u2028' || char === '\u2029') return '';
    // An octal escape is an error in strict code and another character elsewhere.
    if (char === '' || char === '\r' || /[1-9xu]/.test(char)) throw new NotLiteral();
    return ESCAPES[char] ?? char;
  }

  /** Takes this character, after blanks, if it comes next. */
  #takes(char: string): boolean {
    if (this.#source[this.skip()] !== char) return false;
    this.#at += 1;
    this.skip();
    return true;
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#source)?.[0];
    if (found !== undefined) this.#at += found.length;
    return found;
  }
}
