import { join } from 'node:path';
import { callReply, type ScriptedReply } from '@croft/models/testing';
import { Client } from '@modelcontextprotocol/client';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { makeKey, storeFlow, type TestServer, type Visitor } from '../testing.ts';
import { connectMcp } from '../testing-mcp.ts';
import { useScriptedServer, useTestServer } from '../use-test-server.ts';

interface Shown {
  readonly tool: string;
  readonly paths: readonly string[];
  readonly via: string;
  readonly client: string | null;
  readonly key: string | null;
  readonly flow: {
    readonly id: string;
    readonly name: string;
    readonly runId: string;
    readonly isRunKept: boolean;
  } | null;
}

const changes = async (by: Visitor): Promise<readonly Shown[]> =>
  (await by.json<{ changes: Shown[] }>('/api/v1/activity/changes')).body.changes;
const changesOf = async (by: Visitor, run: string): Promise<readonly Shown[]> =>
  (await by.json<{ changes: Shown[] }>(`/api/v1/activity/changes?run=${run}`)).body.changes;
const newest = async (by: Visitor): Promise<Shown> => (await changes(by))[0] as Shown;
const post = (by: Visitor, path: string, json: object = {}) => by.json<any>(path, { method: 'POST', json });
const intent = (name: string): ScriptedReply => ({ text: `{"intent": "${name}", "scope": "edit"}` });

/** Writes its text into a file. */
const writer = (name: string, trigger = 'ChatInput', output = 'message') =>
  `name: ${name}\nnodes:\n  I: ${trigger}\n  W: SaveToFile\n  O: ChatOutput\nedges:\n  I.${output} -> W.input\n  W.message -> O.input_value\nconfig:\n  W.file_name: ${name}.txt\n`;
/** An agent whose file tools work in `docs` only. */
const inSubPath = (readOnly = false) =>
  `name: In docs\nnodes:\n  I: ChatInput\n  F: FileSystemTool\n  A: Agent\n  O: ChatOutput\nedges:\n  I.message -> A.input_value\n  F.component_as_tool -> A.tools\n  A.response -> O.input_value\nconfig:\n  A.model: OpenAI compatible/local-model\n  F.root_path: docs\n  F.read_only: ${readOnly}\n`;
const KEY = 'CI "nightly"';
const newClient = (name: string) => new Client({ name, version: '1' });

describe('the list of changes', () => {
  let server: TestServer;
  let ada: Visitor;
  let program: Visitor;
  let secret: string;
  let flow: string;

  const { script } = useScriptedServer(async (started, connect) => {
    server = started;
    // Only an admin makes public links.
    ada = await started.signInAdmin();
    secret = await makeKey(ada, KEY);
    program = started.withKey(secret);
    flow = await storeFlow(ada, writer('Daily report'));
    await connect(ada);
  });

  /** The newest change, as soon as it is one of this file by a flow. */
  const written = async (path: string): Promise<Shown> => {
    await expect.poll(() => newest(ada)).toMatchObject({ tool: 'flow', paths: [path] });
    return newest(ada);
  };

  it('names the API key of a program and of an MCP client, and no key for a page', async () => {
    const file = { path: 'notes.md', content: 'x' };
    await post(ada, '/api/v1/tools/full/write_file', file);
    expect(await newest(ada)).toMatchObject({ via: 'page', key: null, flow: null });
    await post(program, '/api/v1/tools/full/write_file', file);
    expect(await newest(ada)).toMatchObject({ via: 'api', key: KEY, flow: null });
    await program.request('/api/v1/files/content?path=new.md', { method: 'PUT', body: 'y' });
    expect(await newest(ada)).toMatchObject({ tool: 'upload', via: 'api', key: KEY });
    const client = await connectMcp(server, secret, '/mcp', newClient('claude-code'));
    await client.callTool({ name: 'write_file', arguments: file });
    await client.close();
    expect(await newest(ada)).toMatchObject({ via: 'mcp', client: 'claude-code', key: KEY });
    expect(JSON.stringify(await changes(ada))).not.toContain(secret.slice(0, 12));
  });

  it('names the flow and the start of each run that wrote a file, until the run is deleted', async () => {
    const run = `/api/v1/flows/${flow}/run`;
    const ofFlow = { id: flow, name: 'Daily report', runId: expect.any(String), isRunKept: true };
    const { body } = await post(ada, run, { message: 'x', from: 'canvas' });
    expect(await newest(ada)).toMatchObject({ via: 'page', key: null, flow: { ...ofFlow, runId: body.id } });
    await post(program, run, { message: 'x' });
    expect(await newest(ada)).toMatchObject({ via: 'api', key: KEY, flow: ofFlow });

    const { link } = (await ada.json<any>(`/api/v1/flows/${flow}/link`, { method: 'PUT', json: {} })).body;
    const messages = [{ role: 'user', content: 'x' }];
    const path = `/api/v1/public/${link.id}/messages`;
    await (await server.stranger.request(path, { method: 'POST', json: { messages } })).text();
    expect(await newest(ada)).toMatchObject({ via: 'link', client: null, flow: ofFlow });

    const client = await connectMcp(server, secret, '/mcp/flows', newClient('cursor'));
    await client.callTool({ name: 'run_flow', arguments: { flow_id: flow, input_value: 'x' } });
    await client.close();
    expect(await newest(ada)).toMatchObject({ via: 'mcp', client: 'cursor', key: KEY, flow: ofFlow });

    script.push(intent('run_flow'), callReply('run_flow', {}), { text: 'Done.' });
    const turn = { flow_id: flow, input_value: 'run it', skip_all: true };
    await (await ada.request('/api/v1/agentic/assist/stream', { method: 'POST', json: turn })).text();
    expect(await newest(ada)).toMatchObject({ via: 'assistant', flow: ofFlow });

    expect((await ada.request(`/api/v1/runs/${body.id}`, { method: 'DELETE' })).status).toBe(200);
    const deleted = (await changes(ada)).find((each) => each.flow?.runId === body.id);
    expect(deleted?.flow).toEqual({ ...ofFlow, runId: body.id, isRunKept: false });
    expect(await changesOf(ada, body.id)).toEqual([deleted]);
    expect(await changesOf(ada, 'other')).toEqual([]);
  });

  it('names the flow and the start of a queued run, with the key that asked for it', async () => {
    const queued = await storeFlow(ada, writer('Queued'));
    const { id } = (await post(program, `/api/v1/flows/${queued}/runs`, { message: 'x' })).body;
    const ofRun = { id: queued, name: 'Queued', runId: id, isRunKept: true };
    expect(await written('Queued.txt')).toMatchObject({ via: 'api', key: KEY, flow: ofRun });
    expect((await ada.request(`/api/v1/runs/${id}`, { method: 'DELETE' })).status).toBe(200);
    expect((await newest(ada)).flow).toEqual({ ...ofRun, isRunKept: false });
  });

  it('says that a webhook or a schedule started the run', async () => {
    const hooked = await storeFlow(ada, writer('Hooked', 'Webhook', 'output_data'));
    const { webhook, secret: ofHook } = (await post(ada, `/api/v1/flows/${hooked}/webhooks`, { name: 'orders' })).body;
    const headers = { authorization: `Bearer ${ofHook}`, 'content-type': 'application/json' };
    await fetch(`${server.url}/hooks/${webhook.id}`, { method: 'POST', headers, body: '{}' });
    expect(await written('Hooked.txt')).toMatchObject({ via: 'webhook', key: null, flow: { name: 'Hooked' } });

    const daily = await storeFlow(ada, writer('Scheduled', 'ScheduleTrigger', 'text'));
    const { id } = (await post(ada, `/api/v1/flows/${daily}/schedules`, { cron: '0 9 * * *' })).body;
    const database = new pg.Client({ host: join(server.baseDir, 'postgres/run'), user: 'croft', database: 'croft' });
    await database.connect();
    await database.query("UPDATE croft_runs.schedule SET next_at = now() - interval '1 second' WHERE id = $1", [id]);
    await database.end();
    expect(await written('Scheduled.txt')).toMatchObject({ via: 'schedule', key: null, flow: { name: 'Scheduled' } });
  });

  it('has what a run changed through a Sub-path, by the paths of pages, and undoes it', async () => {
    await post(ada, '/api/v1/tools/full/write_file', { path: 'docs/old.md', content: 'before' });
    const id = await storeFlow(ada, inSubPath());
    const edit = { path: 'old.md', old_string: 'before', new_string: 'after' };
    const writes = (content: string) => [callReply('write_file', { path: 'sub/new.md', content }), { text: 'Done.' }];
    const ofFlow = { id, name: 'In docs', runId: expect.any(String), isRunKept: true };
    const content = async (path: string) => {
      const got = await ada.request(`/api/v1/files/content?path=${path}`);
      return got.status === 200 ? await got.text() : got.status;
    };

    script.push(callReply('read_file', { path: 'old.md' }), callReply('edit_file', edit), ...writes('direct'));
    await post(program, `/api/v1/flows/${id}/run`, { message: 'x' });
    const [created, edited] = (await changes(ada)) as (Shown & { id: string; undo: string })[];
    const common = { tool: 'flow', via: 'api', key: KEY, flow: ofFlow, undo: 'possible' };
    expect([created, edited]).toMatchObject([
      { ...common, paths: ['docs/sub/new.md'] },
      { ...common, paths: ['docs/old.md'] },
    ]);
    expect([await content('docs/sub/new.md'), await content('docs/old.md')]).toEqual(['direct', 'after']);
    for (const each of [created, edited])
      expect((await post(ada, '/api/v1/files/undo', { undo: each?.id })).status).toBe(200);
    expect([await content('docs/sub/new.md'), await content('docs/old.md')]).toEqual([404, 'before']);

    script.push(...writes('queued'));
    await post(program, `/api/v1/flows/${id}/runs`, { message: 'x' });
    expect(await written('docs/sub/new.md')).toMatchObject({ via: 'api', key: KEY, flow: ofFlow });

    script.push(intent('run_flow'), callReply('run_flow', {}), ...writes('assistant'), { text: 'Done.' });
    const turn = { flow_id: id, input_value: 'run it', skip_all: true };
    await (await ada.request('/api/v1/agentic/assist/stream', { method: 'POST', json: turn })).text();
    expect(await newest(ada)).toMatchObject({ via: 'assistant', paths: ['docs/sub/new.md'], flow: ofFlow });
    expect(await content('docs/sub/new.md')).toBe('assistant');
  });

  it('has nothing of a run whose Sub-path is read-only or that tried to leave it', async () => {
    const before = await changes(ada);
    for (const readOnly of [true, false]) {
      const path = readOnly ? 'a.md' : '../notes.md';
      script.push(callReply('write_file', { path, content: 'x' }));
      const id = await storeFlow(ada, inSubPath(readOnly));
      const { body } = await post(ada, `/api/v1/flows/${id}/run`, { message: 'x' });
      expect(body.text).toBe('(end of the script)');
    }
    expect(await changes(ada)).toEqual(before);
  });

  it('names the flow whose run it is for a sub-flow', async () => {
    const outer = `name: Outer\nnodes:\n  I: ChatInput\n  F: RunFlow\n  O: ChatOutput\nedges:\n  I.message -> F.input_value\n  F.message -> O.input_value\nconfig:\n  F.flow_name_selected: ${flow}\n`;
    await post(ada, `/api/v1/flows/${await storeFlow(ada, outer)}/run`, { message: 'x' });
    expect(await newest(ada)).toMatchObject({ paths: ['Daily report.txt'], flow: { name: 'Outer' } });
  });

  it('lists the changes of one file or folder, with those of a folder above it', async () => {
    const write = (path: string) => post(ada, '/api/v1/tools/full/write_file', { path, content: 'x' });
    const ofPath = async (path: string) =>
      (await ada.json<{ changes: Shown[] }>(`/api/v1/activity/changes?path=${path}`)).body.changes.map(
        ({ tool, paths }) => `${tool} ${paths.join(' ')}`,
      );
    for (const path of ['plans/a.md', 'plans/a.md.bak', 'plans/b/c.md', 'other/plans/a.md']) await write(path);
    // More changes of other files than the list has.
    for (let at = 0; at < 21; at += 1) await write('noise.md');
    expect(await ofPath('plans/a.md')).toEqual(['write_file plans/a.md']);
    const [first] = (await ada.json<any>('/api/v1/activity/changes?path=plans/a.md')).body.changes;
    expect(first.kind, 'with the folder that the file needed').toBe('create');
    expect(await ofPath('plans')).toEqual([
      'write_file plans/b/c.md',
      'write_file plans/a.md.bak',
      'write_file plans/a.md',
    ]);
    await post(ada, '/api/v1/tools/full/move_path', { source: 'plans', destination: 'ideas' });
    expect((await ofPath('plans/a.md'))[0]).toBe('move_path plans ideas');
    expect(await ofPath('ideas/a.md')).toEqual(['move_path plans ideas']);
    expect(await ofPath('nowhere.md')).toEqual([]);
  });

  it('comes in pages that go on where the last one ended, also when changes are added meanwhile', async () => {
    const write = (path: string) => post(ada, '/api/v1/tools/full/write_file', { path, content: 'x' });
    for (let at = 0; at < 45; at += 1) await write(`pages/${at}.md`);
    const pageFrom = async (cursor?: string) =>
      (await ada.json<any>(`/api/v1/activity/changes?path=pages${cursor === undefined ? '' : `&cursor=${cursor}`}`))
        .body;
    const listed: string[] = [];
    const sizes: number[] = [];
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const page = await pageFrom(cursor);
      listed.push(...page.changes.map(({ paths }: Shown) => paths[0]));
      sizes.push(page.changes.length);
      cursor = page.nextCursor;
      await write('pages/late.md');
    }
    expect(sizes).toEqual([20, 20, 5]);
    expect(listed).toEqual(Array.from({ length: 45 }, (_, at) => `pages/${44 - at}.md`));
    expect(await pageFrom('gone')).toEqual({ nextCursor: null, changes: [] });
  });

  it('compares the files of a change for its user only', async () => {
    const write = (content: string) => post(ada, '/api/v1/tools/full/write_file', { path: 'docs/diff.md', content });
    await write('one\ntwo\n');
    await write('one\n2\n');
    const { id } = (await newest(ada)) as Shown & { id: string };
    const path = `/api/v1/activity/changes/${id}/diff`;
    const file = { kind: 'update', path: 'docs/diff.md', to: null, added: 1, removed: 1, isCut: false, problem: null };
    const diff = '@@ -1,2 +1,2 @@\n one\n-two\n+2\n';
    const compared = { status: 200, body: { files: [{ ...file, diff }], moreFiles: 0 } };
    expect(await ada.json<any>(path)).toMatchObject(compared);
    expect(await program.json<any>(path)).toMatchObject(compared);
    const bob = await server.addUser('bob');
    const refused = { status: 404, body: { error: { code: 'not_found' } } };
    expect(await bob.json<any>(path)).toMatchObject(refused);
    expect(await ada.json<any>('/api/v1/activity/changes/gone/diff')).toMatchObject(refused);
    expect((await server.stranger.request(path)).status).toBe(401);
    await post(ada, '/api/v1/files/move', { from: 'docs/diff.md', to: 'moved.md' });
    const moved = (await newest(ada)) as Shown & { id: string };
    expect((await ada.json<any>(`/api/v1/activity/changes/${moved.id}/diff`)).body.files).toMatchObject([
      { kind: 'move', path: 'docs/diff.md', to: 'moved.md', diff: '' },
    ]);
    expect((await ada.json<any>(path)).body.files).toMatchObject([{ path: 'docs/diff.md', diff }]);
  });

  it('shows names of others cut, without control characters', async () => {
    const evil = `\u001b[2J\u202e${'n'.repeat(400)}`;
    const client = await connectMcp(server, await makeKey(ada, '\u001b]0;owned\u0007'), '/mcp', newClient(evil));
    await client.callTool({ name: 'write_file', arguments: { path: 'notes.md', content: 'z' } });
    await client.close();
    const { client: name, key } = await newest(ada);
    expect(name).toMatch(/^\\u001b\[2J\\u202en+$/);
    expect(name?.length).toBeLessThan(120);
    expect(key).toBe('\\u001b]0;owned\\u0007');
  });
});

describe('the list of changes of a server without accounts', () => {
  let server: TestServer;
  let page: Visitor;
  useTestServer({ autoLogin: true }, async (started) => {
    server = started;
    page = await started.openPage();
  });

  it('has the paths that pages and agents use for what the assistant wrote and for a flow kept as a file', async () => {
    const flow = await storeFlow(page, writer('Kept'));
    const json = { flow_id: flow, input_value: 'document this flow in FLOW.md', skip_all: true };
    await (await page.request('/api/v1/agentic/assist/stream', { method: 'POST', json })).text();
    expect(await newest(page)).toMatchObject({ via: 'assistant', paths: ['FLOW.md'] });
    const client = await connectMcp(server, await makeKey(page), '/mcp/flows', newClient('cursor'));
    const deleted: any = await client.callTool({ name: 'delete_flow', arguments: { flow_id: flow } });
    await client.close();
    const path = deleted.structuredContent.kept_as;
    expect(path).toMatch(/^deleted-flows\/Kept-\w{8}\.json$/);
    expect((await page.request(`/api/v1/files/content?path=${path}`)).status).toBe(200);
    expect(await newest(page)).toMatchObject({ via: 'mcp', client: 'cursor', key: 'agent', paths: [path] });
    const { id } = (await newest(page)) as Shown & { id: string };
    expect((await post(page, '/api/v1/files/undo', { undo: id })).body).toMatchObject({ path });
  });
});
