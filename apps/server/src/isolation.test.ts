import type { Client } from '@modelcontextprotocol/client';
import { emptyFlow } from '@croft/flow';
import { describe, expect, it } from 'vitest';
import { type Ask, documentOf, type TestServer, type Visitor } from './testing.ts';
import { connectMcp } from './testing-mcp.ts';
import { useTestServer } from './use-test-server.ts';

const SECRET = 'only for alice';

interface Person {
  readonly id: string;
  readonly page: Visitor;
  readonly key: Visitor;
  readonly secret: string;
  readonly keyId: string;
}

let server: TestServer;
let alice: Person;
let bob: Person;
/** The id that takes back a change of Alice's. */
let undo: string;
/** The ids of a flow of Alice's and of its restore point. */
let flow: string;
let point: string;
/** A queued run of Alice's. */
let run: string;
/** A webhook of Alice's flow. */
let webhook: string;

useTestServer({}, async (started) => {
  server = started;
  const admin = await started.signInAdmin();
  alice = await makePerson(admin, 'alice');
  bob = await makePerson(admin, 'bob');
  const stored = await alice.page.request('/api/v1/files/content?path=notes/plan.txt', {
    method: 'PUT',
    body: SECRET,
    headers: { 'x-croft': '1' },
  });
  ({ undo } = (await stored.json()) as { undo: string });
  expect(undo).toEqual(expect.any(String));
  const json = { value: SECRET, kind: 'text' };
  expect((await alice.page.json('/api/v1/variables/HERS', { method: 'PUT', json })).status).toBe(200);
  const plan = { name: 'the plan', description: SECRET };
  const made = await alice.page.json<{ flow: { id: string } }>('/api/v1/flows', { method: 'POST', json: plan });
  flow = made.body.flow.id;
  const kept = await alice.page.json<{ restorePoint: { id: string } }>(`/api/v1/flows/${flow}/restore-points`, {
    method: 'POST',
    json: { name: 'of the plan' },
  });
  point = kept.body.restorePoint.id;
  const document = { ...documentOf('chat', (type) => type), name: 'the plan' };
  const chat = await alice.page.json<{ flow: { id: string } }>('/api/v1/flows', {
    method: 'POST',
    json: { document },
  });
  const path = `/api/v1/flows/${chat.body.flow.id}/runs`;
  const queued = await alice.key.json<{ id: string }>(path, { method: 'POST', json: { message: SECRET } });
  expect(queued.status).toBe(202);
  run = queued.body.id;
  const hook = await alice.page.json<any>(`/api/v1/flows/${flow}/webhooks`, {
    method: 'POST',
    json: { name: 'of the plan' },
  });
  webhook = hook.body.webhook.id;
});

async function makePerson(admin: Visitor, name: string): Promise<Person> {
  const password = `password of ${name}`;
  const json = { name, email: `${name}@example.test`, password };
  const made = await admin.json<{ user: { id: string } }>('/api/v1/users', { method: 'POST', json });
  const page = await server.signIn(json.email, password);
  const { body } = await page.json<{ secret: string; key: { id: string } }>('/api/v1/keys', {
    method: 'POST',
    json: { name: 'k' },
  });
  return { id: made.body.user.id, page, key: server.withKey(body.secret), secret: body.secret, keyId: body.key.id };
}

const mcp = ({ secret }: Person, path?: string) => connectMcp(server, secret, path);

describe('a file or key of another user', () => {
  const post = (path: string, json: object): [string, Ask] => [path, { method: 'POST', json }];
  const get = (path: string): [string, Ask] => [path, {}];
  /** Requests of Bob that would reach something of Alice's, were it not hers. */
  const attempts: Record<string, () => [string, Ask]> = {
    'content of a file': () => get('/api/v1/files/content?path=notes/plan.txt'),
    'a download': () => get('/api/v1/files/content?path=notes/plan.txt&download=1'),
    'a folder': () => get('/api/v1/files?path=notes'),
    'a folder by its user': () => get(`/api/v1/files?path=../${alice.id}`),
    'a folder from above': () => get('/api/v1/files?path=..'),
    'all namespaces by way of the shared mount': () => get('/api/v1/files?path=shared/../../users'),
    'a file by way of the shared mount': () => get('/api/v1/files/content?path=shared/../notes/plan.txt'),
    'a root of another name': () => get(`/api/v1/files?root=${alice.id}`),
    'the reading endpoint of agents': () => get('/api/v1/agentic/files?path=notes/plan.txt'),
    'a file to move': () => post('/api/v1/files/move', { from: 'notes/plan.txt', to: 'x.txt' }),
    'a file to delete': () => post('/api/v1/files/delete', { path: 'notes/plan.txt' }),
    'a change to take back': () => post('/api/v1/files/undo', { undo }),
    'a tool call': () => post('/api/v1/tools/full/read_file', { path: 'notes/plan.txt' }),
    'a tool call on the machine': () => post('/api/v1/gateway/tools/read-file', { filePath: 'plan.txt' }),
    'a flow': () => get(`/api/v1/flows/${flow}`),
    'the file of a flow': () => get(`/api/v1/flows/${flow}/export`),
    'the text of a flow': () => get(`/api/v1/flows/${flow}/text`),
    'the findings of a flow': () => get(`/api/v1/flows/${flow}/check`),
    'the edits of a flow': () => get(`/api/v1/flows/${flow}/edits?after=1`),
    'a flow to edit': () =>
      post(`/api/v1/flows/${flow}/edits`, { base: 1, edits: [{ kind: 'set_details', name: 'his' }] }),
    'a flow to replace': () => [
      `/api/v1/flows/${flow}`,
      { method: 'PUT', json: { base: 1, document: { ...emptyFlow('his') } } },
    ],
    'an edit of a flow to undo': () => post(`/api/v1/flows/${flow}/undo`, { base: 1 }),
    'an edit of a flow to redo': () => post(`/api/v1/flows/${flow}/redo`, { base: 1 }),
    'a flow to copy': () => post(`/api/v1/flows/${flow}/duplicate`, {}),
    'the restore points of a flow': () => get(`/api/v1/flows/${flow}/restore-points`),
    'a restore point of a flow': () => get(`/api/v1/flows/${flow}/restore-points/${point}`),
    'a restore point to make': () => post(`/api/v1/flows/${flow}/restore-points`, { name: 'his' }),
    'a restore point to go back to': () => post(`/api/v1/flows/${flow}/restore-points/${point}/restore`, { base: 1 }),
    'a restore point to delete': () => [`/api/v1/flows/${flow}/restore-points/${point}`, { method: 'DELETE' }],
    'the users of a flow': () => get(`/api/v1/flows/${flow}/shares`),
    'a flow to share': () => [
      `/api/v1/flows/${flow}/shares`,
      { method: 'PUT', json: { user: 'bob@example.test', access: 'edit' } },
    ],
    'a share to end': () => [`/api/v1/flows/${flow}/shares/${alice.id}`, { method: 'DELETE' }],
    'a flow to delete': () => [`/api/v1/flows/${flow}`, { method: 'DELETE' }],
    'a flow to queue': () => post(`/api/v1/flows/${flow}/runs`, {}),
    'a flow to schedule': () => post(`/api/v1/flows/${flow}/schedules`, { cron: '0 9 * * *' }),
    'a webhook to add': () => post(`/api/v1/flows/${flow}/webhooks`, {}),
    'a webhook to change': () => [`/api/v1/webhooks/${webhook}`, { method: 'PATCH', json: { isOn: false } }],
    'the secret of a webhook to replace': () => post(`/api/v1/webhooks/${webhook}/secret`, {}),
    'a webhook to listen to': () => post(`/api/v1/webhooks/${webhook}/listener`, {}),
    'the request of a listener': () => get(`/api/v1/webhooks/${webhook}/listener`),
    'a listener to end': () => [`/api/v1/webhooks/${webhook}/listener`, { method: 'DELETE' }],
    'a webhook to delete': () => [`/api/v1/webhooks/${webhook}`, { method: 'DELETE' }],
    'a queued run': () => get(`/api/v1/runs/${run}`),
    'the events of a queued run': () => get(`/api/v1/runs/${run}/events`),
    'a question to answer': () => post(`/api/v1/runs/${run}/answer`, { key: 'k', choice: 'approve' }),
    'an effect to decide about': () => post(`/api/v1/runs/${run}/decide`, { key: 'k', decision: 'repeat' }),
    'a queued run to cancel': () => post(`/api/v1/runs/${run}/cancel`, {}),
    'a queued run to delete': () => [`/api/v1/runs/${run}`, { method: 'DELETE' }],
    'a key to end': () => [`/api/v1/keys/${alice.keyId}`, { method: 'DELETE' }],
    'a variable to delete': () => ['/api/v1/variables/HERS', { method: 'DELETE' }],
    'a user to look at': () => get('/api/v1/users'),
    'a user to change': () => [`/api/v1/users/${alice.id}`, { method: 'PATCH', json: { disabled: true } }],
    'a user to remove': () => [`/api/v1/users/${alice.id}`, { method: 'DELETE' }],
    'access to the server’s own disk': () => get('/api/v1/local-access'),
    'a directory of the server’s own disk': () => [
      '/api/v1/local-access',
      { method: 'PUT', json: { directory: server.baseDir } },
    ],
    'to begin picking one': () => post('/api/v1/local-access/picking', {}),
    'names of directories of the server’s own disk': () =>
      post('/api/v1/local-access/directories', { picking: 'x', path: server.baseDir }),
  };

  for (const [what, ask] of Object.entries(attempts)) {
    for (const by of ['page', 'key'] as const) {
      it(`cannot be had by ${by}: ${what}`, async () => {
        const [path, asked] = ask();
        const answer = await bob[by].request(path, asked);
        // The response may repeat what Bob sent.
        const text = (await answer.text())
          .replaceAll(/notes\/plan\.txt|plan\.txt/g, 'ASKED')
          .replaceAll(`../${alice.id}`, 'ASKED');
        // A tool reports a refusal in its result.
        const isRefused = answer.status >= 400 || text.includes('"ok":false');
        expect({ isRefused, status: answer.status, text }).toMatchObject({ isRefused: true });
        expect(text).not.toContain(SECRET);
        expect(text).not.toContain('plan');
        expect(text).not.toContain(server.baseDir);
        expect(text).not.toContain(alice.id);
      });
    }
    it(`cannot be had by a stranger: ${what}`, async () => {
      const answer = await server.stranger.request(...ask());
      expect(answer.status).toBe(401);
      expect(await answer.text()).not.toContain(SECRET);
    });
  }

  it('and directories of the server’s own disk are not for an admin who signed in either', async () => {
    const admin = await server.signInAdmin();
    const bodies = { picking: {}, directories: { picking: 'x', path: '/' } };
    for (const [what, json] of Object.entries(bodies))
      expect((await admin.json(`/api/v1/local-access/${what}`, { method: 'POST', json })).status).toBe(403);
  });

  it('is still there', async () => {
    expect(await (await alice.key.request('/api/v1/files/content?path=notes/plan.txt')).text()).toBe(SECRET);
    expect((await alice.page.json('/api/v1/me')).body).toMatchObject({ user: { id: alice.id } });
    const hers = await alice.page.json(`/api/v1/flows/${flow}`);
    expect(hers.body).toMatchObject({ flow: { name: 'the plan', description: SECRET, version: 1 } });
    const points = await alice.page.json(`/api/v1/flows/${flow}/restore-points`);
    expect(points.body).toMatchObject({ restorePoints: [{ id: point }] });
    expect((await alice.page.json(`/api/v1/flows/${flow}/shares`)).body).toEqual({ shares: [] });
    expect((await alice.page.json(`/api/v1/runs/${run}`)).body).toMatchObject({ run: { id: run } });
    expect((await bob.page.json('/api/v1/runs')).body).toMatchObject({ runs: [] });
    const hooks = (await alice.page.json<any>('/api/v1/webhooks')).body.webhooks;
    expect(hooks).toMatchObject([{ id: webhook, name: 'of the plan', isOn: true }]);
    expect((await bob.page.json('/api/v1/webhooks')).body).toEqual({ webhooks: [] });
    expect((await bob.page.json('/api/v1/flows?search=plan')).body).toMatchObject({ flows: [] });
  });

  it('looks the same as one that does not exist', async () => {
    const of = async (path: string) => {
      const { status, body } = await bob.page.json(`/api/v1/files/content?path=${path}`);
      return JSON.stringify({ status, body }).replaceAll(path, 'PATH');
    };
    expect(await of('notes/plan.txt')).toBe(await of('never/was.txt'));
    const key = async (id: string) => bob.page.json(`/api/v1/keys/${id}`, { method: 'DELETE' });
    const { headers: _, ...hers } = await key(alice.keyId);
    const { headers: __, ...nobodys } = await key('f9b2f3f0-0000-4000-8000-000000000000');
    expect(hers).toEqual(nobodys);
    const read = async (id: string) => (await bob.page.json(`/api/v1/flows/${id}`)).body;
    expect(await read(flow)).toEqual(await read('f9b2f3f0-0000-4000-8000-000000000000'));
  });

  it('is found by no search of others, by name or content', async () => {
    for (const where of ['name', 'content'])
      expect((await bob.page.json(`/api/v1/files/search?q=plan&in=${where}`)).body).toMatchObject({ matches: [] });
    expect((await alice.page.json('/api/v1/files/search?q=plan')).body).toMatchObject({
      matches: [{ path: 'notes/plan.txt' }],
    });
  });

  it('causes no events for others', async () => {
    const stop = new AbortController();
    const stream = await fetch(`${server.url}/api/v1/events`, {
      headers: { cookie: bob.page.cookie ?? '', 'sec-fetch-site': 'same-origin' },
      signal: stop.signal,
    });
    const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader();
    const said: string[] = [];
    const reading = (async () => {
      for (;;) {
        const part = await reader?.read().catch(() => undefined);
        if (!part || part.done) return;
        said.push(part.value);
      }
    })();
    await alice.page.json('/api/v1/files/mkdir', { method: 'POST', json: { path: 'hers' } });
    await bob.page.json('/api/v1/files/mkdir', { method: 'POST', json: { path: 'his' } });
    await expect.poll(() => said.join('')).toContain('event: files');
    expect(said.join('').match(/event: files/g)).toHaveLength(1);
    stop.abort();
    await reading;
  });
});

describe('over MCP', () => {
  it('each key reaches its own files', async () => {
    const [hers, his] = await Promise.all([mcp(alice), mcp(bob)]);
    const read = (client: Client) => client.callTool({ name: 'read_file', arguments: { path: 'notes/plan.txt' } });
    expect(JSON.stringify(await read(hers))).toContain(SECRET);
    const refused = await read(his);
    expect(refused.isError).toBe(true);
    expect(JSON.stringify(refused)).not.toContain(SECRET);
    await his.callTool({ name: 'write_file', arguments: { path: 'notes/plan.txt', content: 'his own' } });
    expect(JSON.stringify(await read(hers))).toContain(SECRET);
    expect(JSON.stringify(await read(his))).toContain('his own');
    await Promise.all([hers.close(), his.close()]);
  });

  it('a session of a page of ours works as a key does, and one of another site does not', async () => {
    const ask = (headers: Record<string, string>) =>
      alice.page.request('/mcp', {
        method: 'POST',
        json: {
          jsonrpc: '2.0',
          id: 1,
          method: 'tools/call',
          params: { name: 'read_file', arguments: { path: 'notes/plan.txt' } },
        },
        headers: { accept: 'application/json, text/event-stream', ...headers },
      });
    expect(await (await ask({})).text()).toContain(SECRET);
    const foreign = await ask({ 'sec-fetch-site': 'cross-site' });
    expect(foreign.status).toBe(403);
    expect(await foreign.text()).not.toContain(SECRET);
  });

  it('an anonymous caller gets 401, and no machine tools are offered while no machine is connected', async () => {
    const answer = await server.stranger.request('/mcp', {
      method: 'POST',
      json: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
    });
    expect(answer.status).toBe(401);
    const client = await mcp(alice);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain('read_file');
    expect(tools.map(({ name }) => name)).not.toContain('get-file-tree');
    await client.close();
  });
});

describe('an API key of an admin', () => {
  it('looks at users, and neither makes, changes nor removes one', async () => {
    const admin = await server.signInAdmin();
    const made = await admin.json<{ secret: string }>('/api/v1/keys', { method: 'POST', json: { name: 'agent' } });
    const key = server.withKey(made.body.secret);
    expect((await key.json('/api/v1/users')).status).toBe(200);
    const json = { name: 'E', email: 'e@example.test', password: 'long enough', role: 'admin' };
    const tries: [string, Ask][] = [
      ['/api/v1/users', { method: 'POST', json }],
      [`/api/v1/users/${alice.id}`, { method: 'PATCH', json: { password: 'long enough' } }],
      [`/api/v1/users/${alice.id}`, { method: 'PATCH', json: { role: 'admin' } }],
      [`/api/v1/users/${alice.id}`, { method: 'DELETE' }],
    ];
    for (const [path, ask] of tries)
      expect(await key.json(path, ask)).toMatchObject({ status: 403, body: { error: { code: 'forbidden' } } });
    expect((await key.json<{ users: unknown[] }>('/api/v1/users')).body.users).toHaveLength(3);
    expect((await alice.page.json('/api/v1/keys')).status).toBe(200);
  });
});

describe('the gateway', () => {
  it('shows each user their own machine, and takes no foreign key or token', async () => {
    const made = await alice.page.json<{ token: string; command: string }>('/instance-ai/gateway/create-link', {
      method: 'POST',
      json: {},
    });
    expect(made.status).toBe(200);
    expect(made.body.command).toContain(`connect ${server.url} ${made.body.token}`);
    const init = (token: string) =>
      fetch(`${server.url}/instance-ai/gateway/init`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-gateway-key': token },
        body: JSON.stringify({ rootPath: '/home/alice', tree: [], treeText: '' }),
      });
    expect((await init('gw_wrong')).status).toBe(403);
    expect((await init(bob.secret)).status).toBe(403);
    const answer = await init(made.body.token);
    expect(answer.status).toBe(200);
    const status = async (person: Person) => (await person.page.json('/instance-ai/gateway/status')).body;
    expect(JSON.stringify(await status(bob))).not.toContain('alice');
    expect((await init(made.body.token)).status).toBe(403);
  });

  it('connects and switches on no machine for an API key, because the machine would stay connected', async () => {
    const key = server.withKey(alice.secret);
    for (const path of ['gateway/create-link', 'filesystem/toggle'])
      for (const below of ['', '/rest'])
        expect(await key.json(`${below}/instance-ai/${path}`, { method: 'POST', json: {} })).toMatchObject({
          status: 403,
          body: { code: 'forbidden' },
        });
    expect((await key.json('/instance-ai/gateway/status')).status).toBe(200);
  });

  it('makes no link for a page of another site or an anonymous caller', async () => {
    const ask = { method: 'POST', json: {}, headers: { 'sec-fetch-site': 'cross-site' } };
    const refused = await alice.page.json('/instance-ai/gateway/create-link', ask);
    expect([refused.status, refused.body.code]).toEqual([403, 'cross_site']);
    expect((await server.stranger.json('/instance-ai/gateway/create-link', { method: 'POST', json: {} })).status).toBe(
      401,
    );
  });
});

describe('flows of another user over MCP', () => {
  /** Arguments of the tools that name a flow; only the flow is wrong. */
  const VALUES: Record<string, unknown> = {
    component_id: 'ChatInput',
    component_type: 'ChatInput',
    params: { input_value: 'his' },
    spec: 'nodes:\n  A: ChatInput',
    source_id: 'a',
    source_output: 'message',
    target_id: 'b',
    target_input: 'input_value',
    field_name: 'input_value',
    new_value: 'his',
    summary: 'his',
    name: 'his',
    instruction: 'his',
  };
  const NO_FLOW = 'f9b2f3f0-0000-4000-8000-000000000000';

  it('no tool finds them, and each says the same as of a flow that does not exist', async () => {
    const client = await mcp(bob, '/mcp/flows?toolset=all');
    const { tools } = await client.listTools();
    const ofFlows = tools.filter(({ inputSchema }) =>
      Object.keys(inputSchema.properties ?? {}).some((name) => name === 'flow_id' || name === 'flow_id_or_name'),
    );
    expect(ofFlows.length).toBeGreaterThan(30);
    for (const { name, inputSchema } of ofFlows) {
      const call = async (id: string) => {
        const named = Object.keys(inputSchema.properties ?? {});
        const args = Object.fromEntries(
          named.flatMap((each) => (Object.hasOwn(VALUES, each) ? [[each, VALUES[each]]] : [])),
        );
        const place = named.includes('flow_id') ? { flow_id: id } : { flow_id_or_name: id };
        const result = await client.callTool({ name, arguments: { ...args, ...place } });
        return { isError: result.isError, text: JSON.stringify(result.content).replaceAll(id, 'ID') };
      };
      const [hers, nothing] = [await call(flow), await call(NO_FLOW)];
      expect({ name, ...hers }).toEqual({ name, ...nothing });
      expect({ name, ...hers }).toMatchObject({ isError: true });
      expect(hers.text).toMatch(/no such flow|Flow not found/);
      expect(hers.text).not.toContain(SECRET);
    }
    const batch = await client.callTool({
      name: 'batch',
      arguments: { actions: [{ tool: 'rename_flow', args: { flow_id: flow, name: 'his' } }] },
    });
    expect(batch).toMatchObject({ isError: true });
    expect((await alice.page.json(`/api/v1/flows/${flow}`)).body).toMatchObject({
      flow: { name: 'the plan', version: 1 },
    });
  });

  it('no list, name, resource or job shows them', async () => {
    const client = await mcp(bob, '/mcp/flows?toolset=all');
    const text = async (name: string, args: Record<string, unknown>) =>
      JSON.stringify(await client.callTool({ name, arguments: args }));
    expect(await text('list_flows', {})).not.toContain(flow);
    expect(await text('visualize_flow_graph', { flow_id_or_name: 'the plan' })).toContain('no such flow');
    const uris = (await client.listResources()).resources.map(({ uri }) => uri);
    expect(uris).not.toContain(`croft://flows/${flow}`);
    const read = async (id: string) =>
      client.readResource({ uri: `croft://flows/${id}` }).catch((error: Error) => error.message.replaceAll(id, 'ID'));
    expect(await read(flow)).toBe(await read(NO_FLOW));
    expect(await read(flow)).toEqual(expect.any(String));
    expect(await text('cancel_run', { job_id: run })).toContain('no such run');
    const { body } = await bob.page.json<any>('/api/v1/flows', { method: 'POST', json: { name: 'of bob' } });
    const own = body.flow.id;
    expect(await text('get_build_results', { flow_id: own, job_id: run })).toContain('no such run');
  });
});
