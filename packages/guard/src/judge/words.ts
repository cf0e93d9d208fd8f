/** Characters that are not seen: joiners, marks of direction, soft hyphens, variation selectors, byte order marks. */
const IGNORABLE = /\p{Default_Ignorable_Code_Point}/gu;

/** Text as a reader sees it: compatibility forms folded together, invisible characters gone. */
export function plainText(text: string): string {
  // Most names and keys are ASCII, and those have one form.
  return /^[\x20-\x7e]*$/.test(text) ? text : text.normalize('NFKC').replace(IGNORABLE, '');
}

/** The lower-case words of an identifier in any spelling: `filePath`, `file_path`, `FILE-PATH`, `HTMLFile`. */
export function wordsOf(name: string): readonly string[] {
  const known = KNOWN.get(name);
  if (known !== undefined) return known;
  const words = splitWords(name);
  // Names come from models: only so many are remembered.
  if (KNOWN.size < 2_000 && name.length < 100) KNOWN.set(name, words);
  return words;
}

const KNOWN = new Map<string, readonly string[]>();

function splitWords(name: string): readonly string[] {
  return plainText(name)
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}
