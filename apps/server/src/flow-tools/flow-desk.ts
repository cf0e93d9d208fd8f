import type { Services } from '@croft/components';
import type { ComponentRegistry, Edit, FlowDocument } from '@croft/flow';
import type { AuditEvent } from '../audit.ts';
import type { StartTurnOptions } from '../assistant/start-turn.ts';
import type { LiveTurns } from '../assistant/live-turns.ts';
import type { FlowComponents } from '../components/flow-components.ts';
import type { EventStreams } from '../events.ts';
import type { FilesOfCallers } from '../files/caller-files.ts';
import type { AllRuns } from '../flow-runs/all-runs.ts';
import type { LiveRun, LiveRuns } from '../flow-runs/live-runs.ts';
import type { QueuedRuns } from '../flow-runs/queued-runs.ts';
import type { ReadFlow, StartOptions } from '../flow-runs/start-stored-flow.ts';
import { sendFlowChange } from '../flows/announce-flow.ts';
import { keepAutomaticPoint } from '../flows/automatic-point.ts';
import { changeFlow } from '../flows/change-flow.ts';
import { createFlow, type CreatedFlow } from '../flows/create-flow.ts';
import { requireFlow, type StoredFlow } from '../flows/get-flow.ts';
import { exportedFlow } from '../flows/read-flow.ts';
import { editKeyOfTurn, newAgentId } from '../flows/edit-key.ts';
import type { Caller } from '../identity.ts';
import type { Log } from '../log.ts';
import { Problem } from '../problem.ts';
import { problem } from '../routes/route.ts';
import type { Db } from '../store/database.ts';
import type { Variables } from '../variables/variables.ts';

/** The parts of the server that tools over flows use. */
export interface FlowToolOptions extends StartOptions, StartTurnOptions {
  readonly allRuns: AllRuns;
  readonly events: Pick<EventStreams, 'send'>;
  readonly files: Pick<FilesOfCallers, 'open'>;
  readonly flowComponents: FlowComponents;
  readonly liveRuns: Pick<LiveRuns, 'start' | 'find'>;
  readonly liveTurns: Pick<LiveTurns, 'start' | 'find'>;
  readonly log: Log;
  /** Called with each run that the caller starts. */
  readonly onRun?: ((run: LiveRun) => void) | undefined;
  readonly queuedRuns: Pick<QueuedRuns, 'removeSchedulesOf'>;
  readonly readForPrograms: ReadFlow;
  /** Records an action of the caller in the audit log. */
  readonly recordAudit?: (event: Omit<AuditEvent, 'caller'>) => void;
  readonly storage: () => Promise<Db>;
  readonly url: () => string;
  readonly variables: Pick<Variables, 'list'>;
}

const MAX_TRIES = 10;

/** A flow with the components that its nodes are made of. */
export interface OpenFlow {
  readonly id: string;
  readonly version: number;
  readonly access: StoredFlow['access'];
  readonly document: FlowDocument;
  readonly registry: ComponentRegistry<Services>;
}

/** A change of a flow by a tool. */
export interface ToolEdit {
  /** Refuses if the flow has another version. */
  readonly revision?: number | undefined;
  /** Keeps a restore point before the change, with this name. */
  readonly point?: string;
  /** Plans the edits again where another client changes the flow meanwhile: for edits that replace what they do not name. */
  readonly isWhole?: boolean;
}

/** The flows of a caller during one call or one batch, which is one step of undo. */
export interface FlowDesk {
  readonly options: FlowToolOptions;
  readonly caller: Caller;
  /** The name that the MCP client gave itself. */
  readonly client: string | undefined;
  /** Of the call or batch. */
  readonly id: string;
  /** Flows that were made or edited, to take them back. */
  readonly made: Set<string>;
  readonly edited: Set<string>;
  /** Flows of which a restore point is kept. */
  readonly kept: Set<string>;
}

export const openDesk = (options: FlowToolOptions, caller: Caller, client: string | undefined): FlowDesk => ({
  options,
  caller,
  client,
  id: newAgentId(),
  made: new Set(),
  edited: new Set(),
  kept: new Set(),
});

/** Reads a flow of the caller, with all components that it may use. @throws Problem `not_found` */
export async function openFlow({ options, caller }: FlowDesk, id: string): Promise<OpenFlow> {
  const { version, access, document } = await requireFlow(await options.storage(), caller.userId, id);
  const { registry } = await options.flowComponents.forBuilding(caller.userId, document);
  return { id, version, access, document, registry };
}

/** The same flow without its secrets, to show values of it. */
export async function shownFlow({ options, caller }: FlowDesk, flow: OpenFlow): Promise<FlowDocument> {
  return (await exportedFlow(options, caller.userId, flow.document)).flow;
}

/**
 * Changes a flow by the edits that `plan` gives for it.
 *
 * @returns the version after the change; the same one where there was nothing to change
 * @throws Problem, as `editFlow`; what `plan` throws
 */
export async function editOnDesk(
  desk: FlowDesk,
  id: string,
  edit: ToolEdit,
  plan: (flow: OpenFlow) => readonly Edit[] | Promise<readonly Edit[]>,
): Promise<number> {
  const isWhole = edit.isWhole === true && edit.revision === undefined;
  for (let tries = 1; ; tries++)
    try {
      return await editOnce(desk, id, edit, plan);
    } catch (error) {
      const isChanged = error instanceof Problem && error.code === 'changed';
      if (!isWhole || !isChanged || tries >= MAX_TRIES) throw error;
      // The point is of a version without the change of the other client.
      desk.kept.delete(id);
    }
}

async function editOnce(
  desk: FlowDesk,
  id: string,
  { revision, point, isWhole }: ToolEdit,
  plan: (flow: OpenFlow) => readonly Edit[] | Promise<readonly Edit[]>,
): Promise<number> {
  const { options, caller } = desk;
  const { userId } = caller;
  const flow = await openFlow(desk, id);
  if (revision !== undefined && revision !== flow.version)
    throw problem('changed', `The flow has revision ${flow.version} now, and not ${revision}. Read it again.`);
  const edits = await plan(flow);
  if (edits.length === 0) return flow.version;
  if (point !== undefined && !desk.kept.has(id)) {
    await keepAutomaticPoint(options, { userId, flowId: id, author: 'an MCP client', what: point });
    desk.kept.add(id);
  }
  const { version } = await changeFlow(options, {
    userId,
    flowId: id,
    base: flow.version,
    edits,
    key: editKeyOfTurn(desk.id),
    isExact: revision !== undefined || isWhole === true,
  });
  desk.edited.add(id);
  return version;
}

/** Stores a new flow of the caller. @throws Problem, as `createFlow` */
export async function createOnDesk(desk: FlowDesk, document: FlowDocument): Promise<StoredFlow> {
  const { options, caller } = desk;
  const filled = await options.flowComponents.fillFlow(caller.userId, document);
  return made(desk, createFlow(await options.storage(), caller.userId, filled));
}

/** Tells open pages of a new flow, and notes it. */
export async function made({ options, made: own }: FlowDesk, creating: Promise<CreatedFlow>): Promise<StoredFlow> {
  const { flow, notice } = await creating;
  sendFlowChange(options.events, notice);
  own.add(flow.id);
  return flow;
}
