import { emptyFlow, layoutFlow, type FlowDocument } from '@croft/flow';
import { expect, it } from 'vitest';
import { arrangeFlow, type LayoutWorker } from './arrange-flow.ts';
import { dagrePositions, type LayoutRequest } from './dagre-positions.ts';

const flowOf = (edges: readonly string[], count: number): FlowDocument => ({
  ...emptyFlow(),
  nodes: Array.from({ length: count }, (_, n) => ({ id: `n${n}`, type: 'T', position: { x: 0, y: 0 }, values: {} })),
  edges: edges.map((edge) => {
    const [from, to] = edge.split(' ') as [string, string];
    return { from: { node: from, port: 'out' }, to: { node: to, port: 'in' } };
  }),
});

/** Answers as the real worker does, in this thread. */
function workerOf(answer: (request: LayoutRequest) => unknown) {
  const state = { started: 0, ended: 0 };
  const startWorker = (): LayoutWorker => {
    state.started++;
    const worker: LayoutWorker = {
      onmessage: null,
      onerror: null,
      terminate: () => void state.ended++,
      postMessage(request: LayoutRequest) {
        queueMicrotask(() => {
          const data = answer(request);
          if (data === 'fails') worker.onerror?.call(worker as Worker, new Event('error') as ErrorEvent);
          else if (data !== undefined) worker.onmessage?.call(worker as Worker, { data } as MessageEvent);
        });
      },
    };
    return worker;
  };
  return { state, startWorker };
}

const diamond = flowOf(['n0 n1', 'n0 n2', 'n1 n3', 'n2 n3', 'n3 n3'], 5);

it('places each node right of those that lead to it, and no two on the same place', async () => {
  const { state, startWorker } = workerOf(dagrePositions);
  const sizes = new Map([['n1', { width: 500, height: 400 }]]);
  const edit = await arrangeFlow(diamond, { startWorker, sizes });
  expect(edit).toMatchObject({ kind: 'move' });
  const { positions } = edit as { positions: Record<string, { x: number; y: number }> };
  const at = (id: string) => positions[id] as { x: number; y: number };
  expect(at('n1').x).toBeGreaterThanOrEqual(at('n0').x + 320);
  expect(at('n3').x).toBeGreaterThanOrEqual(at('n1').x + 500);
  expect(Math.abs(at('n1').y - at('n2').y)).toBeGreaterThanOrEqual(220);
  expect(new Set(Object.values(positions).map(({ x, y }) => `${x} ${y}`)).size).toBe(5);
  expect(state).toEqual({ started: 1, ended: 1 });
});

it('uses the grid where the worker fails, does not answer, or cannot start', async () => {
  const grid = { kind: 'move', positions: layoutFlow(diamond) };
  for (const answer of ['fails', undefined]) {
    const { state, startWorker } = workerOf(() => answer);
    expect(await arrangeFlow(diamond, { startWorker, limitMs: 5 })).toEqual(grid);
    expect(state).toEqual({ started: 1, ended: 1 });
  }
  const cannotStart = () => {
    throw new Error('blocked');
  };
  expect(await arrangeFlow(diamond, { startWorker: cannotStart })).toEqual(grid);
});

it('uses the grid at once for a flow that is too large for dagre', async () => {
  const { state, startWorker } = workerOf(dagrePositions);
  const large = flowOf([], 5_000);
  expect(await arrangeFlow(large, { startWorker })).toEqual({ kind: 'move', positions: layoutFlow(large) });
  expect(state.started).toBe(0);
});
