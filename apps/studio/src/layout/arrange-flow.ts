import { type Edit, type FlowContent, layoutFlow } from '@croft/flow';
import type { LayoutRequest, Positions } from './dagre-positions.ts';

/** The size of a node that the page has not drawn. */
export const USUAL_SIZE = { width: 320, height: 220 };
/** Dagre takes longer than the limit for more, and overflows the stack for long chains. */
const MAX_NODES = 1_000;
const LIMIT_MS = 1_500;

type Size = Readonly<{ width: number; height: number }>;
/** The part of a `Worker` that is used. */
export type LayoutWorker = Pick<Worker, 'postMessage' | 'terminate' | 'onmessage' | 'onerror'>;

export interface ArrangeOptions {
  /** Sizes of drawn nodes by id. */
  readonly sizes?: ReadonlyMap<string, Size>;
  readonly startWorker?: () => LayoutWorker;
  readonly limitMs?: number;
}

/**
 * The edit that arranges a whole flow: one `move`, so that one undo reverts it. Dagre places the nodes, in a worker that
 * loads on first use. A flow that it does not finish in 1.5 s goes on a grid. Never rejects.
 */
export async function arrangeFlow(
  flow: Pick<FlowContent, 'nodes' | 'edges'>,
  { sizes, startWorker = startLayoutWorker, limitMs = LIMIT_MS }: ArrangeOptions = {},
): Promise<Edit> {
  const request: LayoutRequest = {
    nodes: flow.nodes.map(({ id }) => ({ id, ...(sizes?.get(id) ?? USUAL_SIZE) })),
    edges: flow.edges.map(({ from, to }) => [from.node, to.node] as const),
  };
  const positions = flow.nodes.length > MAX_NODES ? undefined : await positionsFrom(startWorker, request, limitMs);
  return { kind: 'move', positions: positions ?? layoutFlow(flow) };
}

const startLayoutWorker = (): LayoutWorker =>
  new Worker(new URL('./layout-worker.ts', import.meta.url), { type: 'module' });

/** Undefined where the worker fails or takes too long. */
async function positionsFrom(
  startWorker: () => LayoutWorker,
  request: LayoutRequest,
  limitMs: number,
): Promise<Positions | undefined> {
  let worker: LayoutWorker | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  try {
    return await new Promise<Positions | undefined>((resolve) => {
      worker = startWorker();
      timer = setTimeout(() => resolve(undefined), limitMs);
      worker.onmessage = ({ data }: MessageEvent<Positions>) => resolve(data);
      worker.onerror = () => resolve(undefined);
      worker.postMessage(request);
    });
  } catch {
    return undefined;
  } finally {
    clearTimeout(timer);
    worker?.terminate();
  }
}
