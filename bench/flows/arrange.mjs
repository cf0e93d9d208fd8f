// Arranges flows as the canvas does, with dagre in a worker. Prints JSON: milliseconds of wall time until the positions.
import { buildSync } from 'esbuild';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';

const STUDIO = fileURLToPath(new URL('../../apps/studio/src/layout/', import.meta.url));
const ROUNDS = 3;
/** A thread with the one global of a browser's worker that the layout uses. */
const BANNER = `import { parentPort } from 'node:worker_threads';
globalThis.self = {
  addEventListener: (_, use) => parentPort.on('message', (data) => use({ data })),
  postMessage: (data) => parentPort.postMessage(data),
};`;

const dir = mkdtempSync(join(tmpdir(), 'croft-bench-arrange-'));
try {
  const build = (name, more = {}) => {
    const outfile = join(dir, `${name}.mjs`);
    const common = { bundle: true, format: 'esm', platform: 'node', conditions: ['source'], logLevel: 'error' };
    buildSync({ ...common, entryPoints: [join(STUDIO, `${name}.ts`)], outfile, ...more });
    return outfile;
  };
  const worker = build('layout-worker', { banner: { js: BANNER } });
  const { arrangeFlow } = await import(pathToFileURL(build('arrange-flow')).href);
  process.stdout.write(
    JSON.stringify({
      chain: await medianOf(() => arrange(arrangeFlow, worker, chain(1_000))),
      wide: await medianOf(() => arrange(arrangeFlow, worker, wide(1_000))),
      largest: await medianOf(() => arrange(arrangeFlow, worker, wide(5_000))),
    }),
  );
} finally {
  rmSync(dir, { recursive: true, force: true });
}

async function arrange(arrangeFlow, file, flow) {
  const own = { byDagre: false };
  const start = performance.now();
  const edit = await arrangeFlow(flow, { startWorker: () => workerOf(file, own) });
  const ms = performance.now() - start;
  const count = Object.keys(edit.positions).length;
  if (count !== flow.nodes.length) throw new Error(`${count} positions for ${flow.nodes.length} components`);
  return { ms, byDagre: own.byDagre };
}

/** A thread with the interface of a browser's worker. */
function workerOf(file, own) {
  const thread = new Worker(file);
  const worker = { onmessage: null, onerror: null, terminate: () => void thread.terminate() };
  thread.on('message', (data) => {
    own.byDagre = true;
    worker.onmessage?.({ data });
  });
  thread.on('error', (error) => worker.onerror?.(error));
  return {
    ...worker,
    postMessage: (request) => thread.postMessage(request),
    set onmessage(use) {
      worker.onmessage = use;
    },
    set onerror(use) {
      worker.onerror = use;
    },
  };
}

async function medianOf(once) {
  const found = [];
  for (let round = 0; round < ROUNDS; round += 1) found.push(await once());
  return found.sort((a, b) => a.ms - b.ms)[ROUNDS >> 1];
}

function flowOf(count, edges) {
  const nodes = Array.from({ length: count }, (_, at) => ({
    id: `n${at}`,
    type: 'T',
    position: { x: 0, y: 0 },
    values: {},
  }));
  const between = edges.map(([from, to]) => ({
    from: { node: `n${from}`, port: 'out' },
    to: { node: `n${to}`, port: 'in' },
  }));
  return { nodes, edges: between };
}

function chain(count) {
  return flowOf(
    count,
    Array.from({ length: count - 1 }, (_, at) => [at, at + 1]),
  );
}

/** Ten rows, and every third component also has an edge from another row. */
function wide(count) {
  const edges = [];
  for (let at = 10; at < count; at += 1) {
    edges.push([at - 10, at]);
    if (at % 3 === 0) edges.push([at - 10 - (at % 10) + ((at * 7) % 10), at]);
  }
  return flowOf(
    count,
    edges.filter(([from, to], at, all) => from >= 0 && all.findIndex(([f, t]) => f === from && t === to) === at),
  );
}
