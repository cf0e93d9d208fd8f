import type { Edit } from '@croft/flow';
import { beforeEach, describe, expect, it } from 'vitest';
import type { TestServer, Visitor } from '../testing.ts';
import { useTestServer } from '../use-test-server.ts';

let server: TestServer;
let admin: Visitor;
let ada: Visitor;
let ben: Visitor;
let benId: string;
/** A flow of Ada's with the nodes `a` and `b`, at version 2. */
let id: string;

useTestServer({}, async (started) => {
  server = started;
  admin = await started.signInAdmin();
  [{ page: ada }, { page: ben, id: benId }] = [await makeUser('ada'), await makeUser('ben')];
});

beforeEach(async () => {
  const made = await ask(ada, 'POST', '', { name: 'Common' });
  id = made.body.flow.id;
  await edit(ada, 1, add('a'), add('b'));
});

async function makeUser(name: string): Promise<{ page: Visitor; id: string }> {
  const json = { name, email: `${name}@example.test`, password: `password of ${name}` };
  const { body } = await admin.json<any>('/api/v1/users', { method: 'POST', json });
  return { page: await server.signIn(json.email, json.password), id: body.user.id };
}

const ask = (by: Visitor, method: string, path: string, json?: unknown) =>
  by.json<any>(`/api/v1/flows${path}`, { method, ...(json !== undefined && { json }) });
const edit = (by: Visitor, base: number, ...edits: Edit[]) => ask(by, 'POST', `/${id}/edits`, { base, edits });
const revert = (by: Visitor, kind: string, base: number) => ask(by, 'POST', `/${id}/${kind}`, { base });
const share = (access: string, user = 'ben@example.test', by = ada) =>
  ask(by, 'PUT', `/${id}/shares`, { user, access });
const nodes = async () => (await ask(ada, 'GET', `/${id}`)).body.flow.document.nodes;
const valuesOf = async () => Object.fromEntries((await nodes()).map((each: any) => [each.id, each.values]));
const add = (node: string): Edit => ({
  kind: 'add_component',
  node: { id: node, type: 'TextInput', position: { x: 0, y: 0 }, values: {} },
});
const set = (node: string, values: Record<string, string>): Edit => ({ kind: 'configure', id: node, values });
const connect: Edit = { kind: 'connect', edge: { from: { node: 'a', port: 'x' }, to: { node: 'b', port: 'y' } } };

describe('a shared flow', () => {
  it('is in the list of the other user, who may read it and not change it', async () => {
    expect((await share('read')).body).toEqual({
      share: { userId: benId, name: 'ben', email: 'ben@example.test', access: 'read' },
    });
    const { flows } = (await ask(ben, 'GET', '?search=common')).body;
    expect(flows).toContainEqual(expect.objectContaining({ id, access: 'read', ownerName: 'ada' }));
    expect((await ask(ben, 'GET', `/${id}`)).body.flow.access).toBe('read');
    for (const [method, path, json] of [
      ['POST', '/edits', { base: 2, edits: [add('c')] }],
      ['PUT', '', { base: 2, document: (await ask(ben, 'GET', `/${id}`)).body.flow.document }],
      ['POST', '/undo', { base: 2 }],
      ['POST', '/restore-points', { name: 'his' }],
    ] as const)
      expect(await ask(ben, method, `/${id}${path}`, json)).toMatchObject({
        status: 403,
        body: { error: { code: 'read_only' } },
      });
    for (const [method, path] of [
      ['DELETE', ''],
      ['GET', '/shares'],
    ] as const)
      expect((await ask(ben, method, `/${id}${path}`)).body.error.code).toBe('forbidden');
    expect((await share('edit', 'admin', ben)).body.error.code).toBe('forbidden');
    expect((await ask(ben, 'POST', `/${id}/duplicate`, {})).body.flow).toMatchObject({ access: 'owner' });
    expect(await nodes()).toHaveLength(2);
  });

  it('is closed to the other user as soon as the share ends', async () => {
    await share('edit');
    expect((await edit(ben, 2, add('c'))).status).toBe(200);
    expect((await ask(ada, 'DELETE', `/${id}/shares/${benId}`)).body).toEqual({ userId: benId });
    expect((await edit(ben, 3, add('d'))).status).toBe(404);
    expect((await ask(ben, 'GET', `/${id}`)).status).toBe(404);
    expect(JSON.stringify((await ask(ben, 'GET', '')).body)).not.toContain(id);
    await share('read');
    expect((await edit(ben, 3, add('d'))).status).toBe(403);
    expect((await ask(ben, 'DELETE', `/${id}/shares/${benId}`)).status).toBe(200);
    expect((await ask(ben, 'GET', `/${id}`)).status).toBe(404);
    expect((await ask(ada, 'GET', `/${id}/shares`)).body).toEqual({ shares: [] });
  });

  it('is not shared with an unknown user, with its owner, or by an API key', async () => {
    expect((await share('read', 'zoe@example.test')).status).toBe(404);
    expect((await share('read', 'local')).status).toBe(404);
    expect((await share('read', 'ada@example.test')).body.error.code).toBe('invalid');
    const { body } = await ada.json<any>('/api/v1/keys', { method: 'POST', json: { name: 'k' } });
    expect((await share('read', 'ben@example.test', server.withKey(body.secret))).status).toBe(403);
  });
});

it('runs for a program of its owner only at a version that the owner accepted', async () => {
  const { body } = await ada.json<{ secret: string }>('/api/v1/keys', { method: 'POST', json: { name: 'program' } });
  const program = server.withKey(body.secret);
  await share('edit');
  const output: Edit = {
    kind: 'add_component',
    node: { id: 'o', type: 'ChatOutput', position: { x: 0, y: 0 }, values: {} },
  };
  const ofText: Edit = {
    kind: 'connect',
    edge: { from: { node: 'a', port: 'text' }, to: { node: 'o', port: 'input_value' } },
  };
  await edit(ada, 2, output, ofText, set('a', { input_value: 'hers' }));
  const messages = [{ role: 'user', content: 'hello' }];
  const starts = [
    ['/run', {}],
    ['/run/stream', {}],
    ['/runs', {}],
    ['/openai/v1/chat/completions', { messages }],
  ] as const;
  const statuses = async (by: Visitor) => {
    const found: number[] = [];
    for (const [path, json] of starts) {
      const answer = await by.request(`/api/v1/flows/${id}${path}`, { method: 'POST', json });
      await answer.text();
      found.push(answer.status);
    }
    return found;
  };
  const run = (by: Visitor) => ask(by, 'POST', `/${id}/run`, {});
  expect((await run(program)).body.text).toBe('hers');
  const accepted = await statuses(program);
  await edit(ben, 3, set('a', { input_value: 'of ben' }));
  expect(await statuses(program)).toEqual([400, 400, 400, 400]);
  expect((await run(program)).body.error).toMatchObject({
    code: 'invalid',
    message: expect.stringContaining('accept this version under Use it'),
  });
  // A person who starts it has the flow before them.
  expect((await run(ada)).body.text).toBe('of ben');
  await ask(ada, 'PUT', `/${id}/acceptance`, { version: 4 });
  expect(await statuses(program)).toEqual(accepted);
  expect((await run(program)).body.text).toBe('of ben');
});

describe('undo in a shared flow', () => {
  it('reverts the edits of the caller, and leaves those of others', async () => {
    await share('edit');
    await edit(ada, 2, set('a', { x: '1', y: '1' }));
    await edit(ben, 3, set('b', { x: '2' }));
    await edit(ben, 4, set('a', { y: '2' }));
    expect((await revert(ada, 'undo', 5)).status).toBe(200);
    expect(await valuesOf()).toEqual({ a: { y: '2' }, b: { x: '2' } });
    expect((await revert(ben, 'undo', 6)).status).toBe(200);
    expect((await revert(ben, 'undo', 7)).status).toBe(200);
    expect(await valuesOf()).toEqual({ a: { y: '1' }, b: {} });
    expect((await revert(ben, 'undo', 8)).body.error.code).toBe('not_undoable');
    expect((await revert(ada, 'redo', 8)).status).toBe(200);
    expect(await valuesOf()).toEqual({ a: { x: '1', y: '1' }, b: {} });
  });

  it('does not remove a component that another user has worked on', async () => {
    await share('edit');
    await edit(ben, 2, connect);
    expect((await revert(ada, 'undo', 3)).body.error.code).toBe('not_undoable');
    expect(await nodes()).toHaveLength(2);
    await revert(ben, 'undo', 3);
    expect((await revert(ada, 'undo', 4)).status).toBe(200);
    expect(await nodes()).toEqual([]);
  });

  it('brings a component back without the connection to one that is gone', async () => {
    await share('edit');
    await edit(ada, 2, connect);
    await edit(ada, 3, { kind: 'remove_component', id: 'a' });
    await edit(ben, 4, { kind: 'remove_component', id: 'b' });
    expect((await revert(ada, 'undo', 5)).status).toBe(200);
    const { document } = (await ask(ada, 'GET', `/${id}`)).body.flow;
    expect([document.nodes.map((each: any) => each.id), document.edges]).toEqual([['a'], []]);
  });

  it('names no author once the user is removed', async () => {
    const zoe = await makeUser(`zoe${id}`);
    await share('edit', `zoe${id}@example.test`);
    await edit(zoe.page, 2, add('c'));
    expect((await admin.json(`/api/v1/users/${zoe.id}`, { method: 'DELETE' })).status).toBe(200);
    const { entries } = (await ask(ada, 'GET', `/${id}/edits?after=2`)).body;
    expect(entries).toMatchObject([{ version: 3, userId: null }]);
    expect((await ask(ada, 'GET', `/${id}/shares`)).body).toEqual({ shares: [] });
  });
});

describe('a restore point', () => {
  it('brings its document back as one edit, which can be undone', async () => {
    const kept = await ask(ada, 'POST', `/${id}/restore-points`, { name: 'Two nodes' });
    expect(kept).toMatchObject({
      status: 201,
      body: { restorePoint: { name: 'Two nodes', version: 2, author: 'ada' } },
    });
    await edit(ada, 2, { kind: 'remove_component', id: 'a' }, set('b', { x: '1' }));
    const point = `/${id}/restore-points/${kept.body.restorePoint.id}`;
    expect(await ask(ada, 'POST', `${point}/restore`, { base: 3 })).toMatchObject({
      status: 200,
      body: { version: 4 },
    });
    expect(await valuesOf()).toEqual({ a: {}, b: {} });
    await revert(ada, 'undo', 4);
    expect(await valuesOf()).toEqual({ b: { x: '1' } });
    await revert(ada, 'redo', 5);
    expect(await valuesOf()).toEqual({ a: {}, b: {} });
    expect((await ask(ada, 'GET', point)).body.restorePoint.document.nodes).toHaveLength(2);
    expect((await ask(ada, 'GET', `/${id}/restore-points`)).body.restorePoints).toMatchObject([{ name: 'Two nodes' }]);
    expect((await ask(ada, 'DELETE', point)).status).toBe(200);
    for (const [method, path] of [
      ['GET', ''],
      ['DELETE', ''],
      ['POST', '/restore'],
    ] as const)
      expect((await ask(ada, method, point + path, method === 'POST' ? { base: 6 } : undefined)).status).toBe(404);
  });

  it('belongs to its flow: another flow does not reach it', async () => {
    const kept = await ask(ada, 'POST', `/${id}/restore-points`, { name: 'Mine' });
    const point = kept.body.restorePoint.id;
    const own = (await ask(ben, 'POST', '', { name: 'His' })).body.flow.id;
    expect((await ask(ben, 'GET', `/${own}/restore-points/${point}`)).status).toBe(404);
    expect((await ask(ben, 'POST', `/${own}/restore-points/${point}/restore`, { base: 1 })).status).toBe(404);
    expect((await ask(ben, 'DELETE', `/${own}/restore-points/${point}`)).status).toBe(404);
    expect((await ask(ada, 'GET', `/${id}/restore-points/${point}`)).status).toBe(200);
  });
});
