/** Endings of files by words for them. */
const ENDINGS: Readonly<Record<string, string>> = {
  excel: 'xlsx',
  javascript: 'js',
  markdown: 'md',
  python: 'py',
  text: 'txt',
  typescript: 'ts',
  word: 'docx',
};
const KNOWN = /^(?:csv|docx|html|jpe?g|js|jsonl?|log|md|pdf|png|pptx|py|sql|svg|toml|ts|tsv|txt|xlsx|xml|ya?ml|zip)$/;
const KIND = /(?<![\w/])\.?([a-z]\w*)\s+files\b/i;
const ANY_KIND =
  /^(?:all|the|my|our|your|of|these|those|many|every|any|some|which|what|lists?|finds?|shows?|counts?|gets?|workspace|folder|directory)$/i;

/** The values of a component that finds files, from words such as `csv files`; undefined where the kind is not known. */
export function findingFiles(text: string): Readonly<Record<string, string>> | undefined {
  const kind = KIND.exec(text)?.[1]?.toLowerCase();
  if (kind === undefined || ANY_KIND.test(kind)) return {};
  const ending = ENDINGS[kind] ?? kind;
  // All files would be a wrong answer.
  return KNOWN.test(ending) ? { pattern: `**/*.${ending}` } : undefined;
}

const LISTS = /(?:list|find|show)s?\s+(?:me\s+)?(?:all\s+)?(?:(?:my|the|of\s+my)\s+)?(?:\.?\w+\s+)?files[.?!]*$/i;

/** Whether a clause ends in a list of files of one kind or all, and says no more of them. */
export const listsFiles = (text: string): boolean => LISTS.test(text);
