import { clean } from '@croft/tools/printable-text';

// Characters that hide or reorder text, or control a terminal: control characters, direction marks, line separators, and
// characters without a shape. Joiners and variation selectors, which emoji and many scripts need, only where they join nothing.
const HIDDEN =
  /[\u007f-\u009f\u2028\u2029]|(?![\p{Join_Control}\p{Variation_Selector}])[\p{Bidi_Control}\p{Default_Ignorable_Code_Point}]|(?<![^\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\s\p{P}\p{Sm}])[\p{Join_Control}\p{Variation_Selector}]/gu;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to take out
const CONTROL = /[\u0000-\u0008\u000b-\u001f]/g;

/** Escapes characters that hide or reorder text or control a terminal. Keeps line breaks and tabs. */
export function printable(text: string): string {
  return text.replace(CONTROL, escaped).replace(HIDDEN, escaped);
}

/** Escapes a name, shortened to one line: agents choose names. */
export function printableName(text: string): string {
  return printable(clean(text));
}

/** A text for a terminal, escaped; a program that reads the output gets the text as it is. */
export function shownOn(stream: { readonly isTTY?: boolean }, text: string): string {
  return stream.isTTY === true ? printable(text) : text;
}

/** Renders JSON that is safe for a terminal and parses back to the same value. */
export function printableJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent).replace(HIDDEN, escaped);
}

function escaped(character: string): string {
  return character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
}
