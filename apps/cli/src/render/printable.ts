import { clean } from '@croft/tools';

// What hides, reorders or acts: control characters, marks of direction, zero-width space, line separators, tags.
const HIDDEN = /[\u007f-\u009f\u061c\u200b\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]|[\u{e0000}-\u{e007f}]/gu;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to take out
const CONTROL = /[\u0000-\u0008\u000b-\u001f]/g;

/** Text a terminal shows as it is: lines and tabs stay, all that acts or hides is shown as an escape. */
export function printable(text: string): string {
  return text.replace(CONTROL, escaped).replace(HIDDEN, escaped);
}

/** The same on one line, and not endless: for names, which are an agent's own choice. */
export function printableName(text: string): string {
  return printable(clean(text));
}

/** JSON that a terminal can show, and that reads back as it was. */
export function printableJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent).replace(HIDDEN, escaped);
}

function escaped(character: string): string {
  return character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
}
