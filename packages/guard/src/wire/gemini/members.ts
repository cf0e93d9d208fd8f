import { foldKey, type JsonObject } from '../wire-json.ts';

/** The possible spellings of the members of one protobuf message. */
export type MemberNames<Name extends string> = ReadonlyMap<string, { readonly name: Name; readonly snake: string }>;

/** A table of names, given as in JSON (`functionCall`). */
export function memberNames<Name extends string>(...names: readonly Name[]): MemberNames<Name> {
  return new Map(names.map((name) => [foldName(name), { name, snake: snakeCase(name) }]));
}

/**
 * The members of an object that are in the table, by their JSON name. Protobuf's JSON mapping and the Python SDK accept
 * both `functionCall` and `function_call`. `undefined` if parsers would disagree: a name in another case (Go's decoder
 * accepts it), or one member in both spellings. `null` counts as absent.
 */
export function readMembers<Name extends string>(
  object: JsonObject,
  names: MemberNames<Name>,
): Partial<Record<Name, unknown>> | undefined {
  const read: Partial<Record<Name, unknown>> = {};
  const seen = new Set<Name>();
  for (const [key, value] of Object.entries(object)) {
    const entry = names.get(foldName(key));
    if (!entry) continue;
    if ((key !== entry.name && key !== entry.snake) || seen.has(entry.name)) return undefined;
    seen.add(entry.name);
    if (value !== null && value !== undefined) read[entry.name] = value;
  }
  return read;
}

/** The members of an object that are not in the table. */
export function strangers(object: JsonObject, names: MemberNames<string>): unknown[] {
  return Object.entries(object)
    .filter(([key]) => !names.has(foldName(key)))
    .map(([, value]) => value);
}

/** The form of a name in which all its spellings are equal. */
export function foldName(key: string): string {
  return foldKey(key).replaceAll('_', '');
}

/** `function_call` for `functionCall`. */
export function snakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
