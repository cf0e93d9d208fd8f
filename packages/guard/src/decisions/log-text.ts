const MAX_CHARS = 300;

/**
 * Characters that control a terminal or are invisible: control characters, line separators, direction marks, zero-width
 * characters, tags.
 */
const HIDDEN =
  /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]|[\u{e0000}-\u{e007f}]/gu;

/**
 * Shapes of keys and passwords: text after the name of a secret, text between `://user:` and `@`, known key prefixes of
 * providers, and long runs of mixed upper case, lower case and digits. Hashes and dates in file names do not match.
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
 * Matches every text that can contain a secret or a hidden character: a character outside plain ASCII, a sign that
 * follows the name of a secret (`:`, `=`), or a run as long as the shortest known secret.
 */
const SUSPECT = /[^ -9;<>-~]|[\w+-]{13}/;

/**
 * Text for a log: one line, at most `maxChars` long, without control or invisible characters, with likely secrets
 * removed.
 */
export function logText(text: string, maxChars = MAX_CHARS): string {
  if (text.length <= maxChars && !SUSPECT.test(text)) return text;
  // Cut early to bound the work (an argument may be megabytes), but late enough to recognise a secret across the final
  // cut.
  const near = text.slice(0, maxChars * 2);
  const plain = SECRETS.reduce((rest, [secret, instead]) => rest.replace(secret, instead), near);
  return printableText(plain.length > maxChars ? `${plain.slice(0, maxChars)}…` : plain);
}

const known = new Map<string, string>();

/** Same as `logText`, cached, for names that recur: tools, agents, models, projects. */
export function logName(name: string, maxChars: number): string {
  const found = known.get(name);
  if (found !== undefined && name.length <= maxChars) return found;
  const text = logText(name, maxChars);
  if (known.size >= 256) known.clear();
  // A text at the limit may have been cut, so cache only shorter ones.
  if (name.length <= maxChars) known.set(name, text);
  return text;
}

/** Returns the text with control and invisible characters as escapes. */
export function printableText(text: string): string {
  return text.replace(HIDDEN, escaped);
}

function escaped(character: string): string {
  return character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
}
