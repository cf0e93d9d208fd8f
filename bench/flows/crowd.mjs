// 50 runs at once of ten users, while another user lists, writes and reads files one after the other. Prints JSON: percentiles in
// milliseconds, idle and during the runs. node --import tsx --conditions=source crowd.mjs
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { buildFromSpec } from '../../packages/flow/dist/index.js';
import { builtinRegistry } from '../../packages/components/dist/index.js';
import { visitor } from '../../apps/server/src/testing.ts';

const [USERS, EACH, ROUNDS, MS] = [10, 5, 5, 1_500];
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
  const { url, cookies } = JSON.parse(line);
  const [other, ...users] = cookies.map((cookie) => visitor(url, { cookie }));
  process.stdout.write(JSON.stringify(await measure(other, users)));
} finally {
  child.stdin.end();
  await once(child, 'close');
}

async function measure(other, users) {
  const built = buildFromSpec(SPEC, builtinRegistry());
  if ('error' in built) throw new Error(`${built.error}: ${built.details}`);
  const starts = [];
  for (const user of users) {
    const { body } = await user.json('/api/v1/flows', { method: 'POST', json: { document: built.flow } });
    starts.push(() => user.json(`/api/v1/flows/${body.flow.id}/run`, { method: 'POST', json: {} }));
  }
  const warmEnd = performance.now() + 500;
  await files(other, () => warmEnd);
  const found = { idle: [], during: [], runs: 0 };
  for (let round = 0; round < ROUNDS; round += 1) {
    const idleEnd = performance.now() + MS;
    found.idle.push(...(await files(other, () => idleEnd)));
    let isOver = false;
    const end = performance.now() + MS;
    const lanes = starts.flatMap((start) => Array.from({ length: EACH }, () => runUntil(start, end, found)));
    const all = Promise.all(lanes).finally(() => (isOver = true));
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

async function runUntil(start, end, found) {
  while (performance.now() < end) {
    const { status, body } = await start();
    if (status !== 200) throw new Error(`a run: ${status} ${JSON.stringify(body).slice(0, 300)}`);
    found.runs += 1;
  }
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
