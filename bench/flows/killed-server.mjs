// Kills a whole server with a half-finished queued run, and starts it again. Prints JSON: the medians of the milliseconds from the
// start to /readyz, and from there until the interrupted node sends its request again. node killed-server.mjs
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { createInterface } from 'node:readline';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import { builtinRegistry } from '../../packages/components/dist/index.js';
import { buildFromSpec } from '../../packages/flow/dist/index.js';

const [ROUNDS, NODES] = [7, 1_000];
const SERVER = fileURLToPath(new URL('./killed-server-program.mjs', import.meta.url));
const LOOK_MS = 10;

let onHeld = () => {};
let isKilled = false;
/** Answers `/held` only after the kill. */
const service = createServer((request, response) => {
  if (request.url === '/held') onHeld();
  if (request.url !== '/held' || isKilled) response.end('{"ok":true}');
});
service.listen(0, '127.0.0.1');
await once(service, 'listening');
const host = `127.0.0.1:${service.address().port}`;
const found = { ready: [], continued: [] };
try {
  for (let round = 0; round < ROUNDS; round += 1) await measure();
} finally {
  service.closeAllConnections();
  service.close();
}
const median = (list) => [...list].sort((a, b) => a - b)[list.length >> 1];
console.log(JSON.stringify({ ready: median(found.ready), continued: median(found.continued) }));

async function measure() {
  const baseDir = mkdtempSync(join(tmpdir(), 'croft-bench-killed-'));
  isKilled = false;
  const first = start(baseDir);
  let second;
  try {
    const held = new Promise((resolve) => (onHeld = resolve));
    const call = callerOf(await first.url, baseDir);
    const { flow } = await call('/api/v1/flows', 'POST', { document: halves() });
    const { id } = await call(`/api/v1/flows/${flow.id}/runs`, 'POST', {});
    await held;
    const nodes = async () => (await call(`/api/v1/runs/${id}`)).run.timeline.length;
    // The first half is stored.
    while ((await nodes()) < NODES / 2) await sleep(LOOK_MS);
    first.child.kill('SIGKILL');
    await first.ended;

    isKilled = true;
    const again = new Promise((resolve) => (onHeld = () => resolve(performance.now())));
    const startedAt = performance.now();
    second = start(baseDir);
    const callAgain = callerOf(await second.url, baseDir);
    const readyAt = performance.now();
    found.ready.push(readyAt - startedAt);
    found.continued.push((await again) - readyAt);
    for (;;) {
      const { run } = await callAgain(`/api/v1/runs/${id}`);
      if (run.status === 'completed') break;
      if (run.endedAt !== null) throw new Error(`the run is ${run.status}: ${JSON.stringify(run.failure)}`);
      await sleep(LOOK_MS);
    }
  } finally {
    for (const each of [first, second]) each?.child.kill('SIGKILL');
    await Promise.all([first.ended, second?.ended]);
    rmSync(baseDir, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** A chain: half of the pure nodes, a request that is held, and the other half. */
function halves() {
  const half = (name) => Array.from({ length: NODES / 2 }, (_, at) => `${name}${at}`);
  const [before, after] = [half('P'), half('Q')];
  const chained = ([first, ...rest]) =>
    rest.map((id, at) => `  ${at === 0 ? first : rest[at - 1]}.prompt -> ${id}.text\n`);
  const spec = `nodes:
  I: TextInput
  D: TypeConverterComponent
  R: APIRequest
  M: TypeConverterComponent
${[...before, ...after].map((id) => `  ${id}: PromptTemplate\n`).join('')}edges:
  I.text -> P0.text
  ${before.at(-1)}.prompt -> D.input_data
  D.data_output -> R.body
  R.data -> M.input_data
  M.message_output -> Q0.text
${[...chained(before), ...chained(after)].join('')}config:
  I.input_value: hello
  R.url_input: http://${host}/held
  R.method: POST
${[...before, ...after].map((id) => `  ${id}.template: "{text}"\n`).join('')}`;
  const built = buildFromSpec(spec, builtinRegistry());
  if ('error' in built) throw new Error(`${built.error}: ${built.details}`);
  return built.flow;
}

function start(baseDir) {
  const child = spawn(process.execPath, [SERVER, baseDir, host], { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = once(child, 'close');
  const url = once(createInterface({ input: child.stdout }), 'line').then(([line]) => line);
  return { child, ended, url };
}

function callerOf(url, baseDir) {
  const token = readFileSync(join(baseDir, 'mcp-token'), 'utf8').trim();
  return async (path, method = 'GET', body) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const answer = await fetch(`${url}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return answer.json();
  };
}
