import { expect, it } from 'vitest';
import type { Visitor } from '../testing.ts';
import { useTestServer } from '../use-test-server.ts';

let ada: Visitor;
let ben: Visitor;

useTestServer({}, async (started) => {
  [ada, ben] = [await started.addUser('ada'), await started.addUser('ben')];
});

const make = async (name: string, by = ada): Promise<string> =>
  (await by.json<any>('/api/v1/flows', { method: 'POST', json: { name } })).body.flow.id;
const tag = (id: string, tags: readonly string[], by = ada) =>
  by.json<any>(`/api/v1/flows/${id}/tags`, { method: 'PUT', json: { tags } });
const tagsOf = async (by = ada) => (await by.json<any>('/api/v1/flow-tags')).body.tags;
const named = async (query: string, by = ada): Promise<string[]> =>
  (await by.json<any>(`/api/v1/flows?${query}`)).body.flows.map(({ name }: { name: string }) => name);

it('finds flows by tag, together with a part of the name, and counts the flows of each', async () => {
  const [one, two] = [await make('First order'), await make('Second order')];
  await make('Third');
  expect((await tag(one, ['orders', ' urgent ', 'Orders'])).body).toEqual({ tags: ['orders', 'urgent'] });
  await tag(two, ['orders']);
  expect(await named('tag=orders')).toEqual(['Second order', 'First order']);
  expect(await named('tag=orders&search=first')).toEqual(['First order']);
  expect(await named('tag=order')).toEqual([]);
  expect(await tagsOf()).toEqual([
    { name: 'orders', flows: 2 },
    { name: 'urgent', flows: 1 },
  ]);
  const { flows } = (await ada.json<any>('/api/v1/flows?search=first')).body;
  expect(flows).toMatchObject([{ tags: ['orders', 'urgent'], version: 1 }]);
  await tag(one, []);
  expect(await tagsOf()).toEqual([{ name: 'orders', flows: 1 }]);
  await ada.json(`/api/v1/flows/${two}`, { method: 'DELETE', headers: { 'x-croft': '1' } });
  expect(await tagsOf()).toEqual([]);
});

it('keeps tags from users who cannot read the flow, and refuses those who may only read it', async () => {
  const id = await make('Shared');
  await tag(id, ['team']);
  expect([await tagsOf(ben), (await tag(id, ['x'], ben)).status]).toEqual([[], 404]);
  const share = (access: string) =>
    ada.json(`/api/v1/flows/${id}/shares`, { method: 'PUT', json: { user: 'ben@example.test', access } });
  await share('read');
  expect(await tagsOf(ben)).toEqual([{ name: 'team', flows: 1 }]);
  expect(await named('tag=team', ben)).toEqual(['Shared']);
  expect((await tag(id, ['x'], ben)).body.error).toMatchObject({ code: 'read_only' });
  await share('edit');
  expect((await tag(id, ['x'], ben)).status).toBe(200);
});

it('refuses tags that are empty, too long or too many', async () => {
  const id = await make('Full');
  for (const tags of [[' '], ['x'.repeat(41)], Array.from({ length: 21 }, (_, at) => `t${at}`)])
    expect((await tag(id, tags)).status).toBe(400);
});
