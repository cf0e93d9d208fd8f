import { isDeepStrictEqual } from 'node:util';
import { type ParseError, parse, printParseErrorCode } from 'jsonc-parser';
import { isObject, type JsonObject, removeProperty, setProperty } from './edit-json.ts';

/** One server, before it gets the form of a client. */
export interface ServerEntry {
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** The position of an entry in a configuration. */
export interface EntryPlace {
  /** The object that holds all servers: `mcpServers` or `servers`. */
  readonly container: string;
  readonly name: string;
}

/** A configuration that is not changed. The message ends a sentence that starts with the file. */
export class RefusedConfig extends Error {
  override readonly name = 'RefusedConfig';
}

/** A configuration that is not valid in its format. */
export const unparsed = (problem: string): RefusedConfig =>
  new RefusedConfig(`does not parse: ${problem}; correct it and run croft setup again`);

const BOM = '\uFEFF';

/**
 * Adds an entry to the text of a configuration. Keeps the user's additions to the entry (`disabled`, more `env`), and every
 * byte outside of it. Returns the same text if the entry is already there.
 *
 * @param text whole content of the file; blank for a new one
 * @throws RefusedConfig if the text does not parse, does not have the expected shape, or has another server with that name
 */
export function withEntry(text: string, place: EntryPlace, entry: JsonObject): string {
  const { bom, body, value } = readConfig(text);
  const { container, name } = place;
  if (value === undefined) return `${bom}${JSON.stringify({ [container]: { [name]: entry } }, null, 2)}\n`;
  const before = entryOf(value, place);
  if (before !== undefined && !isOurs(before) && !isDeepStrictEqual(before, entry)) {
    throw new RefusedConfig(`has a server "${name}" that croft setup did not write; choose another name with --name`);
  }
  const result = Object.hasOwn(value, container)
    ? setProperty(body, [container], name, entry)
    : setProperty(body, [], container, { [name]: entry });
  expectValue(result, { ...value, [container]: { ...containerOf(value, container), [name]: merged(before, entry) } });
  return bom + result;
}

/**
 * Removes an entry from the text of a configuration. Returns the same text if there is no such entry.
 *
 * @param dropContainer also remove the object of the servers if it becomes empty
 * @throws RefusedConfig as {@link withEntry}
 */
export function withoutEntry(text: string, place: EntryPlace, dropContainer: boolean): string {
  const { bom, body, value } = readConfig(text);
  const before = value && entryOf(value, place);
  if (value === undefined || before === undefined) return text;
  const { container, name } = place;
  if (!isOurs(before)) throw new RefusedConfig(`has a server "${name}" that croft setup did not write, so it stays`);
  const { [name]: _, ...others } = containerOf(value, container);
  const empty = dropContainer && Object.keys(others).length === 0;
  const result = empty ? removeProperty(body, [], container) : removeProperty(body, [container], name);
  const { [container]: __, ...rest } = value;
  expectValue(result, empty ? rest : { ...value, [container]: others });
  return bom + result;
}

/** Whether a configuration has the object of the servers; `undefined` if it cannot be read. */
export function hasContainer(text: string, container: string): boolean | undefined {
  try {
    const { value } = readConfig(text);
    return value !== undefined && Object.hasOwn(value, container);
  } catch {
    return undefined;
  }
}

/**
 * Parses a configuration into its byte order mark, the text without it, and the value; no value for a blank text. Allows
 * comments and trailing commas.
 *
 * @throws RefusedConfig
 */
export function readConfig(text: string): { bom: string; body: string; value: JsonObject | undefined } {
  const bom = text.startsWith(BOM) ? BOM : '';
  const body = text.slice(bom.length);
  if (body.trim() === '') return { bom, body, value: undefined };
  const value = parseJson(body);
  if (!isObject(value)) throw new RefusedConfig('does not hold a JSON object');
  return { bom, body, value };
}

function parseJson(body: string): unknown {
  const errors: ParseError[] = [];
  let value: unknown;
  try {
    value = parse(body, errors, { allowTrailingComma: true });
  } catch {
    throw new RefusedConfig('is nested too deeply to be read');
  }
  const [error] = errors;
  if (error) {
    const before = body.slice(0, error.offset).split('\n');
    const column = (before.at(-1)?.length ?? 0) + 1;
    const what = printParseErrorCode(error.error)
      .replace(/([a-z])([A-Z])/g, '$1 $2')
      .toLowerCase();
    throw unparsed(`${what} at line ${before.length}, column ${column}`);
  }
  return value;
}

function entryOf(value: JsonObject, { container, name }: EntryPlace): unknown {
  return containerOf(value, container)[name];
}

function containerOf(value: JsonObject, container: string): JsonObject {
  const servers = Object.hasOwn(value, container) ? value[container] : {};
  if (!isObject(servers)) throw new RefusedConfig(`holds something else than an object under "${container}"`);
  return servers;
}

/** Whether croft setup wrote this entry: it starts `croft mcp`, from an installation or through npx. */
export function isOurs(entry: unknown): boolean {
  if (!isObject(entry)) return false;
  // opencode has one list, Goose another name for the command.
  const parts = [entry.command ?? entry.cmd, entry.args ?? []].flat() as unknown[];
  const words = parts.filter((word) => typeof word === 'string');
  const program = words.findIndex((word) => /(^|[\\/])croft(\.cjs|\.cmd|@[\w.+-]+)?$/.test(word));
  return program !== -1 && words[program + 1] === 'mcp';
}

/** An entry with the user's additions: further fields, and further variables. */
export function merged(before: unknown, entry: JsonObject): JsonObject {
  if (!isObject(before)) return entry;
  const objects = Object.entries(entry).filter(([key, value]) => isObject(value) && isObject(before[key]));
  const joined = objects.map(([key, value]) => [key, { ...(before[key] as JsonObject), ...(value as JsonObject) }]);
  return { ...before, ...entry, ...Object.fromEntries(joined) };
}

/**
 * Checks an edited text before it is written: it must contain exactly the old values and the new entry.
 *
 * @throws RefusedConfig
 */
export function expectValue(text: string, expected: unknown): void {
  const found: unknown = JSON.parse(JSON.stringify(parseJson(text)));
  if (isDeepStrictEqual(found, JSON.parse(JSON.stringify(expected)))) return;
  throw new RefusedConfig('could not be edited without changing something else; add the entry by hand');
}
