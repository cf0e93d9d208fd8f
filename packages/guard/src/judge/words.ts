/** Invisible characters: joiners, direction marks, soft hyphens, variation selectors, byte order marks. */
const IGNORABLE = /\p{Default_Ignorable_Code_Point}/gu;

/** Text as a reader sees it: compatibility forms folded, invisible characters removed. */
export function plainText(text: string): string {
  // Fast path: most names and keys are ASCII, which has one form.
  return /^[\x20-\x7e]*$/.test(text) ? text : text.normalize('NFKC').replace(IGNORABLE, '');
}

/** The lower-case words of an identifier in any spelling: `filePath`, `file_path`, `FILE-PATH`, `HTMLFile`. */
export function wordsOf(name: string): readonly string[] {
  const known = KNOWN.get(name);
  if (known !== undefined) return known;
  const words = splitWords(name);
  // Models choose names, so the cache is bounded.
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

/** The words of a text, separated by white space. */
export const wordSet = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));
