import { ATOM } from './marks.ts';

const MAX_WORDS = 64;

/**
 * Expands `{a,b}` and `{1..3}` as text, because the shell expands them before anything else. Skips quotes and `${…}`.
 * A longer range of numbers becomes one word for some number.
 *
 * @returns the words, at least one. @throws {Error} if there are more than 64.
 */
export function expandBraces(text: string): string[] {
  return expand(text, 0);
}

function expand(text: string, depth: number): string[] {
  if (depth > 40) throw new Error('braces too deep');
  for (let at = 0; at < text.length; at = after(text, at)) {
    if (text[at] !== '{' || text[at - 1] === '$') continue;
    const parts = split(text, at);
    if (parts === undefined) continue;
    const head = text.slice(0, at);
    const middles = parts.choices.flatMap((choice) => expand(choice, depth + 1));
    const tails = expand(text.slice(parts.end), depth + 1);
    if (middles.length * tails.length > MAX_WORDS) throw new Error('too many words in braces');
    return middles.flatMap((middle) => tails.map((tail) => head + middle + tail));
  }
  return [text];
}

/** @returns the choices of the group that opens at `open`, and its end; undefined if it is plain text. */
function split(text: string, open: number): { choices: string[]; end: number } | undefined {
  const choices: string[] = [];
  let depth = 0;
  let start = open + 1;
  for (let at = open + 1; at < text.length; at = after(text, at)) {
    const char = text[at];
    if (char === '{' && text[at - 1] !== '$') depth += 1;
    else if (char === ',' && depth === 0) {
      choices.push(text.slice(start, at));
      start = at + 1;
    } else if (char === '}') {
      if (depth > 0) depth -= 1;
      else {
        choices.push(text.slice(start, at));
        if (choices.length > 1) return { choices, end: at + 1 };
        const range = expandRange(choices[0] ?? '');
        return range === undefined ? undefined : { choices: range, end: at + 1 };
      }
    }
  }
  return undefined;
}

function expandRange(text: string): string[] | undefined {
  const numbers = /^(-?\d{1,9})\.\.(-?\d{1,9})(?:\.\.(-?\d{1,9}))?$/.exec(text);
  const letters = numbers === null ? /^([A-Za-z])\.\.([A-Za-z])(?:\.\.(-?\d{1,9}))?$/.exec(text) : null;
  const match = numbers ?? letters;
  if (match === null) return undefined;
  const value = (part = ''): number => (numbers === null ? part.charCodeAt(0) : Number(part));
  const first = value(match[1]);
  const last = value(match[2]);
  const step = Math.max(1, Math.abs(Number(match[3] ?? 1)));
  if (Math.abs(last - first) / step >= MAX_WORDS) return [ATOM];
  const words: string[] = [];
  const sign = last < first ? -1 : 1;
  for (let n = first; sign * (last - n) >= 0; n += sign * step) {
    words.push(
      numbers === null ? String.fromCharCode(n) : String(n).padStart((match[1] ?? '').replace('-', '').length, '0'),
    );
  }
  return words;
}

/**
 * @returns the next position to read: after a quoted part or an expansion that starts here, else the next character.
 */
function after(text: string, at: number): number {
  const char = text[at];
  if (char === '\\') return at + 2;
  if (char === "'" && text[at - 1] !== '$') return behind(text, at + 1, "'", false);
  if (char === "'" || char === '"' || char === '`') return behind(text, at + 1, char, true);
  if (char === '$' && (text[at + 1] === '{' || text[at + 1] === '(')) return behindGroup(text, at + 1);
  return at + 1;
}

function behind(text: string, from: number, quote: string, escapes: boolean): number {
  for (let at = from; at < text.length; at += 1) {
    if (escapes && text[at] === '\\') at += 1;
    else if (text[at] === quote) return at + 1;
  }
  return text.length;
}

function behindGroup(text: string, open: number): number {
  const opening = text[open];
  const closing = opening === '{' ? '}' : ')';
  let depth = 0;
  for (let at = open; at < text.length; at += 1) {
    const char = text[at];
    if (char === '\\') at += 1;
    else if (char === "'") at = behind(text, at + 1, "'", false) - 1;
    else if (char === opening) depth += 1;
    else if (char === closing) {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return text.length;
}
