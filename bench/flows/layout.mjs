// Plans a chain and lays it out on the grid. node --expose-gc layout.mjs chain COUNT
import { createRegistry, emptyFlow, layoutFlow, planRun } from '../../packages/flow/dist/index.js';
import { edgesOf, measureOnce } from './flow-of.mjs';

const count = Number(process.argv[3]);
const descriptor = {
  type: 'Noop',
  label: 'Noop',
  description: 'Does nothing.',
  category: 'bench',
  fields: [{ name: 'in', label: 'in', kind: 'handle', accepts: ['Any'], list: true }],
  outputs: [{ name: 'out', label: 'out', types: ['Any'] }],
  effects: ['none'],
};
const flow = {
  ...emptyFlow('bench'),
  nodes: Array.from({ length: count }, (_, i) => ({ id: `n${i}`, type: 'Noop', position: { x: 0, y: 0 }, values: {} })),
  edges: edgesOf('chain', count).map(([from, to]) => ({
    from: { node: `n${from}`, port: 'out' },
    to: { node: `n${to}`, port: 'in' },
  })),
};
const registry = createRegistry([{ descriptor, run: () => ({ out: 1 }) }]);
await measureOnce(async () => {
  planRun(flow, registry);
  return Object.keys(layoutFlow(flow)).length;
});
