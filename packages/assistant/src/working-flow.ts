import {
  applyEdits,
  contentOf,
  type Edit,
  type FlowContent,
  type FlowDocument,
  type FlowNode,
  type Registry,
  nodeTitle,
} from '@croft/flow';
import { questionEdits } from './draft/approval-questions.ts';
import type { AssistantEvent } from './events.ts';
import { differencesBetween } from './flow-differences.ts';
import { updatesOf } from './flow-updates.ts';
import { type LandMode, landEdit, whyNoAdd } from './land-flow.ts';
import { refuseMarks, refuseNewMarks } from './refuse-secrets.ts';
import type { Canvas } from './turn.ts';

/** The flow of one turn: the canvas, or a built flow that waits for the user. */
export interface WorkingFlow {
  /** The flow that tools read and change now. */
  read(): Promise<FlowDocument>;
  /** Carries edits out and reports them. On the canvas they are stored before the events. @throws SecretRefused */
  apply(edits: readonly Edit[]): Promise<void>;
  /** Makes a built flow the one that tools work on. It waits for the user unless `lands`. @throws SecretRefused */
  build(flow: FlowDocument, lands: boolean, template: string | undefined): Promise<void>;
  /** The canvas as a run would use it: with the built flow that waits, if one does. */
  prospect(): Promise<Prospect>;
  /** Brings the waiting flow onto the canvas as `prospect` has it. False where another client changed the canvas since. */
  land(prospect: Prospect): Promise<boolean>;
  /** Takes back the user's newest change of the canvas. Gives what that did, in words. */
  undo(): Promise<string>;
  /** The canvas when the turn began. */
  readonly start: FlowDocument;
  /** Whether the component was on the canvas when the turn began. */
  existedBefore(node: string): boolean;
  /** Changes of others since the last reading, for the model; undefined without any. */
  takeNews(): string | undefined;
  readonly restorePoint: string | undefined;
  /** A built flow that waits for the user. */
  readonly proposal: { readonly id: string; readonly flow: FlowContent } | undefined;
}

/** The canvas as it is, or would be with a built flow on it. */
export interface Prospect {
  readonly flow: FlowDocument;
  /** The version of the canvas now. */
  readonly version: number;
  /** How the built flow comes onto the canvas; undefined where none waits. */
  readonly landing?: { readonly mode: LandMode; readonly edit: Edit };
}

export interface WorkingFlowOptions {
  readonly canvas: Canvas;
  readonly registry: Registry;
  readonly turnId: string;
  readonly signal: AbortSignal;
  emit(event: AssistantEvent): void;
}

/** Opens the flow of a turn. Reads the canvas once. */
export async function openWorkingFlow(options: WorkingFlowOptions): Promise<WorkingFlow> {
  const { canvas, registry, turnId, signal, emit } = options;
  let state = await canvas.read();
  const start = state.flow;
  const before = new Set(start.nodes.map(({ id }) => id));
  let waiting: FlowDocument | undefined;
  let builtFrom: string | undefined;
  let news: string | undefined;
  let restorePoint: string | undefined;
  let pointVersion: number | undefined;
  let isChanged = false;
  let built = 0;
  const proposalId = () => `${turnId}-${built}`;

  const refresh = async () => {
    const now = await canvas.read();
    if (now.version !== state.version) news = changesBetween(state.flow, now.flow);
    state = now;
    return now.flow;
  };
  /** Again where another client changed the canvas before the first change of this turn. */
  const keepPoint = async () => {
    signal.throwIfAborted();
    if (restorePoint === undefined || (!isChanged && pointVersion !== state.version)) {
      pointVersion = state.version;
      restorePoint = await canvas.checkpoint();
    }
    signal.throwIfAborted();
  };
  const store = async (edits: readonly Edit[]) => {
    await keepPoint();
    const expected = state.version + 1;
    const after = await canvas.edit(state.version, edits);
    isChanged = true;
    if (after.version !== expected) news = 'Another client changed the canvas during this edit. Both changes are kept.';
    state = after;
    return after.version;
  };
  const emitFlow = (flow: FlowDocument, lands: boolean, version?: number) => {
    const noAdd = lands ? undefined : whyNoAdd(state.flow, flow, registry);
    emit({
      event: 'flow_update',
      action: 'set_flow',
      flow: contentOf(flow),
      name: flow.name,
      node_count: flow.nodes.length,
      edge_count: flow.edges.length,
      auto_apply: lands,
      id: proposalId(),
      ...(builtFrom !== undefined && { template: builtFrom }),
      ...(noAdd !== undefined && { no_add: noAdd }),
      ...(version !== undefined && { version }),
    });
  };
  const landingOf = async (flow: FlowDocument) => {
    const canvasFlow = await refresh();
    const canAdd = canvas.builtFlowReplaces !== true && whyNoAdd(canvasFlow, flow, registry) === undefined;
    const mode: LandMode = canAdd ? 'add' : 'replace';
    return { mode, edit: landEdit(canvasFlow, flow, mode), version: state.version };
  };
  /** Whether the canvas still had this version: a flow that replaces the canvas would take back the change of another client. */
  const landNow = async (flow: FlowDocument, edit: Edit, version: number): Promise<boolean> => {
    await keepPoint();
    const after = await canvas.editExactly(version, [edit]);
    if (after === undefined) return false;
    isChanged = true;
    state = after;
    emitFlow(flow, true, after.version);
    return true;
  };
  const applyAll = async (edits: readonly Edit[]) => {
    if (edits.length === 0) return;
    refuseMarks(waiting ?? state.flow, edits, registry);
    if (waiting === undefined) {
      const version = await store(edits);
      for (const update of updatesOf(edits, version)) emit({ event: 'flow_update', ...update });
      return;
    }
    waiting = applyEdits(waiting, edits).flow;
    emitFlow(waiting, false);
  };
  return {
    start,
    read: async () => waiting ?? (await refresh()),
    async apply(edits) {
      await applyAll(edits);
      await applyAll(questionEdits(waiting ?? state.flow));
    },
    async build(flow, lands, template) {
      refuseNewMarks(flow, registry);
      built++;
      builtFrom = template;
      if (!lands) {
        waiting = flow;
        emitFlow(flow, false);
        return;
      }
      for (let tries = 1; ; tries++) {
        const { edit, version } = await landingOf(flow);
        if (await landNow(flow, edit, version)) return;
        if (tries >= MAX_TRIES) throw new KeepsChanging();
      }
    },
    async prospect() {
      if (waiting === undefined) return { flow: await refresh(), version: state.version };
      const { version, ...landing } = await landingOf(waiting);
      return { flow: applyEdits(state.flow, [landing.edit]).flow, version, landing };
    },
    async land({ landing, version }) {
      if (waiting === undefined || landing === undefined) return true;
      const isDone = await landNow(waiting, landing.edit, version);
      if (isDone) waiting = undefined;
      return isDone;
    },
    async undo() {
      signal.throwIfAborted();
      const { flow: before } = await canvas.read();
      state = await canvas.undo();
      waiting = undefined;
      const flow = contentOf(state.flow);
      emit({ event: 'flow_update', action: 'edit', edit: { kind: 'set_flow', flow }, version: state.version });
      const nameOf = (node: FlowNode) => `“${nodeTitle(node, registry)}”`;
      return differencesBetween(before, state.flow, nameOf, UNDO_VERBS);
    },
    existedBefore: (node) => before.has(node),
    takeNews() {
      const text = news;
      news = undefined;
      return text;
    },
    get restorePoint() {
      return restorePoint;
    },
    get proposal() {
      return waiting && { id: proposalId(), flow: contentOf(waiting) };
    },
  };
}

const MAX_TRIES = 10;
const UNDO_VERBS = { added: 'brought back', changed: 'set back values of' };

/** Other clients change the canvas faster than the assistant can follow. */
class KeepsChanging extends Error {
  readonly forModel = true;

  constructor() {
    super('Not put on the canvas: other clients keep changing it. Try again in a moment.');
  }
}

/** The differences between two states of the canvas, in a sentence for the model. */
const changesBetween = (before: FlowDocument, now: FlowDocument): string =>
  `The user or another client changed the canvas: ${differencesBetween(before, now, ({ id }) => id)}. Their changes count; do not undo them.`;
