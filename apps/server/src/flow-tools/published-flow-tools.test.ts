import { Client } from '@modelcontextprotocol/client';
import { beforeEach, expect, it, vi } from 'vitest';
import type { TestServer, Visitor } from '../testing.ts';
import { joins } from '../testing-flows.ts';
import { connectMcp } from '../testing-mcp.ts';
import { useTestServer } from '../use-test-server.ts';

let server: TestServer;
let owner: Visitor;
let other: Visitor;

const SPEC = joins('name: Greet people\ndescription: Greets', ', ', 'hello');
const NET =
  'name: Net\nnodes:\n  I: ChatInput\n  A: URLComponent\n  B: ChatOutput\nedges:\n  I.message -> A.urls\n  A.raw_results -> B.input_value';

useTestServer({}, async (started) => {
  server = started;
  owner = await started.signInAdmin();
  other = await started.addUser('bob');
});

const publish = (by: Visitor, id: string, name: string, description = 'Greets a person') =>
  by.json<any>(`/api/v1/flows/${id}/tool`, { method: 'PUT', json: { name, description } });
const unpublish = (by: Visitor, id: string) => by.json<any>(`/api/v1/flows/${id}/tool`, { method: 'DELETE' });
const imported = async (source = SPEC): Promise<string> =>
  (await owner.json<any>('/api/v1/flows/import', { method: 'POST', json: { source } })).body.flow.id;

/** Edits nodes, which are named by their types. */
async function edit(
  by: Visitor,
  id: string,
  edits: readonly { kind: string; id: string; [field: string]: unknown }[],
): Promise<void> {
  const { version, document } = (await by.json<any>(`/api/v1/flows/${id}`)).body.flow;
  const idOf = (type: string) => document.nodes.find((node: any) => node.type === type).id;
  const json = { base: version, edits: edits.map((each) => ({ ...each, id: idOf(each.id) })) };
  expect((await by.json(`/api/v1/flows/${id}/edits`, { method: 'POST', json })).status).toBe(200);
}

async function clientOf(by: Visitor): Promise<Client> {
  const { body } = await by.json<any>('/api/v1/keys', { method: 'POST', json: { name: `agent ${Math.random()}` } });
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } });
  return connectMcp(server, body.secret, '/mcp/flows', client);
}
const toolsOf = async (client: Client) =>
  (await client.listTools()).tools.filter(({ name }) => name.startsWith('flow_')) as any[];

beforeEach(async () => {
  for (const flow of (await owner.json<any>('/api/v1/flows')).body.flows) await unpublish(owner, flow.id);
});

it('becomes a tool with typed arguments when its owner publishes the flow', async () => {
  const client = await clientOf(owner);
  const id = await imported();
  expect(await toolsOf(client)).toEqual([]);
  expect((await owner.json<any>(`/api/v1/flows/${id}/tool`)).body).toEqual({
    tool: null,
    suggestion: 'flow_greet_people',
  });
  const published = await publish(owner, id, 'flow_greet');
  expect(published.body.tool.inputs).toMatchObject([
    { name: 'chat_input', type: 'string', required: true },
    { name: 'text_input', type: 'string', required: false },
  ]);
  expect(await toolsOf(client)).toMatchObject([
    {
      name: 'flow_greet',
      description: 'Greets a person',
      inputSchema: {
        type: 'object',
        properties: { chat_input: { type: 'string' }, text_input: { type: 'string' } },
        required: ['chat_input'],
        additionalProperties: false,
      },
      outputSchema: { type: 'object' },
    },
  ]);
  const call = (args: object) => client.callTool({ name: 'flow_greet', arguments: args as never }) as Promise<any>;
  expect((await call({ chat_input: 'Ada' })).structuredContent).toMatchObject({
    status: 'completed',
    text: 'Ada, hello',
  });
  expect((await call({ chat_input: 'Ada', text_input: 'good day' })).structuredContent.text).toBe('Ada, good day');
  expect(await call({})).toMatchObject({ isError: true });
  expect(await call({ chat_input: 'Ada', code: 'x' })).toMatchObject({ isError: true });
  expect((await unpublish(owner, id)).body).toEqual({ removed: true });
  expect(await toolsOf(client)).toEqual([]);
  await client.close();
});

it('belongs to its owner: no other user sees, calls, publishes or removes it', async () => {
  const id = await imported();
  await publish(owner, id, 'flow_mine');
  const client = await clientOf(other);
  expect(await toolsOf(client)).toEqual([]);
  const called: any = await client
    .callTool({ name: 'flow_mine', arguments: { chat_input: 'x' } })
    .catch((error: unknown) => error);
  expect(called instanceof Error || called.isError).toBe(true);
  expect((await publish(other, id, 'flow_theirs')).status).toBe(404);
  await owner.json(`/api/v1/flows/${id}/shares`, { method: 'PUT', json: { user: 'bob@example.test', access: 'edit' } });
  expect((await publish(other, id, 'flow_theirs')).status).toBe(403);
  expect((await unpublish(other, id)).status).toBe(403);
  expect(await toolsOf(client)).toEqual([]);
  await client.close();
});

it('refuses names that are not of a published flow, or of another one', async () => {
  const [first, second] = [await imported(), await imported()];
  for (const name of ['run_flow', 'flow_', 'flow_A', 'flow_a b', 'flow_a\n', `flow_${'a'.repeat(59)}`])
    expect([name, (await publish(owner, first, name)).status]).toEqual([name, 400]);
  expect((await publish(owner, first, 'flow_one')).status).toBe(200);
  expect((await publish(owner, second, 'flow_one')).body).toMatchObject({ error: { code: 'exists' } });
  const both = await Promise.all([publish(owner, first, 'flow_two'), publish(owner, second, 'flow_two')]);
  expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
});

it('asks before it reaches the network, as a run of the flow does', async () => {
  const id = await imported(NET);
  await publish(owner, id, 'flow_net', 'Reads a page');
  const client = await clientOf(owner);
  const called: any = await client.callTool({ name: 'flow_net', arguments: { chat_input: 'https://example.test' } });
  expect(called).toMatchObject({ isError: true });
  expect(called.content[0].text).toContain(`${server.url}/flows/${id}`);
  expect((await owner.json<any>(`/api/v1/runs?flow=${id}`)).body.runs).toEqual([]);
  await client.close();
});

/** How many stored documents with this text the server parses during some work. */
async function parsedDuring(text: string, work: () => Promise<unknown>): Promise<number> {
  const parse = vi.spyOn(JSON, 'parse');
  try {
    await work();
    const documents = parse.mock.calls.filter(([json]) => `${json}`.includes(text) && `${json}`.includes('"nodes":['));
    return documents.length;
  } finally {
    parse.mockRestore();
  }
}

it('parses no document for a list or for a call of another tool, and one for a call', async () => {
  const ids: string[] = [];
  for (const name of ['a', 'b', 'c']) {
    const id = await imported(SPEC.replace('hello', `count documents ${name}`));
    await publish(owner, id, `flow_count_${name}`);
    ids.push(id);
  }
  const client = await clientOf(owner);
  const call = (name: string, args = {}) => client.callTool({ name, arguments: args }) as Promise<any>;
  const during = (work: () => Promise<unknown>) => parsedDuring('count documents', work);
  expect(await during(() => clientOf(owner).then((other) => other.close()))).toBe(0);
  expect(await during(() => client.listTools())).toBe(0);
  expect(await during(() => call('list_starter_projects'))).toBe(0);
  expect(await during(() => call('flow_unknown').catch(() => undefined))).toBe(0);
  const greet = () => call('flow_count_b', { chat_input: 'Ada' });
  expect(await during(async () => expect((await greet()).structuredContent.text).toContain('Ada'))).toBe(1);
  // A changed flow is parsed once, however many clients list it at the same time.
  await edit(owner, ids[0] ?? '', [{ kind: 'configure', id: 'ChatInput', values: { input_value: 'Grace' } }]);
  const lists = () => Promise.all(Array.from({ length: 6 }, () => toolsOf(client)));
  expect(await during(lists)).toBe(1);
  expect((await toolsOf(client))[0].inputSchema.required ?? []).toEqual([]);
  expect(await during(lists)).toBe(0);
  await client.close();
});

it('has at most 50 arguments', async () => {
  const nodes = Array.from({ length: 60 }, (_, index) => `  T${index}: TextInput\n`).join('');
  const id = await imported(`name: Many\nnodes:\n${nodes}  O: ChatOutput\nedges:\n  T0.text -> O.input_value\n`);
  expect((await publish(owner, id, 'flow_many')).body.tool.inputs).toHaveLength(50);
});

it('runs no change of another user before its owner accepts it, and shows no labels of that user', async () => {
  const id = await imported(
    'name: Note\nnodes:\n  I: ChatInput\n  W: SaveToFile\n  O: ChatOutput\nedges:\n  I.message -> W.input\n  W.message -> O.input_value\nconfig:\n  W.file_name: note.txt\n',
  );
  await publish(owner, id, 'flow_note', 'Keeps a note');
  const file = '/api/v1/files/content?path=precious.txt';
  expect((await owner.request(file, { method: 'PUT', body: 'precious', headers: { 'x-croft': '1' } })).status).toBe(
    201,
  );
  await owner.json(`/api/v1/flows/${id}/shares`, { method: 'PUT', json: { user: 'bob@example.test', access: 'edit' } });
  await edit(other, id, [
    { kind: 'configure', id: 'SaveToFile', values: { file_name: 'precious.txt' } },
    { kind: 'rename', id: 'ChatInput', name: 'Injected label' },
  ]);
  const client = await clientOf(owner);
  const call = () => client.callTool({ name: 'flow_note', arguments: { chat_input: 'overwritten' } }) as Promise<any>;
  expect(JSON.stringify(await toolsOf(client))).not.toMatch(/injected/i);
  const refused = await call();
  expect(refused).toMatchObject({ isError: true });
  expect(refused.content[0].text).toContain(`accept it on this page: ${server.url}/flows/${id}/use`);
  expect(await (await owner.request(file)).text()).toBe('precious');
  const { version } = (await owner.json<any>(`/api/v1/flows/${id}/acceptance`)).body;
  await owner.json(`/api/v1/flows/${id}/acceptance`, { method: 'PUT', json: { version } });
  expect((await toolsOf(client))[0].inputSchema.required).toEqual(['injected_label']);
  await client.callTool({ name: 'flow_note', arguments: { injected_label: 'overwritten' } });
  expect(await (await owner.request(file)).text()).toBe('overwritten');
  await client.close();
});

it('declares that a run may replace files', async () => {
  await publish(owner, await imported(), 'flow_hints');
  const client = await clientOf(owner);
  const { tools } = await client.listTools();
  for (const name of ['flow_hints', 'run_flow', 'build_flow', 'run_assistant'])
    expect([name, tools.find((tool) => tool.name === name)?.annotations]).toMatchObject([
      name,
      { readOnlyHint: false, destructiveHint: true, openWorldHint: true },
    ]);
  await client.close();
});
