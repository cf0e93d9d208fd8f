import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Worker } from 'node:worker_threads';
import { createParser } from 'eventsource-parser';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ASKS } from '../testing-flows.ts';
import { startTestServer, storeFlow, type TestServer, type Visitor } from '../testing.ts';

let server: TestServer;
let ada: Visitor;
/** Answers at once, except for the first request to each path that ends with `held`. */
let service: Server;
const received: { path: string; key: string | undefined }[] = [];
const held = new Map<string, ServerResponse>();
/** The threads that this one started, the newest last. */
const threads: Worker[] = [];
const addThread = (thread: Worker) => threads.push(thread);

beforeAll(async () => {
  service = createServer((request, response) => {
    const path = request.url ?? '';
    received.push({ path, key: request.headers['idempotency-key']?.toString() });
    if (path.endsWith('held') && !held.has(path)) held.set(path, response);
    else response.end('{"ok":true}');
  });
  service.listen(0, '127.0.0.1');
  await once(service, 'listening');
  server = await startTestServer({ flowHosts: [hostOf(service)] }, { forTests: { runsInThread: true } });
  await server.running.ready;
  ada = await server.addUser('ada');
  process.on('worker', addThread);
});
afterAll(async () => {
  process.off('worker', addThread);
  await server?.stop();
  service?.closeAllConnections();
  service?.close();
});

const hostOf = (of: Server) => `127.0.0.1:${(of.address() as AddressInfo).port}`;

/** Two requests with effects: the second begins with the response to the first. */
const store = (name: string, last: string) =>
  storeFlow(
    ada,
    `nodes:
  A: APIRequest
  B: APIRequest
  T: TypeConverterComponent
  O: ChatOutput
edges:
  A.data -> B.body
  B.data -> T.input_data
  T.message_output -> O.input_value
config:
  A.url_input: http://${hostOf(service)}/${name}/first
  A.method: POST
  B.url_input: http://${hostOf(service)}/${name}/${last}
  B.method: POST
`,
    (_type, id) => id,
  );
const queue = async (flow: string): Promise<string> =>
  (await ada.json<any>(`/api/v1/flows/${flow}/runs`, { method: 'POST', json: {} })).body.id;
const runDirectly = (flow: string) => ada.json<any>(`/api/v1/flows/${flow}/run`, { method: 'POST', json: {} });
const read = async (id: string) => (await ada.json<any>(`/api/v1/runs/${id}`)).body.run;
const requestsOf = (name: string) => received.filter(({ path }) => path.startsWith(`/${name}/`));
const pathsOf = (name: string) => requestsOf(name).map(({ path }) => path.slice(name.length + 2));
const eventually = <Value>(look: () => Value | Promise<Value>) => expect.poll(look);
const endOfThread = () => server.lines.filter((line) => line.includes('the thread of queued runs ended'));

/** All events of a run, when its stream has ended. */
async function follow(id: string): Promise<{ id: string | undefined; event: string | undefined }[]> {
  const events: { id: string | undefined; event: string | undefined }[] = [];
  createParser({ onEvent: ({ id: at, event }) => events.push({ id: at, event }) }).feed(
    await (await ada.request(`/api/v1/runs/${id}/events`)).text(),
  );
  return events;
}

it('runs go on after the thread of queued runs ended in the middle of them', async () => {
  const interrupted = await queue(await store('interrupted', 'held'));
  const cancelled = await queue(await store('cancelled', 'held'));
  const direct = runDirectly(await store('direct', 'held'));
  for (const name of ['interrupted', 'cancelled', 'direct'])
    await eventually(() => pathsOf(name)).toEqual(['first', 'held']);
  const events = follow(interrupted);
  // The result of the first request is stored, and the reader has events.
  await eventually(async () => (await read(interrupted)).timeline.map(({ node }: any) => node)).toContain('B');
  expect(threads).toHaveLength(1);

  await threads[0]?.terminate();
  // The server accepts runs while it has no thread.
  const late = await queue(await store('late', 'second'));
  expect((await ada.json(`/api/v1/runs/${cancelled}/cancel`, { method: 'POST', json: {} })).status).toBe(200);
  expect((await runDirectly(await store('other', 'second'))).status).toBe(200);

  for (const id of [interrupted, late]) await eventually(async () => (await read(id)).status).toBe('completed');
  await eventually(async () => (await read(cancelled)).status).toBe('cancelled');
  // Only the interrupted request is repeated, with the same key.
  expect(pathsOf('interrupted')).toEqual(['first', 'held', 'held']);
  const [, first, second] = requestsOf('interrupted');
  expect([first?.key, second?.key]).toEqual([expect.any(String), first?.key]);
  expect(pathsOf('cancelled')).toEqual(['first', 'held']);
  expect(pathsOf('late')).toEqual(['first', 'second']);
  const followed = await events;
  expect(followed.map(({ id }) => id)).toEqual(followed.map((_, at) => `${interrupted}.${at}`));
  expect(followed.map(({ event }) => event)).toContain('run_resumed');
  expect(followed.at(-1)?.event).toBe('run_finished');

  // A direct run is in the thread of requests.
  held.get('/direct/held')?.end('{"ok":true}');
  expect((await direct).body).toMatchObject({ status: 'completed' });
  expect(pathsOf('direct')).toEqual(['first', 'held']);

  expect(threads).toHaveLength(2);
  expect(endOfThread()).toHaveLength(1);
  const admin = await server.signInAdmin();
  const { runs, workers } = (await admin.json<any>('/api/v1/workers')).body;
  expect(workers).toMatchObject([{ name: 'server' }]);
  expect(runs).toMatchObject({ queued: 0, running: 0, direct: 0 });
});

it('a run that waits for a person goes on with an answer that comes after the end of the thread', async () => {
  const id = await queue(await storeFlow(ada, ASKS));
  await eventually(async () => (await read(id)).status).toBe('waiting');
  const ends = endOfThread().length;
  await threads.at(-1)?.terminate();
  const [question] = (await read(id)).questions;
  const json = { key: question.key, choice: question.options[0] };
  expect((await ada.json(`/api/v1/runs/${id}/answer`, { method: 'POST', json })).status).toBe(200);
  await eventually(async () => (await read(id)).status).toBe('completed');
  expect(endOfThread()).toHaveLength(ends + 1);
});
