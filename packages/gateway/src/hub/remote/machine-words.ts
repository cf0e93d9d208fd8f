import { FRAME_LIMITS } from '../../frames.ts';

/** What hides or reorders text, or stands in none: controls, bidirectional marks, zero-width characters, tags. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to take out
const UNSEEN = /[\u0000-\u001f\u007f-\u009f\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e0fff}]/gu;
const MAX_HOST_CHARS = 64;
const MAX_TITLE_CHARS = 128;
/** In a schema, of one property or part. */
const MAX_PART_CHARS = 1_024;
/** Values of a schema that are data of the tool's own, to be kept as they are. */
const DATA_KEYS: ReadonlySet<string> = new Set(['default', 'const', 'enum', 'examples']);

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

/**
 * A schema whose descriptions and titles are clean and bounded; all else is as it was, for the machine to check.
 *
 * @param schema of few levels
 */
export function cleanSchema(schema: object): object {
  if (Array.isArray(schema)) return schema.map(cleanPart);
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]: [string, unknown]) => {
      const isWords = key === 'description' || key === 'title' || key === '$comment';
      if (isWords && typeof value === 'string') return [key, cleanWords(value, MAX_PART_CHARS)];
      return [key, DATA_KEYS.has(key) ? value : cleanPart(value)];
    }),
  );
}

function cleanPart(value: unknown): unknown {
  return typeof value === 'object' && value !== null ? cleanSchema(value) : value;
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
