import { REPLACES } from '@croft/tools';
import { z } from 'zod';
import { sendFlowChange } from '../flows/announce-flow.ts';
import { deleteForGood } from '../flows/deleted-flows.ts';
import { requireFlow } from '../flows/get-flow.ts';
import { revertOwnEdit } from '../flows/undo-edit.ts';
import type { FlowDesk } from './flow-desk.ts';
import { type FlowTool, flowTool, type FlowToolCall, messageOf, refuse, WithResults } from './flow-tool.ts';

const MAX_ACTIONS = 100;
const REFERENCE = /^\$(\d+)\.(\w+)$/;
const NAME = 'batch';

/** The tool that makes several calls of others as one: one step of undo. It does not hold other batches. */
export function batchTool(tools: readonly FlowTool[]): FlowTool {
  return flowTool({
    name: NAME,
    title: 'Several calls',
    description:
      'Makes several calls in order. A whole text "$N.field" in arguments stands for a field of the result of action N, counted from 0: "$0.id". Stops at the first failure; earlier actions stay, or are all undone with atomic.',
    input: {
      actions: z
        .array(z.strictObject({ tool: z.string().max(100), args: z.looseObject({}).default({}) }))
        .min(1)
        .max(MAX_ACTIONS),
      atomic: z.boolean().default(false).describe('All or none. Only for calls that read, create or edit flows.'),
    },
    output: { result: z.array(z.unknown()) },
    annotations: { ...REPLACES, openWorldHint: true },
    async run({ actions, atomic }, call) {
      if (atomic) refuseFinal(actions, tools);
      const results: unknown[] = [];
      for (const [index, { tool, args }] of actions.entries()) {
        try {
          results.push(await act(index, tool, args, { tools, results, call }));
        } catch (error) {
          const message = messageOf(error);
          if (message === undefined && !atomic) throw error;
          const undone = atomic ? ` ${await undo(call.desk)}` : '';
          if (message === undefined) throw error;
          throw new WithResults(`${message}${undone}`, atomic ? [] : results);
        }
      }
      return { result: results };
    },
  });
}

interface Acting {
  readonly tools: readonly FlowTool[];
  readonly results: readonly unknown[];
  readonly call: FlowToolCall;
}

async function act(index: number, name: string, args: unknown, { tools, results, call }: Acting): Promise<unknown> {
  call.signal?.throwIfAborted();
  const tool = tools.find((each) => each.name === name);
  if (tool === undefined)
    throw refuse(
      `Action ${index}: unknown tool '${name}'. Available: ${tools
        .map((each) => each.name)
        .sort()
        .join(', ')}`,
    );
  const failed = (why: string) => refuse(`Action ${index} ('${name}') failed: ${why}`);
  const parsed = tool.input.safeParse(resolved(args, results));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const place = issue?.path.join('.') ?? '';
    throw failed(`${place === '' ? '' : `${place}: `}${issue?.message ?? 'not understood'}`);
  }
  try {
    return await tool.run(parsed.data as never, call);
  } catch (error) {
    const message = messageOf(error);
    throw message === undefined ? error : failed(message);
  }
}

/** Arguments in which each reference to an earlier result is that value. @throws ForModel */
function resolved(value: unknown, results: readonly unknown[]): unknown {
  if (Array.isArray(value)) return value.map((each) => resolved(each, results));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, resolved(each, results)]));
  const [, number, field = ''] = (typeof value === 'string' && REFERENCE.exec(value)) || [];
  if (number === undefined) return value;
  const index = Number(number);
  if (index >= results.length)
    throw refuse(`Reference $${number} is out of range (only ${results.length} results so far)`);
  const result = results[index] as Readonly<Record<string, unknown>>;
  if (!Object.hasOwn(result, field))
    throw refuse(`$${number}.${field}: field '${field}' not found in result ${number}`);
  return result[field];
}

/** @throws ForModel where an action could not be taken back */
function refuseFinal(actions: readonly { readonly tool: string }[], tools: readonly FlowTool[]): void {
  const index = actions.findIndex(({ tool }) => tools.find(({ name }) => name === tool)?.undoable === false);
  if (index !== -1)
    throw refuse(`Action ${index}: ${actions[index]?.tool} cannot be undone, so it is not part of an atomic batch.`);
}

/** Takes back what a batch did. Edits of others at the same places stay. Returns a sentence about it. */
async function undo({ options, caller, id: turnId, made, edited }: FlowDesk): Promise<string> {
  const db = await options.storage();
  const { userId } = caller;
  const left: string[] = [];
  for (const flowId of made)
    await deleteForGood(db, userId, flowId).then(
      (notice) => sendFlowChange(options.events, notice),
      () => left.push(flowId),
    );
  for (const flowId of edited) {
    if (made.has(flowId)) continue;
    try {
      const { version: base } = await requireFlow(db, userId, flowId);
      const { notice } = await revertOwnEdit(db, { userId, flowId, base, kind: 'undo', turnId });
      sendFlowChange(options.events, notice);
    } catch {
      left.push(flowId);
    }
  }
  if (left.length === 0) return 'All actions were undone.';
  return `These flows could not be changed back, because they were changed again: ${left.join(', ')}.`;
}
