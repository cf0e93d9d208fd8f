import type { FlowDocument, FlowNode } from '@croft/flow';
import { runKeyOf } from '../flow-parts.ts';
import type { ToolContext } from './assistant-tool.ts';
import { isLoss } from './lost-file.ts';

const FILE = 'file_name';

/**
 * The files that a run would write and that the user did not ask for, as one text; empty where no name is known, undefined
 * where the user asked for all of them: the message asks for a run, and each file is named in it, is new, or is written by a
 * component that is as it was before.
 */
export async function unaskedWrites(flow: FlowDocument, context: ToolContext): Promise<string | undefined> {
  const { asked, turn } = context;
  const writers = flow.nodes.filter(({ type }) =>
    turn.registry.get(type)?.descriptor.effects.includes('workspace-write'),
  );
  const unasked: FlowNode[] = [];
  for (const node of writers) if (!asked.runWrites || (await isUnasked(node, flow, context))) unasked.push(node);
  if (unasked.length === 0) return undefined;
  return unasked.flatMap((node) => fixedFileOf(node, flow, context) ?? []).join(', ');
}

async function isUnasked(node: FlowNode, flow: FlowDocument, context: ToolContext): Promise<boolean> {
  const { start } = context.working;
  if (runKeyOf(flow) === runKeyOf(start)) return false;
  const file = fixedFileOf(node, flow, context);
  // A file that a step computes, or an agent chooses, is not known before the run.
  if (file === undefined) return true;
  const before = start.nodes.find(({ id }) => id === node.id);
  // As it was, also whether it adds to the file or replaces it.
  const isSame = JSON.stringify(before?.values) === JSON.stringify(node.values);
  if (before !== undefined && isSame && fixedFileOf(before, start, context) === file) return false;
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
