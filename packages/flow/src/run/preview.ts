import type { Json } from '../document.ts';
import { placesOf, replaceTexts } from './text-search.ts';

const MAX_TEXT = 2_000;
const MAX_ITEMS = 20;
const MAX_KEYS = 50;
const MAX_DEPTH = 4;
export const REDACTED = '***REDACTED***';

/** Names whose values are never shown, at any depth. */
const SECRET_NAME =
  /(?:^|[_\W])(api_?key|password|passwd|secret|access_?key|private_?key|api_?token|access_?token|authorization|cookie)(?:$|[_\W])/i;
/** Shapes of keys, inside of any text. */
const SECRET_TEXT = /\b(sk|rk|pk|key|token|bearer)([-_ ])[A-Za-z0-9_-]{8,}/gi;
/** The shortest text that SECRET_TEXT matches. */
const MIN_SECRET_TEXT = 'sk-'.length + 8;
/** Longer texts of that shape are recognised by their beginning. */
const MAX_SECRET_TEXT = 200;

/**
 * A value as it may be shown and stored in history: bounded, plain JSON, without secrets. The value itself says what it leaves out. Reads at most the part that is kept, so it costs the same for a value of any size.
 */
export function previewOf(value: unknown, secrets: ReadonlySet<string> = NONE, depth = 0): Json {
  if (typeof value !== 'object' || value === null) return previewOfScalar(value, secrets);
  if (depth >= MAX_DEPTH) return Array.isArray(value) ? `(${value.length} items)` : '(object)';
  if (Array.isArray(value)) return previewOfList(value, secrets, depth);
  if (ArrayBuffer.isView(value)) return `(${value.byteLength} bytes)`;
  return previewOfRecord(value as Record<string, unknown>, secrets, depth);
}

const NONE: ReadonlySet<string> = new Set();

/** Anything but an object. */
function previewOfScalar(value: unknown, secrets: ReadonlySet<string>): Json {
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  if (typeof value === 'string') return clip(value, secrets);
  if (typeof value === 'boolean') return value;
  return value === null || value === undefined ? null : `(${typeof value})`;
}

function previewOfList(value: readonly unknown[], secrets: ReadonlySet<string>, depth: number): Json {
  const shown = value.slice(0, MAX_ITEMS) as Json[];
  for (let index = 0; index < shown.length; index++) {
    const each: unknown = shown[index];
    shown[index] = typeof each === 'object' ? previewOf(each, secrets, depth + 1) : previewOfScalar(each, secrets);
  }
  if (value.length > MAX_ITEMS) shown.push(`(${value.length - MAX_ITEMS} more items)`);
  return shown;
}

/** Separate functions for lists, records and the rest: one for all is called so often that V8 spends milliseconds on optimising it in a run of a thousand nodes. */
function previewOfRecord(value: Record<string, unknown>, secrets: ReadonlySet<string>, depth: number): Json {
  const result: Record<string, Json> = {};
  let count = 0;
  for (const key in value) {
    if (!Object.hasOwn(value, key)) continue;
    if (count++ >= MAX_KEYS) {
      result['…'] = `(${Object.keys(value).length - MAX_KEYS} more fields)`;
      break;
    }
    const each = value[key];
    if (typeof each === 'function') continue;
    const name = nameOf(key);
    result[name.isWord && secrets.size === 0 ? key : shownName(key, name, secrets)] =
      name.isSecret && each !== '' && each !== null
        ? REDACTED
        : typeof each === 'object'
          ? previewOf(each, secrets, depth + 1)
          : previewOfScalar(each, secrets);
  }
  return result;
}

/** A property's name as far as it does not depend on the secrets of a run. */
interface Name {
  /** `key_columns` is one, although it has the shape of a key; a text with other characters may be a key. */
  readonly isWord: boolean;
  readonly isSecret: boolean;
}

/** The same few names come with every node of a run. */
const names = new Map<string, Name>();
const MAX_NAMES = 1_000;
const MAX_KEPT_NAME = 100;
const WORD = /^\w*$/;

function nameOf(key: string): Name {
  const known = names.get(key);
  if (known !== undefined) return known;
  const name = { isWord: key.length <= MAX_TEXT && WORD.test(key), isSecret: SECRET_NAME.test(key) };
  if (names.size < MAX_NAMES && key.length <= MAX_KEPT_NAME) names.set(key, name);
  return name;
}

const shownName = (key: string, { isWord }: Name, secrets: ReadonlySet<string>): string =>
  isWord ? withoutSecrets(key, secrets) : clip(key, secrets);

/** A text as events show it: without secrets, at most 2,000 characters. */
export function clip(text: string, secrets: ReadonlySet<string>): string {
  if (text.length < MIN_SECRET_TEXT && secrets.size === 0) return text;
  const shown = beginningOf(text, MAX_TEXT, secrets);
  return text.length > MAX_TEXT ? `${shown}… (${text.length} characters)` : shown;
}

/** At most `most` characters of a text, without secrets. Reads little more than these of a long text. */
export function beginningOf(text: string, most: number, secrets: ReadonlySet<string> = NONE): string {
  if (text.length <= most) return redactText(text, secrets).slice(0, most);
  return detached(redactText(text.slice(0, endOutside(text, most, secrets)), secrets).slice(0, most));
}

/** A copy: V8 keeps the whole text in memory for a slice of it, and events live longer than the values that they show. */
const detached = (text: string): string => JSON.parse(JSON.stringify(text)) as string;

/**
 * The last place up to `end` where a cut divides no secret: the part of a secret that stays would not be recognised. Takes
 * linear time, also where secrets follow one another without a gap.
 */
export function endOutside(text: string, end: number, secrets: ReadonlySet<string>): number {
  const redacted = [...secrets].filter(isRedacted);
  const longest = redacted.reduce((most, { length }) => Math.max(most, length), MAX_SECRET_TEXT);
  const searched = text.slice(0, end + longest);
  /** For each place before the end: where the longest secret that starts there ends. */
  const ends = new Uint32Array(end);
  const add = (from: number, to: number) => {
    if (from < end) ends[from] = Math.max(ends[from] as number, to);
  };
  for (const secret of redacted) for (const at of placesOf(searched, secret)) add(at, at + secret.length);
  for (const { 0: shape, index } of searched.matchAll(SECRET_TEXT)) add(index, index + shape.length);
  let place = 0;
  let inside = 0;
  for (let at = 0; at < end; at++) {
    if (inside <= at) place = at;
    inside = Math.max(inside, ends[at] as number);
  }
  return inside <= end ? end : place;
}

const withoutSecrets = (text: string, secrets: ReadonlySet<string>): string =>
  replaceTexts(text, [...secrets].filter(isRedacted), '***');

/** Shorter secrets would remove parts of ordinary words. */
export const isRedacted = (secret: string): boolean => secret.length >= 4;

/** A text without the run's secrets and without what looks like a key. */
export function redactText(text: string, secrets: ReadonlySet<string> = NONE): string {
  const result = withoutSecrets(text, secrets);
  return result.length < MIN_SECRET_TEXT ? result : result.replace(SECRET_TEXT, '$1$2***');
}
