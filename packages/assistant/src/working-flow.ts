import { applyEdits, type Edit, type FlowContent, type FlowDocument, type Registry } from '@croft/flow';
import type { AssistantEvent } from './events.ts';
import { updatesOf } from './flow-updates.ts';
import { type LandMode, landEdit, whyNoAdd } from './land-flow.ts';
import type { Canvas } from './turn.ts';

/** The flow of one turn: the canvas, or a built flow that waits for the user. */
export interface WorkingFlow {
  /** The flow that tools read and change now. */
  read(): Promise<FlowDocument>;
  /** Carries edits out and reports them. On the canvas they are stored before the events. */
  apply(edits: readonly Edit[]): Promise<void>;
  /** Makes a built flow the one that tools work on. It waits for the user unless `lands`. */
  build(flow: FlowDocument, lands: boolean): Promise<void>;
  /** Brings a waiting flow onto the canvas, because a run needs it there. Returns how, if one waited. */
  land(): Promise<LandMode | undefined>;
  /** Takes back the user's newest change of the canvas. */
  undo(): Promise<void>;
  /** Whether the component was on the canvas when the turn began. */
  existedBefore(node: string): boolean;
  /** Changes of others since the last reading, for the model; undefined without any. */
  takeNews(): string | undefined;
  readonly restorePoint: string | undefined;
  /** A built flow that waits for the user. */
  readonly proposal: { readonly id: string; readonly flow: FlowContent } | undefined;
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
  const before = new Set(state.flow.nodes.map(({ id }) => id));
  let waiting: FlowDocument | undefined;
  let news: string | undefined;
  let restorePoint: string | undefined;
  let built = 0;
  const proposalId = () => `${turnId}-${built}`;

  const refresh = async () => {
    const now = await canvas.read();
    if (now.version !== state.version) news = changesBetween(state.flow, now.flow);
    state = now;
    return now.flow;
  };
  const store = async (edits: readonly Edit[]) => {
    signal.throwIfAborted();
    restorePoint ??= await canvas.checkpoint();
    signal.throwIfAborted();
    const expected = state.version + 1;
    const after = await canvas.edit(state.version, edits);
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
      ...(noAdd !== undefined && { no_add: noAdd }),
      ...(version !== undefined && { version }),
    });
  };
  const landNow = async (flow: FlowDocument): Promise<LandMode> => {
    const canvasFlow = await refresh();
    const mode = whyNoAdd(canvasFlow, flow, registry) === undefined ? 'add' : 'replace';
    const version = await store([landEdit(canvasFlow, flow, mode)]);
    emitFlow(flow, true, version);
    return mode;
  };
  return {
    read: async () => waiting ?? (await refresh()),
    async apply(edits) {
      if (edits.length === 0) return;
      if (waiting === undefined) {
        const version = await store(edits);
        for (const update of updatesOf(edits, version)) emit({ event: 'flow_update', ...update });
        return;
      }
      waiting = applyEdits(waiting, edits).flow;
      emitFlow(waiting, false);
    },
    async build(flow, lands) {
      built++;
      if (lands) await landNow(flow);
      else {
        waiting = flow;
        emitFlow(flow, false);
      }
    },
    async land() {
      if (waiting === undefined) return undefined;
      const flow = waiting;
      const mode = await landNow(flow);
      waiting = undefined;
      return mode;
    },
    async undo() {
      signal.throwIfAborted();
      state = await canvas.undo();
      waiting = undefined;
      const flow = contentOf(state.flow);
      emit({ event: 'flow_update', action: 'edit', edit: { kind: 'set_flow', flow }, version: state.version });
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

function contentOf({ name, description, nodes, edges, notes, groups, viewport }: FlowDocument): FlowContent {
  return { name, description, nodes, edges, notes, groups, viewport };
}

const MAX_NAMED = 10;

/** The differences between two states of the canvas, in a sentence for the model. */
function changesBetween(before: FlowDocument, now: FlowDocument): string {
  const old = new Map(before.nodes.map((node) => [node.id, JSON.stringify(node.values)]));
  const ids = new Set(now.nodes.map(({ id }) => id));
  const added = now.nodes.filter(({ id }) => !old.has(id)).map(({ id }) => id);
  const removed = before.nodes.filter(({ id }) => !ids.has(id)).map(({ id }) => id);
  const changed = now.nodes.filter(({ id, values }) => old.has(id) && old.get(id) !== JSON.stringify(values));
  const list = (verb: string, names: readonly string[]) =>
    names.length === 0 ? [] : [`${verb} ${names.slice(0, MAX_NAMED).join(', ')}`];
  const parts = [
    ...list('added', added),
    ...list('removed', removed),
    ...list(
      'changed values of',
      changed.map(({ id }) => id),
    ),
  ];
  const what = parts.length === 0 ? 'moved components or changed connections' : parts.join('; ');
  return `The user or another client changed the canvas: ${what}. Their changes count; do not undo them.`;
}
