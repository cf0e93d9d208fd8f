/** A piece of a name: text, or the code of an invisible character. */
export interface NamePart {
  readonly text: string;
  readonly isUnseen: boolean;
}

/** Control characters, direction marks, and characters without width. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;
/** Format characters that are visible: signs of Arabic, Syriac and Kaithi around numbers. */
const SEEN = /[\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}]/u;
/** Joiners and variation selectors: part of emoji and many scripts, but suspicious after a Latin letter or at the start. */
const JOINS = /[\p{Join_Control}\p{Variation_Selector}]/u;
const JOINED = /[^\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{White_Space}\p{P}\p{Cc}\p{Cf}]/u;

/** Line breaks and tabs of a text of several lines. */
const IN_LINES = /[\n\r\t]/;

/**
 * Splits a name at invisible characters and at characters that reverse the following text (`photo\u202Egpj.exe` looks like
 * `photoexe.jpg`). Keeps joiners that join, and with `hasLines` line breaks and tabs. Does not distinguish letters that look alike.
 */
export function nameParts(name: string, hasLines = false): NamePart[] {
  if (!UNSEEN.test(name)) return [{ text: name, isUnseen: false }];
  const parts: NamePart[] = [];
  let plain = '';
  let before = '';
  for (const char of name) {
    const isKept = hasLines && IN_LINES.test(char);
    if (UNSEEN.test(char) && !isKept && !SEEN.test(char) && !(JOINS.test(char) && JOINED.test(before))) {
      if (plain !== '') parts.push({ text: plain, isUnseen: false });
      parts.push({ text: codeOf(char), isUnseen: true });
      plain = '';
    } else plain += char;
    // A joiner may follow a variation selector.
    if (!JOINS.test(char)) before = char;
  }
  if (plain !== '') parts.push({ text: plain, isUnseen: false });
  return parts;
}

/** Whether a name has invisible characters. */
export function hasUnseen(name: string): boolean {
  return UNSEEN.test(name) && nameParts(name).some(({ isUnseen }) => isUnseen);
}

/** A name for plain-text labels: each invisible character as its code in brackets. `hasLines`: as of `nameParts`. */
export function spelledName(name: string, hasLines = false): string {
  if (!UNSEEN.test(name)) return name;
  return nameParts(name, hasLines)
    .map(({ text, isUnseen }) => (isUnseen ? `[${text}]` : text))
    .join('');
}

function codeOf(char: string): string {
  return `U+${(char.codePointAt(0) as number).toString(16).toUpperCase().padStart(4, '0')}`;
}
