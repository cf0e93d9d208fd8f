// Turns of the assistant that build a flow, with a model that answers at once: the time is the assistant's own, without the
// server and its database. node --expose-gc turn.mjs
import { setTimeout } from 'node:timers/promises';
import { eventsOf, makeTurn, memoryCanvas, WORD_COUNT_SPEC } from '../../packages/assistant/dist/testing.js';
import { runTurn } from '../../packages/assistant/dist/index.js';
import { builtinRegistry, closeSandbox } from '../../packages/components/dist/index.js';

const registry = builtinRegistry();
const model = { provider: 'Scripted', name: 'script' };
const usage = { inputTokens: 10, outputTokens: 5, totalTokens: 15 };

/** Understands the message, builds a flow with one call, and says so. */
function scripted() {
  let requests = 0;
  return {
    providers: [],
    preferred: model,
    secrets: [],
    async *stream({ tools }) {
      requests += 1;
      if (requests === 2) {
        const build = tools.find(({ name }) => name === 'build_flow');
        await build.run({ spec: WORD_COUNT_SPEC }, new AbortController().signal);
      }
      const text = requests === 1 ? '{"intent": "build_flow", "scope": "new"}' : 'Built.';
      yield { kind: 'text', text };
      return { text, model, usage, finish: 'stop' };
    },
  };
}

const makeOne = (canvas) =>
  makeTurn(registry, { canvas, models: scripted(), message: 'Build a word counter', skipAll: true });

/** Wall milliseconds of a turn, and until its id. */
async function timeOne() {
  const canvas = memoryCanvas();
  const start = performance.now();
  let first;
  for await (const event of runTurn(makeOne(canvas))) if (event.event === 'turn') first = performance.now() - start;
  requireBuilt(canvas);
  return { ms: performance.now() - start, first };
}

function requireBuilt({ flow }) {
  if (flow.nodes.length !== 4) throw new Error(`a turn left ${flow.nodes.length} components on the canvas`);
}

/** The heap after more turns. */
async function heapAfter(count) {
  for (let i = 0; i < count; i += 1) await timeOne();
  // Signals are released after a turn of the event loop.
  for (let i = 0; i < 3; i += 1) {
    await setTimeout(50);
    globalThis.gc();
  }
  return process.memoryUsage().heapUsed;
}

const median = (list) => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)];
const times = [];
for (let i = 0; i < 99; i += 1) times.push(await timeOne());
const after100 = await heapAfter(1);
const after1000 = await heapAfter(900);
const canvases = Array.from({ length: 100 }, () => memoryCanvas());
const start = performance.now();
await Promise.all(canvases.map((canvas) => eventsOf(makeOne(canvas))));
const together = performance.now() - start;
canvases.forEach(requireBuilt);
await closeSandbox();
const [own, id] = ['ms', 'first'].map((name) => median(times.map((time) => time[name])));
process.stdout.write(JSON.stringify({ own, id, together, heap: after1000 / after100 }));
