// Plans and runs a graph of no-op nodes with events, timing, cancellation and bounded inputs and outputs on.
// node --expose-gc croft.mjs SHAPE COUNT
import { createRegistry, emptyFlow, runFlow } from '../../packages/flow/dist/index.js';
import { edgesOf, measureOnce } from './flow-of.mjs';

const [shape, count] = [process.argv[2], Number(process.argv[3])];
const field = { name: 'in', label: 'in', kind: 'handle', accepts: ['Any'], list: true };
const noop = {
  descriptor: {
    type: 'Noop',
    label: 'Noop',
    description: 'Does nothing.',
    category: 'bench',
    fields: [field],
    outputs: [{ name: 'out', label: 'out', types: ['Any'] }],
    effects: ['none'],
  },
  run: () => ({ out: 1 }),
};
const flow = {
  ...emptyFlow('bench'),
  nodes: Array.from({ length: count }, (_, i) => ({ id: `n${i}`, type: 'Noop', position: { x: 0, y: 0 }, values: {} })),
  edges: edgesOf(shape, count).map(([from, to]) => ({
    from: { node: `n${from}`, port: 'out' },
    to: { node: `n${to}`, port: 'in' },
  })),
};
const options = { registry: createRegistry([noop]), services: undefined, signal: new AbortController().signal };
await measureOnce(async () => {
  let finished = 0;
  for await (const events of runFlow(flow, options))
    for (const event of events) if (event.kind === 'node_finished') finished += 1;
  return finished;
});
