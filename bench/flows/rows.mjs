// 1,000 rows through a loop with a user component, and the same work on the same rows in one context. Prints JSON:
// milliseconds of CPU, of all threads, and of wall time. node rows.mjs
import { buildFromSpec, runToEnd } from '../../packages/flow/dist/index.js';
import { builtinRegistry, closeSandbox, withStoredComponents } from '../../packages/components/dist/index.js';

const ROUNDS = 5;
const ROWS = Array.from({ length: 1_000 }, (_, at) => ({
  name: `Row ${at}`,
  words: 'some words to count '.repeat(10),
}));
const WORK = `function count(row) {
  const counts = {};
  for (const word of row.words.split(' ')) counts[word] = (counts[word] ?? 0) + 1;
  return { name: row.name.toUpperCase(), ...counts };
}`;
const component = (name, input, body) => ({
  className: name,
  origin: 'saved',
  code: `${WORK}
export class ${name} extends Component {
  inputs = [{ name: 'value', kind: 'handle', accepts: ['${input}'], required: true }];
  outputs = [{ name: 'result', types: ['${input}'], method: 'build' }];
  build() { return ${body}; }
}`,
});

const { registry, leftOut } = await withStoredComponents(builtinRegistry(), [
  component('CountRow', 'Data', 'count(this.value)'),
  component('CountRows', 'Table', 'this.value.map(count)'),
]);
if (leftOut.length > 0) throw new Error(JSON.stringify(leftOut));

const flowOf = (nodes, edges) => {
  const text = JSON.stringify(JSON.stringify(ROWS));
  const spec = `nodes:\n  I: TextInput\n  T: TypeConverterComponent\n${nodes}  O: ChatOutput\nedges:\n  I.text -> T.input_data\n${edges}config:\n  I.input_value: ${text}`;
  const built = buildFromSpec(spec, registry);
  if ('error' in built) throw new Error(`${built.error}: ${built.details}`);
  return built.flow;
};
const looped = flowOf(
  '  L: LoopComponent\n  C: CountRow\n',
  '  T.dataframe_output -> L.data\n  L.item -> C.value\n  C.result -> L.item\n  L.done -> O.input_value\n',
);
const whole = flowOf('  C: CountRows\n', '  T.dataframe_output -> C.value\n  C.result -> O.input_value\n');

async function timed(flow) {
  const cpu = process.cpuUsage();
  const start = performance.now();
  const { status, failure, text } = await runToEnd(flow, { registry, services: { now: () => new Date() } });
  if (status !== 'completed') throw new Error(JSON.stringify(failure));
  const { user, system } = process.cpuUsage(cpu);
  return { cpu: (user + system) / 1_000, wall: performance.now() - start, text };
}

const median = (list) => [...list].sort((a, b) => a - b)[list.length >> 1];
const found = { loop: [], own: [] };
for (let round = 0; round < ROUNDS; round++) {
  found.loop.push(await timed(looped));
  found.own.push(await timed(whole));
  if (found.loop[round].text !== found.own[round].text) throw new Error('the results differ');
}
await closeSandbox();
const of = (name, which) => median(found[name].map((each) => each[which]));
process.stdout.write(
  JSON.stringify({
    loopCpu: of('loop', 'cpu'),
    ownCpu: of('own', 'cpu'),
    loopWall: of('loop', 'wall'),
    ownWall: of('own', 'wall'),
    firstCpu: found.loop[0].cpu - found.own[0].cpu,
  }),
);
