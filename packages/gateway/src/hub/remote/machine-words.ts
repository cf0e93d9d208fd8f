import { FRAME_LIMITS } from '../../frames.ts';

/**
 * What hides or reorders text, or stands in none: controls, marks of direction, what takes no room. Not joiners and the
 * form of emoji, which many scripts need, nor the signs of Arabic and Syriac that are seen.
 */
const UNSEEN =
  /(?!\u200c|\u200d|\ufe0f|[\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;
const MAX_HOST_CHARS = 64;
const MAX_TITLE_CHARS = 128;
/** In a schema, of one property or part. */
const MAX_PART_CHARS = 1_024;
const MAX_NAME_CHARS = 256;
/** Values of a schema that are data of the tool's own, to be kept as they are. */
const DATA_KEYS: ReadonlySet<string> = new Set(['default', 'const', 'enum', 'examples', 'dependentRequired']);
/** Texts of a schema that are no words: who checks by it needs them as they are. */
const TERM_KEYS: ReadonlySet<string> = new Set(
  '$schema $id $anchor $ref $dynamicAnchor $dynamicRef type format pattern required contentEncoding contentMediaType'.split(
    ' ',
  ),
);
/** In these stand schemas by names of the tool's own, which may be called as any keyword is. */
const NAMING_KEYS: ReadonlySet<string> = new Set(
  'properties patternProperties dependentSchemas dependencies $defs definitions'.split(' '),
);

/** Words of a machine in one line, without what nobody sees; what is too long is cut, and says so. */
export function cleanWords(text: string, maxChars: number): string {
  // Far more than is kept, but not all of a text without end.
  const line = text
    .slice(0, maxChars * 4)
    .replace(/\s+/g, ' ')
    .replace(UNSEEN, '')
    .trim();
  return line.length <= maxChars ? line : `${line.slice(0, maxChars - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** The name of a tool for people. */
export function cleanTitle(title: string): string {
  return cleanWords(title, MAX_TITLE_CHARS);
}

/** Whether a name in a schema can be shown as it is: there is no cleaning it, or the machine would not know it. */
export function isPlainName(name: string): boolean {
  return name.length <= MAX_NAME_CHARS && name.search(UNSEEN) === -1;
}

/**
 * A schema whose words are clean and bounded, those of keywords nobody knows too; all else is as it was, for the machine
 * to check.
 *
 * @param schema of few levels
 */
export function cleanSchema(schema: object): object {
  return mapValues(schema, (value, key) => (DATA_KEYS.has(key) ? value : cleanPart(value, key)));
}

function cleanPart(value: unknown, key: string): unknown {
  if (typeof value === 'string') return TERM_KEYS.has(key) ? value : cleanWords(value, MAX_PART_CHARS);
  if (Array.isArray(value)) return value.map((one) => cleanPart(one, key));
  if (typeof value !== 'object' || value === null) return value;
  if (!NAMING_KEYS.has(key)) return cleanSchema(value);
  // What a name stands for is a schema, or a list of names.
  return mapValues(value, (one) => (Array.isArray(one) ? one : cleanPart(one, '')));
}

function mapValues(of: object, change: (value: unknown, key: string) => unknown): object {
  return Object.fromEntries(Object.entries(of).map(([key, value]: [string, unknown]) => [key, change(value, key)]));
}

/**
 * What a machine says of its tool, for a model: in one line that begins with whose words they are. It stands where a
 * model reads what its host says, and may be written to be taken for that.
 */
export function quoteDescription(description: string, host: string | null): string {
  const name = cleanWords((host ?? '').replace(/["\\[\]]/g, ''), MAX_HOST_CHARS);
  const whose = `[Words of the connected machine${name === '' ? '' : ` "${name}"`}]`;
  return `${whose} ${cleanWords(description, FRAME_LIMITS.maxToolDescriptionChars)}`.trimEnd();
}
