import type { History, Services } from '@croft/components';
import type { ComponentRegistry, FlowDocument } from '@croft/flow';
import { actorOf } from '../files/on-record.ts';
import type { Caller } from '../identity.ts';
import { getFlow } from '../flows/get-flow.ts';
import { notFound } from '../problem.ts';
import type { Db } from '../store/database.ts';
import type { LiveRun, LiveRuns } from './live-runs.ts';
import { inputsOf, requireRunnable, type RunValues } from './run-request.ts';

/** Reads a flow that this user may run; `undefined` for others, as for flows that do not exist. */
export type ReadFlow = (userId: string, flowId: string) => Promise<FlowDocument | undefined>;

/** Reads flows from the database. */
export const readFlowFrom =
  (storage: () => Promise<Db>): ReadFlow =>
  async (userId, flowId) =>
    (await getFlow(await storage(), userId, flowId))?.document;

/** The parts that check a request to run a flow. */
export interface ReadyOptions {
  readonly readFlow: ReadFlow;
  readonly registry: ComponentRegistry<Services>;
}

export interface StartOptions extends ReadyOptions {
  readonly liveRuns: Pick<LiveRuns, 'start'>;
}

export interface StartRequest {
  readonly flowId: string;
  readonly values: RunValues;
  readonly timeoutMs: number;
  readonly history?: History;
}

/**
 * Reads a stored flow and checks that it runs with these values.
 *
 * @throws Problem `not_found`, `invalid`
 */
export async function readyFlow(
  { readFlow, registry }: ReadyOptions,
  userId: string,
  { flowId, values }: Pick<StartRequest, 'flowId' | 'values'>,
): Promise<{ flow: FlowDocument; inputs: ReturnType<typeof inputsOf> }> {
  const flow = await readFlow(userId, flowId);
  if (flow === undefined) throw notFound('You have no such flow.');
  const inputs = inputsOf(flow, registry, values);
  requireRunnable(flow, registry, inputs);
  return { flow, inputs };
}

/**
 * Starts a run of a stored flow with the variables and files of the caller.
 *
 * @throws Problem `not_found`, `invalid`, `busy`
 */
export async function startStoredFlow(
  options: StartOptions,
  caller: Caller,
  { flowId, values, timeoutMs, history }: StartRequest,
): Promise<{ run: LiveRun; flow: FlowDocument }> {
  const { flow, inputs } = await readyFlow(options, caller.userId, { flowId, values });
  const actor = { ...actorOf(caller), userId: caller.userId };
  const run = options.liveRuns.start({ actor, flowId, flow, inputs, timeoutMs, ...(history && { history }) });
  return { run, flow };
}
