import type { FlowDocument, FlowNode, Json } from './document.ts';
import type { Registry } from './registry.ts';
import { replacePrivateKeys, replaceSignedTokens } from './secret-shapes.ts';

/** A place from which a secret was removed: a field of a node, or another part of the flow. */
export interface RemovedSecret {
  readonly node?: string;
  readonly field: string;
}

export interface RedactOptions {
  readonly registry: Registry;
  /** Names of variables. A secret field that holds one of them keeps it, because a name is not a secret. */
  readonly variables: ReadonlySet<string>;
}

const MARK = '[removed]';

/** Names of values that are secret, where words are separated by `_`. */
const SECRET_NAME =
  /(?:^|[_\W])(api[_-]?key|password|passwd|secret|(?:access|private)[_-]?key|(?:api|access|auth)[_-]?token|authorization|cookie)(?:$|[_\W])/i;

/**
 * Shapes of secrets inside a text. The first groups, where there are some, stay. Users choose the texts: no expression may
 * have two ways to read the same characters.
 */
const SECRET_TEXTS: readonly RegExp[] = [
  /\b((?:proxy-)?authorization|cookie|x-api-key|api-key|x-auth-token)(\s*(?:["']\s*)?:\s*(?:["']\s*)?)[^\s"'][^"'\r\n]*/gi,
  /\b(bearer|basic)(\s+)(?=[\w.~+/=-]*[0-9=+])[\w.~+/=-]{12,}/gi,
  /\b(sk|rk|pk)(-)[A-Za-z0-9_-]{16,}/g,
  /\b(?:gh[pousr]_\w{20,}|github_pat_\w{20,}|glpat-[\w-]{16,}|xox[abeprs]-[\w-]{10,}|AKIA[0-9A-Z]{16}|AIza[\w-]{30,}|gsk_\w{20,}|hf_\w{20,})/g,
  /(\b[a-z][a-z0-9+.-]{1,20}:\/\/)()[^\s/:@"']{0,200}:[^\s/@"']{1,200}(?=@)/gi,
  /([?&](?:api_?key|key|token|access_token|auth|secret|password|sig|signature)=)()[^&\s"'#]+/gi,
];

/**
 * A flow without what looks like a secret, to hand to others: values of secret fields, values with secret names such as
 * `api_key` or a header `Authorization`, and texts of known shapes such as keys of providers, tokens and URLs with a
 * password. Nodes without a secret stay the same objects. A secret of an unknown shape in an ordinary text stays.
 *
 * @returns `removed` names each place once
 */
export function redactFlow(
  flow: FlowDocument,
  options: RedactOptions,
): { readonly flow: FlowDocument; readonly removed: readonly RemovedSecret[] } {
  const removed: RemovedSecret[] = [];
  const textOf = (text: string, field: string): string => {
    const shown = redactSecretTexts(text);
    if (shown !== text) removed.push({ field });
    return shown;
  };
  const nodes = flow.nodes.map((node) => redactNode(node, options, removed));
  const notes = flow.notes.map((note) => ({ ...note, text: textOf(note.text, `note ${note.id}`) }));
  return { flow: { ...flow, description: textOf(flow.description, 'description'), nodes, notes }, removed };
}

function redactNode(node: FlowNode, { registry, variables }: RedactOptions, removed: RemovedSecret[]): FlowNode {
  const fields = registry.get(node.type)?.descriptor.fields ?? [];
  const secretFields = new Set(fields.filter(({ kind }) => kind === 'secret').map(({ name }) => name));
  const before = removed.length;
  const values: Record<string, Json> = {};
  for (const [name, value] of Object.entries(node.values)) {
    const isName = typeof value === 'string' && variables.has(value);
    const isSecret = secretFields.has(name) ? !isName : isSecretName(name) && !isName && typeof value === 'string';
    const shown = isSecret && value !== '' ? '' : redactJson(value);
    if (shown !== value) removed.push({ node: node.id, field: name });
    values[name] = shown;
  }
  const others: { -readonly [Key in 'pinned' | 'original' | 'code' | 'name']?: unknown } = {};
  for (const part of ['pinned', 'original', 'code', 'name'] as const) {
    const value = node[part];
    if (value === undefined) continue;
    const shown = redactJson(value as Json);
    if (shown === value) continue;
    others[part] = shown;
    removed.push({ node: node.id, field: part });
  }
  return removed.length === before ? node : ({ ...node, values, ...others } as FlowNode);
}

/** The very same value where it has no secret. Nesting is bounded by the document's limit. */
function redactJson(value: Json): Json {
  if (typeof value === 'string') return redactSecretTexts(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const items = value as readonly Json[];
    const shown = items.map(redactJson);
    return shown.every((each, index) => each === items[index]) ? value : shown;
  }
  const record = value as Readonly<Record<string, Json>>;
  const isNamedSecret = isSecretRecord(record);
  let isChanged = false;
  const shown: Record<string, Json> = {};
  for (const [key, each] of Object.entries(record)) {
    const isSecret = (key === 'value' && isNamedSecret) || isSecretName(key);
    shown[key] = isSecret && typeof each === 'string' && each !== '' ? '' : redactJson(each);
    isChanged ||= shown[key] !== each;
  }
  return isChanged ? shown : value;
}

/** A row such as `{key: 'Authorization', value}`, or a field of an export that says that it is a password. */
function isSecretRecord({ key, name, password, load_from_db }: Readonly<Record<string, Json>>): boolean {
  if (load_from_db === true) return false;
  return password === true || [key, name].some((each) => typeof each === 'string' && isSecretName(each));
}

const isSecretName = (name: string): boolean => SECRET_NAME.test(name.replace(/([a-z0-9])([A-Z])/g, '$1_$2'));

/** A text without secrets of known shapes. */
export function redactSecretTexts(text: string): string {
  let shown = replacePrivateKeys(text, MARK);
  for (const shape of SECRET_TEXTS) shown = shown.replace(shape, redactMatch);
  return replaceSignedTokens(shown, MARK);
}

/** Keeps the groups that say what was there, such as `Bearer `. */
function redactMatch(_: string, first: unknown, second: unknown): string {
  return typeof first === 'string' && typeof second === 'string' ? `${first}${second}${MARK}` : MARK;
}
