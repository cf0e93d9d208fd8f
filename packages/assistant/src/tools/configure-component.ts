import { type Field, type Json, portsOf, proposeFieldEdit, wrongValue } from '@croft/flow';
import { readModelRef } from '@croft/models';
import { failed, quotedList, textOf, type ToolArguments, type ToolContext, type ToolData } from './assistant-tool.ts';
import { isSecretField, REDACTED } from './read-tools.ts';

/** Objects that arrive as text, once or twice encoded. */
function readParams(given: unknown): Record<string, unknown> | ToolData {
  let value = given;
  for (let round = 0; round < 2 && typeof value === 'string'; round++) {
    try {
      value = JSON.parse(value) as unknown;
    } catch (error) {
      return failed(`Invalid JSON in params: ${(error as Error).message}. Use format: {"key": "value"}`);
    }
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  return failed(`params must be a JSON object, got ${Array.isArray(value) ? 'list' : typeof value}`);
}

/** Sets values of a component; texts of the user's own components become proposals. */
export async function configureComponent(args: ToolArguments, context: ToolContext): Promise<ToolData> {
  const { working, turn } = context;
  const id = textOf(args, 'component_id');
  const params = readParams(args['params']);
  if ('error' in params && typeof args['params'] !== 'object') return params;
  const flow = await working.read();
  const node = flow.nodes.find((each) => each.id === id);
  if (node === undefined)
    return failed(
      `Component '${id.slice(0, 100)}' not found. Available: ${quotedList(flow.nodes.map((each) => each.id))}`,
    );
  const entry = turn.registry.get(node.type);
  const { fields = [], inputs = [] } = entry
    ? portsOf({ ...node, values: { ...node.values, ...(params as Record<string, Json>) } }, entry)
    : {};
  const names = [...new Set([...fields, ...inputs].map(({ name }) => name))];
  const values: Record<string, Json> = {};
  const proposed: string[] = [];
  for (const [name, given] of Object.entries(params)) {
    const field = fields.find((each) => each.name === name);
    if (!names.includes(name))
      return failed(`Unknown parameter '${name}' on component '${id}'. Available: ${quotedList(names)}`);
    const value = coerced(field, given as Json);
    const wrong = field && wrongValue(field, value);
    if (wrong !== undefined) return failed(`'${name}' of ${id} ${wrong}.`);
    if (waitsForUser(field, name, id, value, context)) proposed.push(name);
    else values[name] = value;
  }
  if (Object.keys(values).length > 0) await working.apply([{ kind: 'configure', id, values }]);
  for (const name of proposed) await propose(id, name, coerced(undefined, params[name] as Json), context);
  const set = Object.entries(values).map(([name, value]) => `${name}=${JSON.stringify(value).slice(0, 120)}`);
  const text = [
    ...(set.length > 0 ? [`Set ${set.join(', ')} on ${id}`] : []),
    ...(proposed.length > 0 ? [`Proposed changes to ${proposed.join(', ')} on ${id} (pending user approval)`] : []),
  ].join('\n');
  return { text, configured: Object.keys(values), ...(proposed.length > 0 && { proposed }) };
}

/** Texts of components that were there before the turn are the user's: the user decides. Models and numbers apply at once. */
function waitsForUser(
  field: Field | undefined,
  name: string,
  node: string,
  value: Json,
  context: ToolContext,
): boolean {
  const { turn, working } = context;
  if (turn.skipAll === true || turn.continues === 'edits' || !working.existedBefore(node)) return false;
  if (typeof value !== 'string' || name === 'model' || name === 'model_name') return false;
  return (
    field === undefined ||
    field.kind === 'text' ||
    field.kind === 'multiline' ||
    field.kind === 'code' ||
    field.kind === 'secret'
  );
}

/** The value that a field takes: a model by provider and name, a number or switch from its text. */
function coerced(field: Field | undefined, value: Json): Json {
  if (field === undefined) return value;
  if (field.kind === 'model') {
    const ref = readModelRef(value);
    return ref === undefined ? value : [{ provider: ref.provider, name: ref.name }];
  }
  if (typeof value !== 'string') return value;
  if (field.kind === 'switch' && /^(true|false)$/i.test(value)) return value.toLowerCase() === 'true';
  const isNumber = field.kind === 'number' || field.kind === 'integer' || field.kind === 'slider';
  if (isNumber && value.trim() !== '' && Number.isFinite(Number(value))) return Number(value);
  return value;
}

/** Proposes a value for one field, and gives the description. @throws FlowError */
export async function propose(
  node: string,
  field: string,
  value: Json,
  { working, turn, notes, emit }: ToolContext,
): Promise<string> {
  const { edit: _, ...proposal } = proposeFieldEdit(await working.read(), turn.registry, { node, field, value });
  notes.proposedFields.set(`${node}\n${field}`, proposal.id);
  const isSecret = isSecretField(turn.registry, proposal.component_type, field) && proposal.old_value !== null;
  emit({ event: 'flow_update', action: 'edit_field', ...proposal, ...(isSecret && { old_value: REDACTED }) });
  return proposal.description;
}
