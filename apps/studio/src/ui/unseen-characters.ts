/** A piece of a name: text as it is, or the code of a character nobody would see. */
export interface NamePart {
  readonly text: string;
  readonly isUnseen: boolean;
}

/** Controls, marks that turn the direction of text, and what takes no room. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;
/** These are of that kind and are seen: signs of Arabic, Syriac and Kaithi that stand around numbers. */
const SEEN = /[\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}]/u;
/** Joiners and the forms of a sign: part of emoji and of many scripts, and a trick after a Latin letter or at the start. */
const JOINS = /[\p{Join_Control}\p{Variation_Selector}]/u;
const JOINED = /[^\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{White_Space}\p{P}\p{Cc}\p{Cf}]/u;

/**
 * Cuts a name at characters that cannot be seen, or that turn what stands after them around (`photo\u202Egpj.exe` looks
 * like `photoexe.jpg`). Joiners stay where they join. Letters that only look alike are not told apart.
 */
export function nameParts(name: string): NamePart[] {
  if (!UNSEEN.test(name)) return [{ text: name, isUnseen: false }];
  const parts: NamePart[] = [];
  let plain = '';
  let before = '';
  for (const char of name) {
    if (UNSEEN.test(char) && !SEEN.test(char) && !(JOINS.test(char) && JOINED.test(before))) {
      if (plain !== '') parts.push({ text: plain, isUnseen: false });
      parts.push({ text: codeOf(char), isUnseen: true });
      plain = '';
    } else plain += char;
    // A joiner may follow the form of a sign.
    if (!JOINS.test(char)) before = char;
  }
  if (plain !== '') parts.push({ text: plain, isUnseen: false });
  return parts;
}

/** Whether there is something in a name that is not seen. */
export function hasUnseen(name: string): boolean {
  return UNSEEN.test(name) && nameParts(name).some(({ isUnseen }) => isUnseen);
}

/** A name for labels, where only text can stand: each unseen character as its code in brackets. */
export function spelledName(name: string): string {
  if (!UNSEEN.test(name)) return name;
  return nameParts(name)
    .map(({ text, isUnseen }) => (isUnseen ? `[${text}]` : text))
    .join('');
}

function codeOf(char: string): string {
  return `U+${(char.codePointAt(0) as number).toString(16).toUpperCase().padStart(4, '0')}`;
}
