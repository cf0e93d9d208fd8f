import { REPLACES } from '@croft/tools';
import { z } from 'zod';
import { sendFlowChange } from '../flows/announce-flow.ts';
import { deleteForGood } from '../flows/deleted-flows.ts';
import { requireFlow } from '../flows/get-flow.ts';
import { revertOwnEdit } from '../flows/undo-edit.ts';
import type { FlowDesk } from './flow-desk.ts';
import { type FlowTool, flowTool, type FlowToolCall, messageOf, refuse, WithResults } from './flow-tool.ts';

const MAX_ACTIONS = 100;
/** Of all results of a batch, as JSON. References copy results, so these are counted too. */
const MAX_CHARACTERS = 16 * 1024 * 1024;
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
      const copied = createBudget('The values of references');
      const given = createBudget('The results of the batch');
      // A client may repeat a call with the answer, which would make the earlier actions again.
      const calls = { ...call, ...(call.confirm && { confirm: refuseQuestion }) };
      for (const [index, { tool, args }] of actions.entries()) {
        try {
          const result = await act(index, tool, args, { tools, results, copied, call: calls });
          given.take(result);
          results.push(result);
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
  readonly copied: Budget;
  readonly call: FlowToolCall;
}

interface Budget {
  /** @throws ForModel where all values together are too large */
  take(value: unknown): void;
}

function createBudget(what: string): Budget {
  let left = MAX_CHARACTERS;
  const sizes = new WeakMap<object, number>();
  const sizeOf = (value: unknown): number => {
    if (typeof value === 'string') return value.length;
    if (typeof value !== 'object' || value === null) return 0;
    const size = sizes.get(value) ?? JSON.stringify(value).length;
    sizes.set(value, size);
    return size;
  };
  return {
    take(value) {
      left -= sizeOf(value);
      if (left < 0) throw refuse(`${what} have more than ${MAX_CHARACTERS} characters. Make several calls.`);
    },
  };
}

function refuseQuestion(): never {
  throw refuse('This call has to ask the user. Make it outside of a batch.');
}

async function act(
  index: number,
  name: string,
  args: unknown,
  { tools, results, copied, call }: Acting,
): Promise<unknown> {
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
  const parsed = tool.input.safeParse(resolved(args, results, copied));
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
function resolved(value: unknown, results: readonly unknown[], copied: Budget): unknown {
  if (Array.isArray(value)) return value.map((each) => resolved(each, results, copied));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, resolved(each, results, copied)]));
  const [, number, field = ''] = (typeof value === 'string' && REFERENCE.exec(value)) || [];
  if (number === undefined) return value;
  const index = Number(number);
  if (index >= results.length)
    throw refuse(`Reference $${number} is out of range (only ${results.length} results so far)`);
  const result = results[index] as Readonly<Record<string, unknown>>;
  if (!Object.hasOwn(result, field))
    throw refuse(`$${number}.${field}: field '${field}' not found in result ${number}`);
  copied.take(result[field]);
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
