import { ComponentError } from '@croft/components';
import { boundSchema, isObject, type Schema } from './bounded-schema.ts';

/** Comparisons of one check, about: they take a few tenths of a second in the worst case. */
const MAX_WORK = 500_000;
const TEXT_UNIT = 64;
const MAX_SHOWN = 8;
const MAX_NAME = 100;

type Accepts = (schema: Schema, value: unknown) => boolean;

/**
 * Checks the arguments of a call against the schema of the tool. A schema that cannot be checked in bounded time stops no
 * call: the server checks its arguments itself.
 *
 * @throws ComponentError that names the tool, the argument and what the tool expects, never the value
 */
export async function checkArguments(
  tool: string,
  inputSchema: unknown,
  args: Readonly<Record<string, unknown>>,
): Promise<void> {
  const bounded = boundSchema(inputSchema);
  if (bounded === undefined || weigh(args, MAX_WORK / bounded.size) * bounded.size > MAX_WORK) return;
  const { CfWorkerJsonSchemaValidator } = await import('@modelcontextprotocol/client/validators/cf-worker');
  const validator = new CfWorkerJsonSchemaValidator({ draft: '2020-12' });
  const accepts: Accepts = (schema, value) =>
    typeof schema === 'boolean' ? schema : validator.getValidator(schema)(value).valid;
  let wrong: Mismatch | undefined;
  try {
    wrong = accepts(bounded.schema, args) ? undefined : findMismatch(bounded.schema, args, '', accepts);
  } catch {
    // The validator cannot use the schema.
    return;
  }
  if (wrong === undefined) return;
  const message = `The MCP tool '${tool}' was not called: ${wrong.message}`;
  throw new ComponentError(message, wrong.fix);
}

interface Mismatch {
  readonly message: string;
  readonly fix: string;
}

/** The innermost value that the schema does not accept. */
function findMismatch(schema: Schema, value: unknown, path: string, accepts: Accepts): Mismatch {
  if (typeof schema === 'object') {
    const part = ((schema['allOf'] ?? []) as Schema[]).find((each) => !accepts(each, value));
    if (part !== undefined) return findMismatch(part, value, path, accepts);
    const inner = isObject(value)
      ? findInObject(schema, value, path, accepts)
      : Array.isArray(value)
        ? findInList(schema, value, path, accepts)
        : undefined;
    if (inner !== undefined) return inner;
  }
  const name = path === '' ? 'the arguments' : `the argument '${path}'`;
  return {
    message: `${name} ${path === '' ? 'are' : 'is'} ${kindOf(value)}, and the tool expects ${expected(schema)}.`,
    fix: `Change ${name} to ${expected(schema)}.`,
  };
}

function findInObject(
  schema: Exclude<Schema, boolean>,
  value: Record<string, unknown>,
  path: string,
  accepts: Accepts,
): Mismatch | undefined {
  const properties = (schema['properties'] ?? {}) as Record<string, Schema>;
  const has = (key: string) => Object.hasOwn(value, key);
  const missing = ((schema['required'] ?? []) as string[]).find((key) => !has(key));
  if (missing !== undefined) {
    const name = join(path, missing);
    const wanted = Object.hasOwn(properties, missing) ? properties[missing] : true;
    return { message: `the argument '${name}' is missing.`, fix: `Set '${name}' to ${expected(wanted ?? true)}.` };
  }
  const other = schema['additionalProperties'] as Schema | undefined;
  for (const [key, each] of Object.entries(value)) {
    const own = Object.hasOwn(properties, key) ? properties[key] : other;
    if (own === undefined || accepts(own, each)) continue;
    const name = join(path, key);
    if (own !== false) return findMismatch(own, each, name, accepts);
    const known = Object.keys(properties);
    return {
      message: `it has no argument '${name}'.`,
      fix: known.length === 0 ? `Remove '${name}'.` : `Use these: ${listed(known.map((one) => join(path, one)))}.`,
    };
  }
  return undefined;
}

function findInList(
  schema: Exclude<Schema, boolean>,
  value: readonly unknown[],
  path: string,
  accepts: Accepts,
): Mismatch | undefined {
  const items = schema['items'] as Schema | undefined;
  if (items === undefined) return undefined;
  const at = value.findIndex((each) => !accepts(items, each));
  return at < 0 ? undefined : findMismatch(items, value[at], `${path}[${at}]`, accepts);
}

const short = (name: string): string => (name.length > MAX_NAME ? `${name.slice(0, MAX_NAME)}…` : name);
const join = (path: string, key: string): string => short(path === '' ? key : `${path}.${key}`);
const listed = (names: readonly string[]): string =>
  [...names.slice(0, MAX_SHOWN), ...(names.length > MAX_SHOWN ? ['…'] : [])].join(', ');

const KINDS: Readonly<Record<string, string>> = {
  array: 'a list',
  boolean: 'true or false',
  integer: 'a whole number',
  null: 'null',
  number: 'a number',
  object: 'an object',
  string: 'a text',
};

const kindOf = (value: unknown): string =>
  KINDS[value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value] ?? 'a value';

const LIMITS: readonly (readonly [string, string])[] = [
  ['minimum', 'of at least #'],
  ['exclusiveMinimum', 'above #'],
  ['maximum', 'of at most #'],
  ['exclusiveMaximum', 'below #'],
  ['minLength', 'of at least # characters'],
  ['maxLength', 'of at most # characters'],
  ['minItems', 'of at least # entries'],
  ['maxItems', 'of at most # entries'],
];

/** The accepted values of a schema, in words. */
function expected(schema: Schema): string {
  if (typeof schema === 'boolean') return 'another value';
  const { enum: choices, anyOf, type } = schema;
  if (Array.isArray(choices)) return `one of ${listed(choices.map((each) => short(JSON.stringify(each))))}`;
  if (Array.isArray(anyOf)) {
    const texts = anyOf
      .slice(0, MAX_SHOWN)
      .map((each) => (isObject(each) && each['anyOf'] ? 'another value' : expected(each as Schema)));
    return [...new Set(texts)].join(', or ');
  }
  const kinds = ((type ?? []) as string[]).map((each) => KINDS[each]).join(' or ');
  const limits = LIMITS.flatMap(([key, words]) =>
    typeof schema[key] === 'number' ? [words.replace('#', String(schema[key]))] : [],
  );
  return [kinds === '' ? 'a value' : kinds, limits.join(' and ')].filter((each) => each !== '').join(' ');
}

/** The number of values and of stretches of text in a value; stops above a limit. */
function weigh(value: unknown, limit: number): number {
  let weight = 0;
  const open = [value];
  while (open.length > 0 && weight <= limit) {
    const next = open.pop();
    weight += 1 + (typeof next === 'string' ? next.length / TEXT_UNIT : 0);
    if (typeof next === 'object' && next !== null) for (const each of Object.values(next)) open.push(each);
  }
  return weight;
}
