// 1,000 values of 1 MB through a flow: in a chain, whose nodes make one each, and through a loop, whose body makes one for
// each row. Prints JSON: the MB by which the process grew over its start. node values.mjs chain|loop
import { buildFromSpec, createRegistry, runFlow } from '../../packages/flow/dist/index.js';
import { builtinRegistry } from '../../packages/components/dist/index.js';
import { component } from './component.mjs';

const COUNT = 1_000;
const MB = 1024 * 1024;
let made = 0;
/** A flat text of its own: V8 would keep a repeated one as a small tree. */
const makeValue = () => Buffer.alloc(MB, 97 + (made++ % 26)).toString('latin1');
const registry = createRegistry([
  ...builtinRegistry().entries,
  component('Rows', ['none'], () => ({ out: Array.from({ length: COUNT }, (_, at) => ({ at })) })),
  component('Make', ['none'], () => ({ out: makeValue() })),
  component('Measure', ['none'], ({ inputs }) => ({ out: { size: inputs.in.length } })),
]);

const SPECS = {
  chain: () => {
    const nodes = Array.from({ length: COUNT }, (_, at) => `  N${at}: Make`);
    const edges = nodes.slice(1).map((_, at) => `  N${at}.out -> N${at + 1}.in`);
    return `nodes:\n${nodes.join('\n')}\nedges:\n${edges.join('\n')}`;
  },
  loop: () =>
    'nodes:\n  R: Rows\n  L: LoopComponent\n  M: Make\n  S: Measure\n  O: ChatOutput\nedges:\n  R.out -> L.data\n  L.item -> M.in\n  M.out -> S.in\n  S.out -> L.item\n  L.done -> O.input_value',
};

const built = buildFromSpec(SPECS[process.argv[2]](), registry);
if ('error' in built) throw new Error(`${built.error}: ${built.details}`);
const start = process.memoryUsage.rss();
let most = start;
const watch = setInterval(() => (most = Math.max(most, process.memoryUsage.rss())), 5);
let end;
for await (const events of runFlow(built.flow, { registry, services: { now: () => new Date() } })) {
  most = Math.max(most, process.memoryUsage.rss());
  for (const event of events) if (event.kind === 'run_finished') end = event;
}
clearInterval(watch);
if (made !== COUNT) throw new Error(`${made} values: ${JSON.stringify(end)}`);
process.stdout.write(JSON.stringify({ mb: (most - start) / MB, peak: process.resourceUsage().maxRSS / 1024 }));
