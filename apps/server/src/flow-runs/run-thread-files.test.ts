import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestServer, storeFlow, type TestServer, type Visitor } from '../testing.ts';

const QUOTA = 1_000_000;
/** More than half of the quota. */
const LARGE = 600_000;

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ userQuotaBytes: QUOTA }, { forTests: { runsInThread: true } });
  await server.running.ready;
});
afterAll(() => server?.stop());

/** A queued run of a flow, when it has ended. */
async function run(user: Visitor, flow: string) {
  const { body } = await user.json<any>(`/api/v1/flows/${flow}/runs`, { method: 'POST', json: {} });
  const read = async () => (await user.json<any>(`/api/v1/runs/${body.id}`)).body.run;
  await expect.poll(async () => (await read()).endedAt).not.toBeNull();
  return read();
}
const writing = (user: Visitor, path: string, text: string) =>
  storeFlow(
    user,
    `nodes:\n  T: TextInput\n  W: SaveToFile\nedges:\n  T.text -> W.input\nconfig:\n  T.input_value: ${text}\n  W.file_name: ${path}\n`,
  );
const put = (user: Visitor, path: string, bytes: number) =>
  user.json<any>(`/api/v1/files/content?path=${path}`, {
    method: 'PUT',
    body: 'x'.repeat(bytes),
    headers: { 'x-croft': '1' },
  });
const usedBytes = async (user: Visitor) => (await user.json<any>('/api/v1/files/usage')).body.usedBytes;

it('a queued run counts what requests have just written in the quota', async () => {
  const ada = await server.addUser('ada');
  expect((await run(ada, await writing(ada, 'first.txt', 'one'))).status).toBe('completed');
  const large = await writing(ada, 'large.txt', 'y'.repeat(LARGE));
  expect((await put(ada, 'requested.txt', LARGE)).status).toBe(201);
  expect((await run(ada, large)).failure.message).toContain('Quota exceeded');
});

it('a queued run counts what requests have just written beside hundreds of files', async () => {
  const users = join(server.baseDir, 'workspaces/users');
  const before = new Set(readdirSync(users));
  const dan = await server.addUser('dan');
  expect((await put(dan, 'first.txt', 3)).status).toBe(201);
  const [own = ''] = readdirSync(users).filter((name) => !before.has(name));
  mkdirSync(join(users, own, 'many'));
  for (let at = 0; at < 250; at++) writeFileSync(join(users, own, 'many', `${at}`), '');
  // Counts the files.
  expect((await run(dan, await writing(dan, 'second.txt', 'two'))).failure).toBeNull();
  const large = await writing(dan, 'large.txt', 'y'.repeat(LARGE));
  expect((await put(dan, 'requested.txt', LARGE)).status).toBe(201);
  expect((await run(dan, large)).failure?.message).toContain('Quota exceeded');
});

it('a request counts what a queued run has just written, in the quota and on the page', async () => {
  const ben = await server.addUser('ben');
  expect((await put(ben, 'first.txt', 3)).status).toBe(201);
  const large = await writing(ben, 'large.txt', 'y'.repeat(LARGE));
  expect(await usedBytes(ben)).toBe(3);
  expect((await run(ben, large)).status).toBe('completed');
  expect(await usedBytes(ben)).toBe(LARGE + 3);
  expect((await put(ben, 'requested.txt', LARGE)).status).toBe(507);
});

it('a queued run reaches the shared files only while an admin has mounted them', async () => {
  const eve = await server.addUser('eve');
  const admin = await server.signInAdmin();
  const mount = async (mode: string) => {
    const { status } = await admin.json('/api/v1/shared-mount', { method: 'PUT', json: { mode } });
    expect(status).toBe(200);
  };
  const flow = await writing(eve, 'shared/note.txt', 'hello');
  await mount('write');
  expect((await run(eve, flow)).status).toBe('completed');
  expect(await (await admin.request('/api/v1/files/content?path=shared/note.txt')).text()).toBe('hello');
  await mount('read');
  expect((await run(eve, flow)).status).toBe('failed');
  await mount('off');
  // A directory of the user's own.
  expect((await run(eve, flow)).status).toBe('completed');
  expect(await (await eve.request('/api/v1/files/content?path=shared/note.txt')).text()).toBe('hello');
});
