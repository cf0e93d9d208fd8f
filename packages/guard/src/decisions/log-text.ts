const MAX_CHARS = 300;

/** What a terminal or a reader would act on or not see: controls, line separators, marks of direction, zero widths, tags. */
const HIDDEN =
  /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]|[\u{e0000}-\u{e007f}]/gu;

/**
 * Shapes of keys and passwords: after the name of a secret, between `://user:` and `@`, the beginnings that providers
 * give theirs, and long runs of capitals, small letters and digits. Hashes and dates in the names of files are not.
 */
const SECRETS: readonly (readonly [RegExp, string])[] = [
  [
    /((?:passw(?:or)?d|passphrase|secret|token|api[-_]?key|authorization)["']?\s*[:=]\s*["']?(?:bearer\s+|basic\s+)?)[^\s"'/]+/gi,
    '$1[redacted]',
  ],
  [/(:\/\/[^\s:/@]*:)[^\s/@]+@/g, '$1[redacted]@'],
  [/\b(?:sk|pk|rk)[-_](?=[\w-]*\d)[\w-]{16,}/g, '[redacted]'],
  [
    /\b(?:gh[pousr]|github_pat|glpat|xox[a-z]|hf|npm|croft|AKIA|ASIA|AIza|ya29)[-_.]?[A-Za-z0-9][\w-]{15,}/g,
    '[redacted]',
  ],
  [/\beyJ[\w-]{10,}\.[\w-]{10,}(?:\.[\w-]*)?/g, '[redacted]'],
  [
    /(?<![A-Za-z0-9+=])(?=[A-Za-z0-9+=]*\d)(?=[A-Za-z0-9+=]*[a-z])(?=[A-Za-z0-9+=]*[A-Z])[A-Za-z0-9+=]{32,}/g,
    '[redacted]',
  ],
];

/**
 * What every text has in which a secret or a hidden character is: a character that is no plain one, a sign that stands after
 * the name of a secret (`:`, `=`), or a run as long as the shortest that is taken for one.
 */
const SUSPECT = /[^ -9;<>-~]|[\w+-]{13}/;

/** Text for a log: one line, not endless, nothing that acts or hides, and what looks like a secret taken out. */
export function logText(text: string, maxChars = MAX_CHARS): string {
  if (text.length <= maxChars && !SUSPECT.test(text)) return text;
  // Cut first, with room to spare: an argument may be megabytes, and a secret across the cut must still be seen.
  const near = text.slice(0, maxChars * 2);
  const plain = SECRETS.reduce((rest, [secret, instead]) => rest.replace(secret, instead), near);
  return printableText(plain.length > maxChars ? `${plain.slice(0, maxChars)}…` : plain);
}

const known = new Map<string, string>();

/** The same, for names that come again and again: of tools, agents, models, projects. */
export function logName(name: string, maxChars: number): string {
  const found = known.get(name);
  if (found !== undefined && name.length <= maxChars) return found;
  const text = logText(name, maxChars);
  if (known.size >= 256) known.clear();
  // Only what no limit can have cut.
  if (name.length <= maxChars) known.set(name, text);
  return text;
}

/** The same text with all that acts or hides shown as an escape. */
export function printableText(text: string): string {
  return text.replace(HIDDEN, escaped);
}

function escaped(character: string): string {
  return character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
}
