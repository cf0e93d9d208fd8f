import { expect, it } from 'vitest';
import { makeKey, type TestServer, type Visitor } from '../testing.ts';
import { useTestServer } from '../use-test-server.ts';

let server: TestServer;
let page: Visitor;
let other: Visitor;

useTestServer({}, async (started) => {
  server = started;
  [page, other] = [await started.addUser('ada'), await started.addUser('ben')];
});

const post = (path: string, json: unknown = {}, by = page) => by.json<any>(`/api/v1${path}`, { method: 'POST', json });
const remove = (id: string, by = page) => by.json<any>(`/api/v1/flows/${id}`, { method: 'DELETE' });
const make = async (name: string): Promise<string> => (await post('/flows', { name })).body.flow.id;
const deleted = async (by = page): Promise<string[]> =>
  (await by.json<any>('/api/v1/deleted-flows')).body.flows.map(({ name }: { name: string }) => name);
const names = async (by = page): Promise<string[]> =>
  (await by.json<any>('/api/v1/flows')).body.flows.map(({ name }: { name: string }) => name);

it('keeps a deleted flow from everyone, and gives it back whole', async () => {
  const id = await make('Kept');
  await post(`/flows/${id}/edits`, { base: 1, edits: [{ kind: 'set_details', description: 'second' }] });
  await post(`/flows/${id}/restore-points`, { name: 'Before' });
  const share = { method: 'PUT', json: { user: 'ben@example.test', access: 'read' } };
  expect((await page.json(`/api/v1/flows/${id}/shares`, share)).status).toBe(200);
  const hook = (await post(`/flows/${id}/webhooks`)).body;
  expect((await remove(id)).body).toEqual({ id, isRestorable: true });
  for (const by of [page, other]) {
    expect((await by.json(`/api/v1/flows/${id}`)).status).toBe(404);
    expect(await names(by)).not.toContain('Kept');
  }
  for (const path of [`/flows/${id}/edits?after=1`, `/flows/${id}/restore-points`, `/flows/${id}/check`])
    expect((await page.json(`/api/v1${path}`)).status).toBe(404);
  expect((await post(`/flows/${id}/runs`)).status).toBe(404);
  expect((await remove(id)).status).toBe(404);
  const deliver = () =>
    server.stranger.json(hook.webhook.path, { method: 'POST', json: {}, headers: { 'x-croft-token': hook.secret } });
  expect((await deliver()).status).toBe(404);
  expect((await page.json<any>('/api/v1/webhooks')).body.webhooks).toEqual([]);
  expect(await deleted()).toEqual(['Kept']);
  expect(await deleted(other)).toEqual([]);
  expect((await post(`/deleted-flows/${id}/restore`, {}, other)).status).toBe(404);
  expect((await post(`/deleted-flows/${id}/restore`)).body).toEqual({ id });
  const { flow } = (await page.json<any>(`/api/v1/flows/${id}`)).body;
  expect(flow).toMatchObject({ version: 2, description: 'second' });
  expect((await page.json<any>(`/api/v1/flows/${id}/restore-points`)).body.restorePoints).toHaveLength(1);
  expect((await page.json<any>('/api/v1/webhooks')).body.webhooks).toMatchObject([{ id: hook.webhook.id }]);
  expect(await names(other)).toContain('Kept');
  // The flow has no component for it, but the address works again.
  expect((await deliver()).status).not.toBe(404);
  expect((await post(`/deleted-flows/${id}/restore`)).status).toBe(404);
});

it('is not restored with an API key, because webhooks, links and shares would outlive the key', async () => {
  const agent = server.withKey(await makeKey(page));
  const id = await make('Of a key');
  expect((await remove(id, agent)).status).toBe(200);
  const refused = await post(`/deleted-flows/${id}/restore`, {}, agent);
  expect(refused).toMatchObject({ status: 403, body: { error: { code: 'forbidden' } } });
  expect(await deleted(agent)).toContain('Of a key');
  expect((await post(`/deleted-flows/${id}/restore`)).status).toBe(200);
});
