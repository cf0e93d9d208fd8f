import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { memoryDir } from '@croft/workspace/testing';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { fileDir } from '../../../tests/support/temp-dir.ts';
import { openTestDatabase } from '../../../tests/store/test-database.ts';
import { loadConfig } from './config/load-config.ts';
import type { Settings } from './config/settings.ts';
import { createLog } from './log.ts';
import { startWorker } from './start-worker.ts';
import { documentOf, startTestServer } from './testing.ts';

const PROGRAM = fileURLToPath(new URL('../../../tests/store/worker-process.mjs', import.meta.url));
const secretKey = 'the secret key of a server and its worker';

let own: Awaited<ReturnType<typeof openTestDatabase>>;
const baseDir = fileDir(memoryDir());
let databaseUrl: string;

const urlOf = (name: string) =>
  `postgresql://croft@localhost/${name}?host=${encodeURIComponent(String(own.database.connection().host))}`;

beforeAll(async () => {
  own = await openTestDatabase();
  for (const name of ['servers', 'other']) await own.database.pool.query(`CREATE DATABASE ${name}`);
  databaseUrl = urlOf('servers');
});
afterAll(() => own?.close());

const SPEC = (host: string) => `name: Save
nodes:
  R: APIRequest
  T: TypeConverterComponent
edges:
  R.data -> T.input_data
config:
  R.url_input: http://${host}/held
`;

const SHOUT = `export class Shout extends Component {
  inputs = [{ name: 'text', kind: 'text', required: true }];
  outputs = [{ name: 'loud', types: ['Message'], method: 'build' }];
  build() { return this.text.toUpperCase(); }
}`;

/** The sentence with which a worker refuses to start. */
async function refusalOf(settings: Partial<Settings>): Promise<string> {
  const { values } = await loadConfig({ baseDir }, { env: {} });
  try {
    const worker = startWorker({ settings: { ...values, secretKey, ...settings }, log: createLog('silent') });
    try {
      await worker.ready;
    } finally {
      await worker.close();
    }
    return 'it started';
  } catch (error) {
    return (error as Error).message;
  }
}

it('a worker takes the runs of a server, and refuses settings that are not those of the server', async () => {
  let holds = true;
  let requests = 0;
  const service = createServer((_, response) => {
    requests++;
    if (!holds) response.end('{"said":"hello"}');
  });
  service.listen(0, '127.0.0.1');
  await once(service, 'listening');
  const host = `127.0.0.1:${(service.address() as AddressInfo).port}`;
  const settings = { baseDir, databaseUrl, secretKey, flowHosts: [host] };
  expect(await refusalOf({ databaseUrl })).toContain('is not the base directory of a server');

  const server = await startTestServer(settings);
  let run: string;
  try {
    await server.running.ready;
    const admin = await server.signInAdmin();
    const built = documentOf(SPEC(host), (type) => type);
    // A component of the user: the worker gets its code with the flow.
    await admin.json('/api/v1/components/Shout', { method: 'PUT', json: { code: SHOUT } });
    const shout = { id: 'S', type: 'Shout', position: { x: 0, y: 0 }, values: {} };
    const edge = { from: { node: 'TypeConverterComponent', port: 'message_output' }, to: { node: 'S', port: 'text' } };
    const document = { ...built, nodes: [...built.nodes, shout], edges: [...built.edges, edge] };
    const made = await admin.json<any>('/api/v1/flows', { method: 'POST', json: { document } });
    const queued = await admin.json<any>(`/api/v1/flows/${made.body.flow.id}/runs`, { method: 'POST', json: {} });
    expect(queued.status).toBe(202);
    run = queued.body.id;
    await expect.poll(() => requests).toBe(1);
  } finally {
    await server.stop();
  }

  expect(await refusalOf({})).toContain('needs DATABASE_URL');
  expect(await refusalOf({ databaseUrl: urlOf('other') })).toContain('No server with this base directory');
  expect(await refusalOf({ databaseUrl, secretKey: 'another key' })).toContain(
    'The secret key is not that of the server',
  );

  holds = false;
  const worker = spawn(process.execPath, [PROGRAM, JSON.stringify({ ...settings, autoLogin: false })], {
    stdio: ['pipe', 'pipe', 'inherit'],
    cwd: fileURLToPath(new URL('.', import.meta.url)),
  });
  const ended = once(worker, 'close');
  try {
    const [said] = (await once(worker.stdout, 'data')) as [Buffer];
    expect(said.toString()).toBe('ready\n');
    await expect.poll(() => statusOf(run)).toBe('completed');
  } finally {
    worker.stdin.end();
    await ended;
    service.closeAllConnections();
    service.close();
  }
});

/** The status of a run, read without a server. */
async function statusOf(run: string): Promise<unknown> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    return (await client.query('SELECT status FROM croft_runs.run WHERE id = $1', [run])).rows[0]?.status;
  } finally {
    await client.end();
  }
}
