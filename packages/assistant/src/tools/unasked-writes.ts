import type { FlowDocument, FlowNode } from '@croft/flow';
import { runKeyOf } from '../flow-parts.ts';
import { forbidsActs, isReserved } from '../reservations.ts';
import type { ToolContext } from './assistant-tool.ts';
import { isLoss } from './lost-file.ts';

const FILE = 'file_name';

/**
 * Whether a run would write a file that the user did not ask for. Each file is asked for where the message asks for a run, and
 * the file is named in it, is new, or, unless the conversation forbade something, is written by a component that is as it was
 * before.
 */
export async function hasUnaskedWrites(flow: FlowDocument, context: ToolContext): Promise<boolean> {
  const { message, history } = context.turn;
  const isFree = !isReserved(message) && !history.some(({ user }) => forbidsActs(user));
  if (context.asked.runWrites && isFree && runKeyOf(flow) === runKeyOf(context.working.start)) return false;
  for (const node of writersOf(flow, context))
    if (!context.asked.runWrites || (await isUnasked(node, flow, context, isFree))) return true;
  return false;
}

/** All files that a run writes, as one text for the user; empty where it writes none. */
export function writtenFiles(flow: FlowDocument, context: ToolContext): string {
  const labelOf = ({ name, type }: FlowNode) => name ?? context.turn.registry.get(type)?.descriptor.label ?? type;
  const files = writersOf(flow, context).map(
    (node) => fixedFileOf(node, flow, context) ?? `files that '${labelOf(node)}' chooses`,
  );
  return [...new Set(files)].join(', ');
}

const writersOf = ({ nodes }: FlowDocument, { turn }: ToolContext): readonly FlowNode[] =>
  nodes.filter(({ type }) => turn.registry.get(type)?.descriptor.effects.includes('workspace-write'));

/** @param isFree whether the conversation forbids nothing, so that a component may write again what it wrote before */
async function isUnasked(node: FlowNode, flow: FlowDocument, context: ToolContext, isFree: boolean): Promise<boolean> {
  const { start } = context.working;
  const file = fixedFileOf(node, flow, context);
  // A file that a step computes, or an agent chooses, is not known before the run.
  if (file === undefined) return true;
  const before = start.nodes.find(({ id }) => id === node.id);
  // As it was, also whether it adds to the file or replaces it.
  const isSame = JSON.stringify(before?.values) === JSON.stringify(node.values);
  if (isFree && before !== undefined && isSame && fixedFileOf(before, start, context) === file) return false;
  // Some writers add the ending of a format.
  return !/\.\w+$/.test(file) || isLoss(file, context);
}

/** The file that a component writes; undefined where a connection, a variable or a model gives it. */
function fixedFileOf(node: FlowNode, { edges }: FlowDocument, { turn }: ToolContext): string | undefined {
  if (edges.some(({ to }) => to.node === node.id && to.port === FILE)) return undefined;
  const field = turn.registry.get(node.type)?.descriptor.fields.find(({ name }) => name === FILE);
  const value = node.values[FILE] ?? field?.default;
  const file = typeof value === 'string' ? value.trim() : '';
  return file === '' || file.includes('{') ? undefined : file;
}
