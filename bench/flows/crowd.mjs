// 50 runs at once of ten users, while another user lists, writes and reads files one after the other. Prints JSON: percentiles in
// milliseconds, idle and during the runs. node --import tsx --conditions=source crowd.mjs direct|queued
//
// A direct run is executed in the thread of requests, a queued one in a thread of its own.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { buildFromSpec } from '../../packages/flow/dist/index.js';
import { builtinRegistry } from '../../packages/components/dist/index.js';
import { visitor } from '../../apps/server/src/testing.ts';

const [USERS, EACH, ROUNDS, MS] = [10, 5, 5, 1_500];
/** Between looks at the queue. */
const LOOK_MS = 100;
const kind = process.argv[2] ?? 'direct';
const SERVER = fileURLToPath(new URL('./crowd-server.mjs', import.meta.url));
const rows = Array.from({ length: 200 }, (_, at) => ({ name: `Row ${at}`, value: at }));
/** A loop over 200 rows: a run of 600 nodes. */
const SPEC = `nodes:
  I: TextInput
  T: TypeConverterComponent
  L: LoopComponent
  P: ParserComponent
  O: ChatOutput
edges:
  I.text -> T.input_data
  T.dataframe_output -> L.data
  L.item -> P.input_data
  P.parsed_text -> L.item
  L.done -> O.input_value
config:
  I.input_value: ${JSON.stringify(JSON.stringify(rows))}
  P.pattern: "{name} is {value}"
`;

const child = spawn(process.execPath, ['--import', 'tsx', '--conditions=source', SERVER, String(USERS)], {
  stdio: ['pipe', 'pipe', 'inherit'],
});
try {
  const [line] = await once(createInterface({ input: child.stdout }), 'line');
  const { url, admin, cookies } = JSON.parse(line);
  const [other, ...users] = cookies.map((cookie) => visitor(url, { cookie }));
  process.stdout.write(JSON.stringify(await measure(other, users, visitor(url, { cookie: admin }))));
} finally {
  child.stdin.end();
  await once(child, 'close');
}

async function measure(other, users, admin) {
  const built = buildFromSpec(SPEC, builtinRegistry());
  if ('error' in built) throw new Error(`${built.error}: ${built.details}`);
  const starts = [];
  for (const user of users) {
    const { body } = await user.json('/api/v1/flows', { method: 'POST', json: { document: built.flow } });
    const path = `/api/v1/flows/${body.flow.id}/${kind === 'queued' ? 'runs' : 'run'}`;
    starts.push(() => user.json(path, { method: 'POST', json: {} }));
  }
  const found = { idle: [], during: [], runs: 0 };
  const load = (end) => (kind === 'queued' ? keepQueued(starts, admin, end, found) : keepRunning(starts, end, found));
  await load(0);
  const warmEnd = performance.now() + 500;
  await files(other, () => warmEnd);
  for (let round = 0; round < ROUNDS; round += 1) {
    const idleEnd = performance.now() + MS;
    found.idle.push(...(await files(other, () => idleEnd)));
    let isOver = false;
    const end = performance.now() + MS;
    const all = load(end).finally(() => (isOver = true));
    found.during.push(...(await files(other, () => (isOver ? 0 : Infinity))));
    await all;
  }
  const at = (list, part) => [...list].sort((a, b) => a - b)[Math.floor(list.length * part)];
  const { idle, during, runs } = found;
  return {
    idle50: at(idle, 0.5),
    idle99: at(idle, 0.99),
    during50: at(during, 0.5),
    during99: at(during, 0.99),
    runs,
    requests: during.length,
  };
}

/** Five requests of each user at a time, each of which waits for its run. One each if the time is over. */
async function keepRunning(starts, end, found) {
  const lane = async (start) => {
    do {
      await startOne(start, 200);
      found.runs += 1;
    } while (performance.now() < end);
  };
  await Promise.all(starts.flatMap((start) => Array.from({ length: EACH }, () => lane(start))));
}

/** Fills the queue up to 50 runs until the time is over, and waits until all have ended. */
async function keepQueued(starts, admin, end, found) {
  const open = async () => {
    const { body } = await admin.json('/api/v1/workers');
    return body.runs.queued + body.runs.running;
  };
  do {
    const missing = USERS * EACH - (await open());
    for (let at = 0; at < missing; at += 1) {
      await startOne(starts[at % USERS], 202);
      found.runs += 1;
    }
    await sleep(LOOK_MS);
  } while (performance.now() < end);
  while ((await open()) > 0) await sleep(LOOK_MS);
}

async function startOne(start, expected) {
  const { status, body } = await start();
  if (status !== expected) throw new Error(`a run: ${status} ${JSON.stringify(body).slice(0, 300)}`);
}

/** Requests in a row until the time; the milliseconds of each. */
async function files(user, endOf) {
  const took = [];
  for (let at = 0; performance.now() < endOf(); at += 1) {
    const start = performance.now();
    const path = `/api/v1/files/content?path=${at % 10}.txt&overwrite=true`;
    const answer = await [
      () => user.request(path, { method: 'PUT', body: 'x'.repeat(2_000), headers: { 'x-croft': '1' } }),
      () => user.request('/api/v1/files'),
      () => user.request(`/api/v1/files/content?path=0.txt`),
    ][at % 3]();
    await answer.arrayBuffer();
    if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
    took.push(performance.now() - start);
  }
  return took;
}
