import { FRAME_LIMITS } from '../../frames.ts';

/**
 * Matches characters that hide or reorder text: control characters, direction marks, zero-width characters. Excludes
 * joiners and emoji variation selectors, which many scripts need, and the visible signs of Arabic and Syriac.
 */
const UNSEEN =
  /(?!\u200c|\u200d|\ufe0f|[\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;
const MAX_HOST_CHARS = 64;
const MAX_TITLE_CHARS = 128;
/** In a schema, for one property or part. */
const MAX_PART_CHARS = 1_024;
const MAX_NAME_CHARS = 256;
/** Keys of a schema whose values are data of the tool and stay unchanged. */
const DATA_KEYS: ReadonlySet<string> = new Set(['default', 'const', 'enum', 'examples', 'dependentRequired']);
/** Keys of a schema whose texts are not prose: a validator needs them unchanged. */
const TERM_KEYS: ReadonlySet<string> = new Set(
  '$schema $id $anchor $ref $dynamicAnchor $dynamicRef type format pattern required contentEncoding contentMediaType'.split(
    ' ',
  ),
);
/** Keys whose members are schemas under names that the tool chose, which may equal any keyword. */
const NAMING_KEYS: ReadonlySet<string> = new Set(
  'properties patternProperties dependentSchemas dependencies $defs definitions'.split(' '),
);

/** Prepares a machine's text: one line, without invisible characters, cut at the limit with a mark. */
export function cleanText(text: string, maxChars: number): string {
  // Cut early to bound the work, but far above the final limit.
  const line = text
    .slice(0, maxChars * 4)
    .replace(/\s+/g, ' ')
    .replace(UNSEEN, '')
    .trim();
  return line.length <= maxChars ? line : `${line.slice(0, maxChars - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** The name of a machine as people and models see it; null without one. */
export function cleanHost(host: string | undefined): string | null {
  return cleanText(host ?? '', MAX_HOST_CHARS) || null;
}

/** A host path for people: without characters that hide or reorder text. */
export function cleanPath(path: string): string {
  return path.replace(UNSEEN, '');
}

/** The title of a tool for people. */
export function cleanTitle(title: string): string {
  return cleanText(title, MAX_TITLE_CHARS);
}

/**
 * Whether a name in a schema can be shown unchanged. Cleaning it is not possible, because the machine would not
 * recognise it.
 */
export function isPlainName(name: string): boolean {
  return name.length <= MAX_NAME_CHARS && name.search(UNSEEN) === -1;
}

/**
 * Returns a schema with clean, bounded texts, including those of unknown keywords; everything else is unchanged, for
 * the machine to check.
 *
 * @param schema of few levels
 */
export function cleanSchema(schema: object): object {
  return mapValues(schema, (value, key) => (DATA_KEYS.has(key) ? value : cleanPart(value, key)));
}

function cleanPart(value: unknown, key: string): unknown {
  if (typeof value === 'string') return TERM_KEYS.has(key) ? value : cleanText(value, MAX_PART_CHARS);
  if (Array.isArray(value)) return value.map((one) => cleanPart(one, key));
  if (typeof value !== 'object' || value === null) return value;
  if (!NAMING_KEYS.has(key)) return cleanSchema(value);
  // The value of a name is a schema, or a list of names.
  return mapValues(value, (one) => (Array.isArray(one) ? one : cleanPart(one, '')));
}

function mapValues(of: object, change: (value: unknown, key: string) => unknown): object {
  return Object.fromEntries(Object.entries(of).map(([key, value]: [string, unknown]) => [key, change(value, key)]));
}

/**
 * Quotes a tool's description from a machine for a model: one line that begins with its source. A model sees it next to
 * text of its host, and it may be written to look like that.
 */
export function quoteDescription(description: string, host: string | null): string {
  const name = cleanText((host ?? '').replace(/["\\[\]]/g, ''), MAX_HOST_CHARS);
  const whose = `[Text of the connected machine${name === '' ? '' : ` "${name}"`}]`;
  return `${whose} ${cleanText(description, FRAME_LIMITS.maxToolDescriptionChars)}`.trimEnd();
}
