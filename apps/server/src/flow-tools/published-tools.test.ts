import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { ADMIN, startTestServer, type TestServer, type Visitor } from '../testing.ts';

let server: TestServer;
let owner: Visitor;
let other: Visitor;

const SPEC = `name: Greet people
description: Greets
nodes:
  I: ChatInput
  T: TextInput
  C: CombineText
  O: ChatOutput
edges:
  I.message -> C.text1
  T.text -> C.text2
  C.combined_text -> O.input_value
config:
  T.input_value: hello
  C.delimiter: ", "
`;
const NET =
  'name: Net\nnodes:\n  I: ChatInput\n  A: URLComponent\n  B: ChatOutput\nedges:\n  I.message -> A.urls\n  A.raw_results -> B.input_value';

beforeAll(async () => {
  server = await startTestServer();
  await server.running.ready;
  owner = await server.signIn(ADMIN.login, ADMIN.password);
  const json = { name: 'bob', email: 'bob@example.test', password: 'password of bob' };
  await owner.json('/api/v1/users', { method: 'POST', json });
  other = await server.signIn(json.email, json.password);
}, 60_000);
afterAll(() => server?.stop());

const publish = (by: Visitor, id: string, name: string, description = 'Greets a person') =>
  by.json<any>(`/api/v1/flows/${id}/tool`, { method: 'PUT', json: { name, description } });
const unpublish = (by: Visitor, id: string) => by.json<any>(`/api/v1/flows/${id}/tool`, { method: 'DELETE' });
const imported = async (source = SPEC): Promise<string> =>
  (await owner.json<any>('/api/v1/flows/import', { method: 'POST', json: { source } })).body.flow.id;

async function clientOf(by: Visitor): Promise<Client> {
  const { body } = await by.json<any>('/api/v1/keys', { method: 'POST', json: { name: `agent ${Math.random()}` } });
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } });
  const requestInit = { headers: { authorization: `Bearer ${body.secret}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${server.url}/mcp/flows`), { requestInit }));
  return client;
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
