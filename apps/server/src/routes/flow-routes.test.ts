import type { Edit } from '@croft/flow';
import { describe, expect, it } from 'vitest';
import type { TestServer, Visitor } from '../testing.ts';
import { useTestServer } from '../use-test-server.ts';

interface Flow {
  readonly id: string;
  readonly name: string;
  readonly version: number;
  readonly access: string;
  readonly document: { readonly name: string; readonly nodes: readonly { id: string; values: object }[] };
}

let server: TestServer;
let admin: Visitor;
let page: Visitor;

useTestServer({}, async (started) => {
  server = started;
  admin = await started.signInAdmin();
  page = await makeUser('ada');
});

async function makeUser(name: string): Promise<Visitor> {
  const json = { name, email: `${name}@example.test`, password: `password of ${name}` };
  expect((await admin.json('/api/v1/users', { method: 'POST', json })).status).toBe(201);
  return server.signIn(json.email, json.password);
}

const send = (path: string, json: unknown, method = 'POST', by = page) =>
  by.json<any>(`/api/v1/flows${path}`, { method, json });
const get = async (id: string, by = page) => (await by.json<{ flow: Flow }>(`/api/v1/flows/${id}`)).body.flow;
const newFlow = async (body: object = {}, by = page): Promise<Flow> => (await send('', body, 'POST', by)).body.flow;
const node = (id: string, values: Record<string, string> = {}) => ({
  id,
  type: 'TextInput',
  position: { x: 0, y: 0 },
  values,
});
const add = (id: string): Edit => ({ kind: 'add_component', node: node(id) });
const set = (id: string, values: Record<string, string>): Edit => ({ kind: 'configure', id, values });
const restore = (flow: { id: string }) =>
  page.json<any>(`/api/v1/deleted-flows/${flow.id}/restore`, { method: 'POST', json: {} });
const edit = (flow: { id: string }, base: number, ...edits: Edit[]) => send(`/${flow.id}/edits`, { base, edits });

describe('a flow', () => {
  it('is created, read, edited, replaced, duplicated and deleted', async () => {
    const made = await send('', { name: 'First', description: 'Says hello' });
    expect(made).toMatchObject({ status: 201, body: { flow: { name: 'First', version: 1, access: 'owner' } } });
    const { flow } = made.body;
    const edited = await edit(flow, 1, add('a'), set('a', { input_value: 'hello' }));
    expect(edited).toMatchObject({ status: 200, body: { version: 2, between: [] } });
    const read = await get(flow.id);
    expect(read.document.nodes).toEqual([node('a', { input_value: 'hello' })]);
    const document = { ...read.document, name: 'Second', nodes: [] };
    expect((await send(`/${flow.id}`, { base: 1, document }, 'PUT')).body.error.code).toBe('changed');
    expect(await send(`/${flow.id}`, { base: 2, document }, 'PUT')).toMatchObject({
      status: 200,
      body: { version: 3 },
    });
    const copy = await send(`/${flow.id}/duplicate`, {});
    expect(copy).toMatchObject({ status: 201, body: { flow: { name: 'Second (copy)', version: 1 } } });
    expect(await send(`/${flow.id}`, {}, 'DELETE')).toMatchObject({ status: 200, body: { id: flow.id } });
    expect((await page.json(`/api/v1/flows/${flow.id}`)).status).toBe(404);
    expect((await get(copy.body.flow.id)).document.name).toBe('Second (copy)');
  });

  it('comes back with its content when its owner restores it', async () => {
    const flow = await newFlow({ name: 'Kept' });
    await edit(flow, 1, add('a'));
    await send(`/${flow.id}`, {}, 'DELETE');
    expect(await restore(flow)).toMatchObject({ status: 200, body: { id: flow.id } });
    expect(await get(flow.id)).toMatchObject({ name: 'Kept', version: 2, document: { nodes: [{ id: 'a' }] } });
    expect(await restore(flow)).toMatchObject({ status: 404, body: { error: { code: 'not_found' } } });
  });

  it('orders the edits of several clients, and gives each the edits that came between', async () => {
    const flow = await newFlow();
    await edit(flow, 1, add('a'), add('b'));
    await edit(flow, 2, set('a', { x: '1' }));
    const late = await edit(flow, 2, set('b', { x: '2' }));
    expect(late.body).toMatchObject({
      version: 4,
      between: [{ version: 3, kind: 'edit', edits: [set('a', { x: '1' })] }],
    });
    expect((await get(flow.id)).document.nodes.map(({ values }) => values)).toEqual([{ x: '1' }, { x: '2' }]);
    const listed = await page.json<any>(`/api/v1/flows/${flow.id}/edits?after=2`);
    expect(listed.body).toMatchObject({ version: 4, entries: [{ version: 3 }, { version: 4 }] });
    expect((await edit(flow, 9, add('c'))).body.error.code).toBe('invalid');
  });

  it('refuses, with `overwrite: false`, to change a part that another client changed after the base', async () => {
    const flow = await newFlow();
    await edit(flow, 1, add('a'), add('b'));
    await edit(flow, 2, set('a', { x: '1' }));
    const careful = (...edits: Edit[]) => send(`/${flow.id}/edits`, { base: 2, edits, overwrite: false });
    expect(await careful(set('a', { x: '2' }))).toMatchObject({ status: 409, body: { error: { code: 'changed' } } });
    expect(await careful(set('a', { y: '2' }), set('b', { x: '2' }))).toMatchObject({
      status: 200,
      body: { version: 4, between: [{ version: 3 }] },
    });
    expect((await get(flow.id)).document.nodes.map(({ values }) => values)).toEqual([{ x: '1', y: '2' }, { x: '2' }]);
  });

  it('keeps every edit of clients that send at the same time', async () => {
    const flow = await newFlow();
    const answers = await Promise.all(Array.from({ length: 12 }, (_, index) => edit(flow, 1, add(`n${index}`))));
    expect(answers.map(({ body }) => body.version).sort((a, b) => a - b)).toEqual(answers.map((_, index) => index + 2));
    expect((await get(flow.id)).document.nodes).toHaveLength(12);
  });

  it('is unchanged when one of several edits fails, and says whether another client caused it', async () => {
    const flow = await newFlow();
    const failed = await edit(flow, 1, add('a'), set('missing', { x: '1' }));
    expect(failed).toMatchObject({ status: 400, body: { error: { code: 'invalid' } } });
    expect(failed.body.error.message).toContain('missing');
    expect(await get(flow.id)).toMatchObject({ version: 1, document: { nodes: [] } });
    await edit(flow, 1, add('a'));
    await edit(flow, 2, { kind: 'remove_component', id: 'a' });
    expect(await edit(flow, 2, set('a', { x: '1' }))).toMatchObject({
      status: 409,
      body: { error: { code: 'changed' } },
    });
  });

  it('applies a repeated request once', async () => {
    const flow = await newFlow();
    const request = { base: 1, edits: [add('a')], key: 'k1' };
    const [first, second] = [await send(`/${flow.id}/edits`, request), await send(`/${flow.id}/edits`, request)];
    expect(second.body).toMatchObject({ version: first.body.version, between: [] });
    expect(await get(flow.id)).toMatchObject({ version: 2, document: { nodes: [{ id: 'a' }] } });
  });

  it('takes its edits back and applies them again, one by one', async () => {
    const flow = await newFlow();
    await edit(flow, 1, add('a'));
    await edit(flow, 2, set('a', { x: '1' }));
    await edit(flow, 3, set('a', { x: '2' }));
    const revert = async (kind: string, base: number) => {
      const { status } = await send(`/${flow.id}/${kind}`, { base });
      return [status, (await get(flow.id)).document.nodes.map(({ values }) => values)];
    };
    expect(await revert('undo', 4)).toEqual([200, [{ x: '1' }]]);
    expect(await revert('undo', 5)).toEqual([200, [{}]]);
    expect(await revert('redo', 6)).toEqual([200, [{ x: '1' }]]);
    expect(await revert('undo', 7)).toEqual([200, [{}]]);
    expect(await revert('undo', 8)).toEqual([200, []]);
    expect(await revert('undo', 9)).toEqual([409, []]);
    for (const base of [9, 10, 11]) await revert('redo', base);
    expect((await get(flow.id)).document.nodes).toEqual([node('a', { x: '2' })]);
    await edit(flow, 12, set('a', { y: '1' }));
    expect(await revert('undo', 13)).toEqual([200, [{ x: '2' }]]);
    await edit(flow, 14, set('a', { z: '1' }));
    expect((await send(`/${flow.id}/redo`, { base: 15 })).body.error.code).toBe('not_undoable');
  });
});

describe('the origin of a component', () => {
  const originOf = async (flow: { id: string }, component: string, by = page) =>
    (await by.json<any>(`/api/v1/flows/${flow.id}/components/${component}/origin`)).body;

  it('is the edit that added it, also after undo, redo, a replaced document and a component of another flow', async () => {
    const flow = await newFlow();
    await edit(flow, 1, { kind: 'batch', edits: [add('a'), add('b')] });
    await edit(flow, 2, set('a', { input_value: 'x' }));
    const added = { origin: { by: 'person', author: 'ada', version: 2, addedAt: expect.any(String) } };
    expect(await originOf(flow, 'a')).toEqual(added);
    await edit(flow, 3, { kind: 'remove_component', id: 'a' });
    await send(`/${flow.id}/undo`, { base: 4 });
    expect(await originOf(flow, 'a')).toEqual(added);
    const { document } = await get(flow.id);
    await send(`/${flow.id}`, { base: 5, document: { ...document, nodes: [...document.nodes, node('c')] } }, 'PUT');
    expect((await originOf(flow, 'b')).origin.version).toBe(2);
    expect((await originOf(flow, 'c')).origin.version).toBe(6);
    const copy = (await send(`/${flow.id}/duplicate`, {})).body.flow;
    expect(await originOf(copy, 'a')).toEqual({ origin: null });
  });

  it('is hidden from users without the flow, and no client can use keys of the assistant', async () => {
    const flow = await newFlow();
    expect((await originOf(flow, 'a', admin)).error.code).toBe('not_found');
    const forged = await send(`/${flow.id}/edits`, { base: 1, edits: [add('a')], key: 'turn:x:1' });
    expect(forged).toMatchObject({ status: 400, body: { error: { code: 'invalid' } } });
  });
});

describe('the list of flows', () => {
  it('comes in pages without a gap or a repetition, and is searched by name', async () => {
    const ben = await makeUser('ben');
    for (let index = 0; index < 7; index++) await newFlow({ name: `${index % 2 ? 'Odd' : '100%_even'} ${index}` }, ben);
    const list = async (query: string) => (await ben.json<any>(`/api/v1/flows?${query}`)).body;
    const names: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const body = await list(`limit=3${cursor && `&cursor=${cursor}`}`);
      names.push(...body.flows.map(({ name }: Flow) => name.slice(-1)));
      cursor = body.nextCursor;
    }
    expect(names.join('')).toBe('6543210');
    expect((await list('search=oDD')).flows).toHaveLength(3);
    expect((await list('search=%25_e')).flows).toHaveLength(4);
    expect((await list('search=%25d')).flows).toHaveLength(0);
    for (const wrong of ['nonsense', Buffer.from('999999999999999 a').toString('base64url')])
      expect((await ben.json<any>(`/api/v1/flows?cursor=${wrong}`)).body.error?.code).toBe('invalid');
  });
});

describe('a request that cannot be served', () => {
  it.each([
    ['a name of spaces', { name: '   ' }],
    ['a name of 201 characters', { name: 'x'.repeat(201) }],
    ['a document of a newer version', { document: { version: 99 } }],
    ['a document that is a list of nothing', { document: { version: 1, nodes: 5 } }],
    ['a name with NUL', { name: 'a\u0000b' }],
  ])('%s is refused, and nothing is stored', async (_, json) => {
    const before = (await page.json<any>('/api/v1/flows')).body.flows.length;
    const { status, body } = await send('', json);
    expect([400, 409]).toContain(status);
    expect(body.error.message).not.toBe('');
    expect((await page.json<any>('/api/v1/flows')).body.flows).toHaveLength(before);
  });

  it('a document above the limit is refused, however its parts arrive', async () => {
    const flow = await newFlow();
    await edit(flow, 1, add('a'));
    const half = 'x'.repeat(4 * 1024 * 1024 + 1);
    expect((await edit(flow, 2, set('a', { x: half }))).status).toBe(200);
    expect(await edit(flow, 3, set('a', { y: half }))).toMatchObject({
      status: 413,
      body: { error: { code: 'too_large' } },
    });
    expect((await get(flow.id)).version).toBe(3);
  });

  it('edits without a document or nested without end are refused', async () => {
    const { id } = await newFlow();
    const headers = { 'content-type': 'application/json' };
    const nested = (levels: number) => `${'{"kind":"batch","edits":['.repeat(levels)}${']}'.repeat(levels)}`;
    // Deeper ones are refused before they are parsed.
    const refused = [
      ['{"kind":"set_flow","flow":null}', 400],
      [nested(150_000), 413],
    ] as const;
    for (const [edits, status] of refused) {
      const body = `{"base":1,"edits":[${edits}]}`;
      expect((await page.request(`/api/v1/flows/${id}/edits`, { method: 'POST', body, headers })).status).toBe(status);
    }
  });

  it('an edit of an unknown kind is refused with its place', async () => {
    const flow = await newFlow();
    const { status, body } = await edit(flow, 1, { kind: 'explode' } as never);
    expect([status, body.error.message]).toEqual([400, expect.stringContaining('edits.0')]);
  });
});

it('open pages learn of a change', async () => {
  const stop = new AbortController();
  const stream = await page.request('/api/v1/events', { signal: stop.signal });
  let text = '';
  const reading = (async () => {
    const decoder = new TextDecoder();
    for await (const part of stream.body as unknown as AsyncIterable<Uint8Array>) text += decoder.decode(part);
  })().catch(() => {});
  const flow = await newFlow();
  await edit(flow, 1, add('a'));
  await send(`/${flow.id}`, {}, 'DELETE');
  for (const version of [1, 2, null]) await expect.poll(() => text).toContain(JSON.stringify({ id: flow.id, version }));
  text = '';
  await restore(flow);
  await expect.poll(() => text).toContain(JSON.stringify({ id: flow.id, version: 2 }));
  stop.abort();
  await reading;
});
