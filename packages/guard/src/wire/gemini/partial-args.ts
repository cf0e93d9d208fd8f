import { isObject, type JsonObject } from '../wire-json.ts';
import { memberNames, readMembers, strangers } from './members.ts';

const ENTRY = memberNames('jsonPath', 'stringValue', 'numberValue', 'boolValue', 'nullValue', 'willContinue');
const MAX_INDEX = 10_000;
/** The judge refuses deeper arguments. */
const MAX_DEPTH = 64;

type Segment = string | number;
type Container = Record<Segment, unknown>;

/**
 * The arguments of a call that Vertex streams leaf by leaf (`streamFunctionCallArguments`): each entry is a JSONPath
 * (RFC 9535) and a value, long strings in several pieces. Assembled in two ways: by the RFC, and as the AI SDK does,
 * which treats every dot as a separator and does not support `['quoted']` names.
 */
export class PartialArgs {
  /** Clients would not agree on the value. */
  unclear = false;
  readonly #strict: JsonObject = {};
  readonly #loose: JsonObject = {};
  /** Paths of strings that are still incomplete. */
  readonly #growing = new Set<string>();

  /** Adds the entries of one fragment. False if they do not have the expected form. */
  add(entries: unknown): boolean {
    if (!Array.isArray(entries)) return false;
    for (const entry of entries) {
      const read = isObject(entry) ? readMembers(entry, ENTRY) : undefined;
      if (!read || !isObject(entry)) return false;
      const { jsonPath: path, willContinue = false } = read;
      if (typeof path !== 'string' || typeof willContinue !== 'boolean') return false;
      const values: unknown[] = [read.stringValue, read.numberValue, read.boolValue].filter(
        (value) => value !== undefined,
      );
      if ('nullValue' in entry || 'null_value' in entry) values.push(null);
      const plain =
        isTyped(read.stringValue, 'string') &&
        isTyped(read.numberValue, 'number') &&
        isTyped(read.boolValue, 'boolean');
      if (values.length > 1 || !plain || strangers(entry, ENTRY).length > 0) this.unclear = true;
      if (!this.#addStrict(path, values[0], willContinue)) this.unclear = true;
      if (!addLoose(this.#loose, path, values[0], willContinue)) this.unclear = true;
    }
    return true;
  }

  /** The values that clients could have assembled, the RFC's reading first. */
  values(): unknown[] {
    const strict = JSON.stringify(this.#strict);
    const loose = JSON.stringify(this.#loose);
    const values = strict === loose ? [strict] : [strict, loose];
    return values.map((text) => JSON.parse(text) as unknown);
  }

  #addStrict(path: string, value: unknown, willContinue: boolean): boolean {
    const list = path.endsWith('[]');
    const segments = parsePath(list ? path.slice(0, -2) : path);
    if (!segments || segments.length > MAX_DEPTH || segments.includes('__proto__')) return false;
    const key = JSON.stringify(segments);
    const before = valueAt(this.#strict, segments);
    if (segments.length === 0) return value === undefined;
    if (value === undefined) {
      // The end of a string or a list; or an empty list or object if there is no value yet.
      this.#growing.delete(key);
      return before !== undefined || willContinue || setAt(this.#strict, segments, list ? [] : {});
    }
    const grows = this.#growing.has(key);
    if (willContinue) this.#growing.add(key);
    else this.#growing.delete(key);
    if (list || (willContinue && typeof value !== 'string')) return false;
    if (before === undefined) return setAt(this.#strict, segments, value);
    if (!grows || typeof before !== 'string' || typeof value !== 'string') return false;
    return setAt(this.#strict, segments, before + value);
  }
}

function isTyped(value: unknown, type: string): boolean {
  return value === undefined || typeof value === type;
}

/** Parses `$.a.b[0]['c.d']`; `undefined` if the path does not name a single place. */
function parsePath(path: string): Segment[] | undefined {
  if (!path.startsWith('$')) return undefined;
  const segments: Segment[] = [];
  const step = /\.([^.[\]'"\s*?@$()]+)|\[(\d{1,9})\]|\['((?:[^'\\]|\\.)*)'\]|\["((?:[^"\\]|\\.)*)"\]/y;
  step.lastIndex = 1;
  while (step.lastIndex < path.length) {
    const match = step.exec(path);
    if (!match) return undefined;
    const [, name, index, single, double] = match;
    const quoted = single ?? double;
    if (index !== undefined) segments.push(Number(index));
    else segments.push(name ?? quoted?.replaceAll(/\\(['"\\/])/g, '$1') ?? '');
    // Other escapes do not occur in real paths.
    if (quoted !== undefined && /\\[^'"\\/]/.test(quoted)) return undefined;
  }
  return segments;
}

function valueAt(root: JsonObject, segments: readonly Segment[]): unknown {
  let at: unknown = root;
  for (const segment of segments) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, segment)) return undefined;
    at = (at as Container)[segment];
  }
  return at;
}

/**
 * Sets a value. False if the path leads through a value that is not a matching container, or leaves a gap in a list.
 */
function setAt(root: JsonObject, segments: readonly Segment[], value: unknown): boolean {
  let at: unknown = root;
  for (const [depth, segment] of segments.entries()) {
    if (typeof at !== 'object' || at === null) return false;
    if (Array.isArray(at) ? typeof segment !== 'number' || segment > at.length : typeof segment === 'number')
      return false;
    const container = at as Container;
    const next = segments[depth + 1];
    if (next === undefined) define(container, segment, value);
    else if (!Object.hasOwn(container, segment)) define(container, segment, typeof next === 'number' ? [] : {});
    at = container[segment];
  }
  return true;
}

/**
 * Sets a value as `@ai-sdk/google` 3.0.141 does (google-json-accumulator.ts): later values win, strings grow, nothing
 * is validated. Input on which that would throw changes nothing here. False if the result would be too large or too
 * deep to write.
 */
function addLoose(root: JsonObject, path: string, value: unknown, willContinue: boolean): boolean {
  const list = path.endsWith('[]');
  const rest = (list ? path.slice(0, -2) : path).replace(/^\$\./, '');
  if (rest === '' || rest === '$') return true;
  const segments = rest.split('.').flatMap((part): Segment[] => {
    const bracket = part.indexOf('[');
    if (bracket === -1) return [part];
    const indexes = [...part.matchAll(/\[(\d+)\]/g)].map((match) => Number(match[1]));
    return bracket > 0 ? [part.slice(0, bracket), ...indexes] : indexes;
  });
  if (segments.length > MAX_DEPTH || segments.some((segment) => typeof segment === 'number' && segment > MAX_INDEX))
    return false;
  const before = valueAt(root, segments);
  if (typeof value === 'string' && before !== undefined) setLoose(root, segments, textOf(before) + value);
  else if (value !== undefined) setLoose(root, segments, value);
  else if (before === undefined && !willContinue) setLoose(root, segments, list ? [] : {});
  return true;
}

function setLoose(root: JsonObject, segments: readonly Segment[], value: unknown): void {
  let at: Container = root;
  for (const [depth, segment] of segments.slice(0, -1).entries()) {
    if (!Object.hasOwn(at, segment) || at[segment] === null)
      define(at, segment, typeof segments[depth + 1] === 'number' ? [] : {});
    const next = at[segment];
    if (typeof next !== 'object' || next === null) return;
    at = next as Container;
  }
  const last = segments.at(-1);
  if (last !== undefined) define(at, last, value);
}

function textOf(value: unknown): string {
  return typeof value === 'object' && value !== null ? '[object Object]' : String(value);
}

/** Defines an own property of any name. */
function define(container: Container, name: Segment, value: unknown): void {
  Object.defineProperty(container, name, { value, enumerable: true, configurable: true, writable: true });
}
