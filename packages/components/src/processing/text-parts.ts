import type { Parts } from '@croft/flow';

const WORD = /[\p{L}\p{N}][\p{L}\p{M}\p{N}'’]*/gu;
/** Characters of a part, about a millisecond of work. */
const PART = 32 * 1024;

/** Each word with a capital at its start and small letters behind it. */
export function* titleCase(text: string): Parts<string> {
  const parts: string[] = [];
  for (let start = 0; start < text.length; yield) {
    const space = text.slice(start + PART, start + 2 * PART).search(/\s/);
    const end = space === -1 ? start + 2 * PART : start + PART + space;
    parts.push(text.slice(start, end).replace(WORD, capitalised));
    start = end;
  }
  return parts.join('');
}

function capitalised(word: string): string {
  const first = String.fromCodePoint(word.codePointAt(0) as number);
  return first.toUpperCase() + word.slice(first.length).toLowerCase();
}

/** As many characters from the start; a character of two code units counts once. */
export function firstCharacters(text: string, count: number): string {
  let end = 0;
  for (let left = count; left > 0 && end < text.length; left--)
    end += (text.codePointAt(end) as number) > 0xffff ? 2 : 1;
  return text.slice(0, end);
}

/** As many characters from the end. */
export function lastCharacters(text: string, count: number): string {
  let start = text.length;
  for (let left = count; left > 0 && start > 0; left--) start -= (text.codePointAt(start - 2) ?? 0) > 0xffff ? 2 : 1;
  return text.slice(start);
}
