import { type Field, type Json, proposeFieldEdit } from '@croft/flow';
import { readParams, valuesFor } from '../component-values.ts';
import { hasSecret, REDACTED } from '../hide-secrets.ts';
import { refuseMarks, SecretRefused } from '../refuse-secrets.ts';
import { failed, textOf, type ToolArguments, type ToolContext, type ToolData } from './assistant-tool.ts';
import { isSecretField } from './read-tools.ts';

/** Sets values of a component; texts of the user's own components become proposals. */
export async function configureComponent(args: ToolArguments, context: ToolContext): Promise<ToolData> {
  const { working, turn } = context;
  const id = textOf(args, 'component_id');
  const given = readParams(args['params']);
  if ('error' in given) return failed(given.error);
  const read = valuesFor(await working.read(), turn.registry, id, given.params);
  if ('error' in read) return failed(read.error);
  const proposed = Object.entries(read.values).filter(([name, value]) =>
    waitsForUser(read.fields.get(name), name, id, value, context),
  );
  // Before the first change, so that a refused value changes nothing.
  refuseMarks(await working.read(), [{ kind: 'configure', id, values: read.values }], turn.registry);
  for (const [name, value] of proposed) refuseSecret(name, value, context);
  const waiting = new Set(proposed.map(([name]) => name));
  const values = Object.fromEntries(Object.entries(read.values).filter(([name]) => !waiting.has(name)));
  if (Object.keys(values).length > 0) await working.apply([{ kind: 'configure', id, values }]);
  for (const [name, value] of proposed) await propose(id, name, value, context);
  const set = Object.entries(values).map(([name, value]) => `${name}=${JSON.stringify(value).slice(0, 120)}`);
  const text = [
    ...(set.length > 0 ? [`Set ${set.join(', ')} on ${id}`] : []),
    ...(waiting.size > 0 ? [`Proposed changes to ${[...waiting].join(', ')} on ${id} (pending user approval)`] : []),
  ].join('\n');
  const summary = [
    ...(set.length > 0 ? [`Set ${set.join(', ')} on ${id}.`] : []),
    ...(waiting.size > 0 ? [`Proposed for ${id}: ${[...waiting].join(', ')}. Accept or dismiss it.`] : []),
  ].join(' ');
  return { text, summary, configured: Object.keys(values), ...(waiting.size > 0 && { proposed: [...waiting] }) };
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

/** Proposes a value for one field, and gives the description. @throws FlowError, SecretRefused */
export async function propose(
  node: string,
  field: string,
  value: Json,
  { working, turn, notes, emit }: ToolContext,
): Promise<string> {
  refuseSecret(field, value, { turn });
  const flow = await working.read();
  const { edit, ...proposal } = proposeFieldEdit(flow, turn.registry, { node, field, value });
  refuseMarks(flow, [edit], turn.registry);
  notes.proposedFields.set(`${node}\n${field}`, proposal.id);
  const isSecret = isSecretField(turn.registry, proposal.component_type, field) && proposal.old_value !== null;
  emit({ event: 'flow_update', action: 'edit_field', ...proposal, ...(isSecret && { old_value: REDACTED }) });
  return proposal.description;
}

/** A proposal is stored without secrets: the user would accept a mark in place of the value. @throws SecretRefused */
function refuseSecret(field: string, value: Json, { turn }: Pick<ToolContext, 'turn'>): void {
  if (!hasSecret(value, turn.secrets)) return;
  throw new SecretRefused(
    `'${field}'`,
    `Not proposed: the value of '${field}' has a secret, which no proposal keeps. Enter it on the canvas, or store it as a variable and use the name of the variable.`,
  );
}
