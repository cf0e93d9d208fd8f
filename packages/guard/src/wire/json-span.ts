/** The position of a value in a JSON text: `text.slice(start, end)` is the value. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A new value for a span, as JSON text. */
export interface Replacement {
  readonly span: Span;
  readonly text: string;
}

/**
 * Finds the value at `path` in a valid JSON text, so that one value can be changed while every other byte stays
 * (parsing and printing would round long numbers). `undefined` if it does not exist, or if a key on the way occurs
 * twice. Never throws; the result for invalid JSON is meaningless.
 */
export function spanOf(text: string, path: readonly (string | number)[]): Span | undefined {
  let span: Span | undefined = { start: skipBlank(text, 0), end: text.length };
  for (const step of path) {
    span = typeof step === 'number' ? elementOf(text, span.start, step) : memberOf(text, span.start, step);
    if (!span) return undefined;
  }
  return path.length > 0 ? span : { start: span.start, end: endOfValue(text, span.start) };
}

/** Finds all elements of the list at `path`, in one pass over it. Empty if {@link spanOf} finds no list there. */
export function elementSpans(text: string, path: readonly (string | number)[]): Span[] {
  const list = spanOf(text, path);
  return list === undefined ? [] : [...elements(text, list.start)];
}

/** The text with some of its values replaced. */
export function replaceSpans(text: string, replacements: readonly Replacement[]): string {
  let result = '';
  let from = 0;
  for (const { span, text: value } of [...replacements].sort((a, b) => a.span.start - b.span.start)) {
    result += text.slice(from, span.start) + value;
    from = span.end;
  }
  return result + text.slice(from);
}

function memberOf(text: string, open: number, name: string): Span | undefined {
  if (text[open] !== '{') return undefined;
  let found: Span | undefined;
  for (let at = skipBlank(text, open + 1); text[at] === '"'; ) {
    const keyEnd = endOfString(text, at);
    const start = skipBlank(text, skipBlank(text, keyEnd) + 1);
    const end = endOfValue(text, start);
    if (keyIs(text.slice(at, keyEnd), name)) {
      if (found) return undefined;
      found = { start, end };
    }
    at = skipBlank(text, end);
    if (text[at] !== ',') break;
    at = skipBlank(text, at + 1);
  }
  return found;
}

function elementOf(text: string, open: number, index: number): Span | undefined {
  let place = 0;
  for (const span of elements(text, open)) if (place++ === index) return span;
  return undefined;
}

/** The elements of the list that begins at `open`, one after the other. */
function* elements(text: string, open: number): Generator<Span> {
  if (text[open] !== '[') return;
  for (let at = skipBlank(text, open + 1); at < text.length && text[at] !== ']'; ) {
    const end = endOfValue(text, at);
    yield { start: at, end };
    at = skipBlank(text, end);
    if (text[at] !== ',') return;
    at = skipBlank(text, at + 1);
  }
}

function keyIs(quoted: string, name: string): boolean {
  if (!quoted.includes('\\')) return quoted.slice(1, -1) === name;
  try {
    return JSON.parse(quoted) === name;
  } catch {
    return false;
  }
}

function skipBlank(text: string, from: number): number {
  let at = from;
  for (let code = text.charCodeAt(at); isBlank(code); code = text.charCodeAt(at)) at++;
  return at;
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09 || code === 0xfeff;
}

/** The position after the value that begins at `start`. */
function endOfValue(text: string, start: number): number {
  const first = text[start];
  if (first === '"') return endOfString(text, start);
  if (first !== '{' && first !== '[') {
    const stop = /[,\]}\s]/g;
    stop.lastIndex = start;
    return stop.exec(text)?.index ?? text.length;
  }
  const marks = /["{}[\]]/g;
  marks.lastIndex = start;
  let depth = 0;
  for (let mark = marks.exec(text); mark; mark = marks.exec(text)) {
    if (mark[0] === '"') marks.lastIndex = endOfString(text, mark.index);
    else if (mark[0] === '{' || mark[0] === '[') depth++;
    else if (--depth === 0) return mark.index + 1;
  }
  return text.length;
}

/** The position after the closing quote of the string that begins at `start`. */
function endOfString(text: string, start: number): number {
  for (let quote = text.indexOf('"', start + 1); quote !== -1; quote = text.indexOf('"', quote + 1)) {
    let slashes = 0;
    while (text.charCodeAt(quote - 1 - slashes) === 0x5c) slashes++;
    if (slashes % 2 === 0) return quote + 1;
  }
  return text.length;
}
