import type { History, Services } from '@croft/components';
import { type ComponentRegistry, type FlowDocument, nextTurn } from '@croft/flow';
import type { FlowComponents } from '../components/flow-components.ts';
import type { StartedBy } from '../contract/run-starts.ts';
import { actorOf, VIA_OF_RUN } from '../files/actor-of.ts';
import type { Caller } from '../identity.ts';
import { isApproved } from '../flows/approve-flow.ts';
import { getFlow, type StoredFlow } from '../flows/get-flow.ts';
import { createBriefTurns } from '../brief-turns.ts';
import { notFound } from '../problem.ts';
import { problem } from '../routes/route.ts';
import type { Db } from '../store/database.ts';
import type { LiveRun, LiveRuns } from './live-runs.ts';
import { partOfFlow, type RunPart } from './part-of-flow.ts';
import { inputsOf, requireRunnable, type RunValues } from './run-request.ts';
import { tweakedFlow, type Tweaks } from './tweaks.ts';

/** Reads a flow that this user may run; `undefined` for others, as for flows that do not exist. */
export type ReadFlow = (
  userId: string,
  flowId: string,
) => Promise<Pick<StoredFlow, 'document' | 'documentBytes' | 'access' | 'version'> | undefined>;

/** Reads flows from the database. */
export const readFlowFrom =
  (storage: () => Promise<Db>): ReadFlow =>
  async (userId, flowId) =>
    getFlow(await storage(), userId, flowId);

/**
 * Reads flows for runs that a user does not start on the flow's page, with the keys and files of this user.
 *
 * @param refusal what to throw where the user has not approved the version. Default: Problem `invalid`
 */
export const approvedFlowFrom =
  (storage: () => Promise<Db>, refusal: () => Error = changedByOther): ReadFlow =>
  async (userId, flowId) => {
    const db = await storage();
    const found = await getFlow(db, userId, flowId);
    if (found === undefined || (await isApproved(db, userId, found))) return found;
    throw refusal();
  };

/** For runs of programs: the user may not look at the flow for years, and another user may change it. */
export const refusedToPrograms = (): Error =>
  problem(
    'invalid',
    'A program with an API key runs only a version of this flow that its user accepted, because another user can change it. Check the flow, and accept this version under Use it.',
  );

const changedByOther = (): Error =>
  problem(
    'invalid',
    'Another user changed the flow after you turned this on. Check the flow, and accept this version under Use it.',
  );

/** Reads flows for the runs of a caller over REST. */
export const readFlowOf = (
  { readFlow, readForPrograms }: { readonly readFlow: ReadFlow; readonly readForPrograms: ReadFlow },
  { via }: Pick<Caller, 'via'>,
): ReadFlow => (via === 'key' ? readForPrograms : readFlow);

/** The parts that check a request to run a flow. */
export interface ReadyOptions {
  readonly readFlow: ReadFlow;
  readonly flowComponents: Pick<FlowComponents, 'forFlow'>;
}

export interface StartOptions extends ReadyOptions {
  readonly liveRuns: Pick<LiveRuns, 'start'>;
}

export interface StartRequest extends RunPart {
  readonly flowId: string;
  readonly startedBy: StartedBy;
  /** The name that an MCP client gave itself. */
  readonly client?: string | undefined;
  /** Refuses if the flow has another version. */
  readonly version?: number | undefined;
  readonly values: RunValues | ((flow: FlowDocument, registry: ComponentRegistry<Services>) => RunValues);
  /** For exposed fields of the caller's own flow. */
  readonly tweaks?: Tweaks | undefined;
  readonly timeoutMs: number;
  readonly history?: History;
  /** Decides whether the flow may run. @throws what refuses it */
  readonly approve?: ((ready: ReadyFlow) => Promise<void>) | undefined;
}

/** A flow that can run, with the components for it. */
export interface ReadyFlow {
  readonly flow: FlowDocument;
  readonly inputs: ReturnType<typeof inputsOf>;
  readonly registry: ComponentRegistry<Services>;
  /** Of the stored flow with its inputs and tweaks, about. */
  readonly bytes: number;
}

/** Requests that come together are checked one at a time: else a file request beside them waits for the work of all. */
const amongStarts = createBriefTurns();

type ReadyRequest = Pick<StartRequest, 'flowId' | 'version' | 'startAt' | 'until' | 'tweaks' | 'values'>;

/**
 * Reads a stored flow and its code, and checks that it runs with these values.
 *
 * @throws Problem `not_found`, `invalid`, `forbidden`, `changed`
 */
export const readyFlow = (options: ReadyOptions, userId: string, request: ReadyRequest): Promise<ReadyFlow> =>
  amongStarts(() => readyAtOnce(options, userId, request));

async function readyAtOnce(
  { readFlow, flowComponents }: ReadyOptions,
  userId: string,
  { flowId, version, startAt, until, values, tweaks = {} }: ReadyRequest,
): Promise<ReadyFlow> {
  // Other requests have their turns between the steps.
  await nextTurn();
  const found = await readFlow(userId, flowId);
  if (found === undefined) throw notFound('You have no such flow.');
  await nextTurn();
  if (version !== undefined && version !== found.version)
    throw problem('changed', `The flow has version ${found.version} now, and not ${version}.`);
  const document = partOfFlow(found.document, { startAt, until });
  const { registry, findings } = await flowComponents.forFlow(userId, document);
  const flow = tweakedFlow(document, registry, tweaks, found.access === 'owner');
  const given = typeof values === 'function' ? values(flow, registry) : values;
  const inputs = inputsOf(
    flow,
    registry,
    document === found.document ? given : inputsOfPart(given, found.document, flow),
  );
  await requireRunnable(flow, registry, inputs, findings);
  return { flow, inputs, registry, bytes: found.documentBytes + JSON.stringify([inputs, tweaks]).length };
}

/** Without inputs of components that the part of the flow leaves out. */
function inputsOfPart(values: RunValues, whole: FlowDocument, part: FlowDocument): RunValues {
  if (values.inputs === undefined) return values;
  const isLeftOut = (id: string) =>
    whole.nodes.some((node) => node.id === id) && !part.nodes.some((node) => node.id === id);
  return { ...values, inputs: Object.fromEntries(Object.entries(values.inputs).filter(([id]) => !isLeftOut(id))) };
}

/**
 * Starts a run of a stored flow with the variables and files of the caller.
 *
 * @throws Problem `not_found`, `invalid`, `forbidden`, `changed`, `busy`
 */
export async function startStoredFlow(
  options: StartOptions,
  caller: Caller,
  { flowId, startedBy, client, version, startAt, until, values, tweaks, timeoutMs, history, approve }: StartRequest,
): Promise<{ run: LiveRun; flow: FlowDocument }> {
  const ready = await readyFlow(options, caller.userId, { flowId, version, startAt, until, values, tweaks });
  await approve?.(ready);
  const actor = { ...actorOf(caller), via: VIA_OF_RUN[startedBy], client: client ?? null };
  const request = { ...ready, actor, flowId, startedBy, timeoutMs, startAt };
  const run = options.liveRuns.start({ ...request, ...(history && { history }) });
  return { run, flow: ready.flow };
}
