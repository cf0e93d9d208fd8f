import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestServer, storeFlow, type TestServer, type Visitor } from '../testing.ts';

let server: TestServer;
let service: Server;
let host: string;
let ada: Visitor;
let ben: Visitor;
/** Headers that the service got. */
const received: (string | undefined)[] = [];

beforeAll(async () => {
  service = createServer((request, response) => {
    received.push(request.headers.authorization);
    response.end('{}');
  });
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
  host = `127.0.0.1:${(service.address() as AddressInfo).port}`;
  server = await startTestServer({ flowHosts: [host] });
  await server.running.ready;
  ada = await server.signInAdmin();
  ben = await server.addUser('ben');
});
afterAll(async () => {
  await server?.stop();
  service?.closeAllConnections();
  service?.close();
});

const SPLITS = `name: Splits
nodes:
  I: TextInput
  S: SplitText
  P: ParserComponent
  O: ChatOutput
edges:
  I.text -> S.data_inputs
  S.dataframe -> P.input_data
  P.parsed_text -> O.input_value
config:
  I.input_value: one two three four
  S.chunk_size: 1000
  S.chunk_overlap: 0
  P.pattern: "{text}"
`;

const store = (spec: string) => storeFlow(ada, spec, (type) => type);
const send = (by: Visitor, flow: string, path: string, json: object) =>
  by.json<any>(`/api/v1/flows/${flow}/${path}`, { method: 'POST', json });
const share = (flow: string) =>
  ada.json(`/api/v1/flows/${flow}/shares`, { method: 'PUT', json: { user: 'ben@example.test', access: 'edit' } });

it('a tweak changes an exposed field for one run, direct or queued, and leaves the stored flow', async () => {
  const flow = await store(SPLITS);
  const tweaks = { SplitText: { chunk_size: 9 }, ParserComponent: { pattern: '<{text}>' } };
  expect((await send(ada, flow, 'run', {})).body.text).toBe('one two three four');
  const tweaked = (await send(ada, flow, 'run', { tweaks })).body.text;
  expect(tweaked).toMatch(/^<one two>\n</);
  const { id } = (await send(ada, flow, 'runs', { tweaks })).body;
  const found = async () => (await ada.json<any>(`/api/v1/runs/${id}`)).body.run;
  await expect.poll(async () => (await found()).status).toBe('completed');
  expect((await found()).text).toBe(tweaked);
  expect((await send(ada, flow, 'run', { tweaks: { SplitText: {} } })).body.text).toBe('one two three four');
});

it('a tweak reaches no code, query, secret, connection or hidden field, and the error names the exposed ones', async () => {
  const flow = await store(SPLITS);
  const refusals: [object, string][] = [
    [{ Nothing: { x: 1 } }, "no component 'Nothing'"],
    [
      { SplitText: { nothing: 1 } },
      "'nothing' of SplitText is not an exposed field. Exposed are chunk_size, chunk_overlap, separator.",
    ],
    [{ SplitText: { data_inputs: 'x' } }, "'data_inputs' of SplitText is not an exposed field"],
    [{ SplitText: { chunk_size: 'many' } }, "'chunk_size' of SplitText must be"],
    [{ SplitText: { chunk_size: 5, toString: 1 } }, "'toString' of SplitText is not an exposed field"],
  ];
  for (const [tweaks, message] of refusals)
    for (const path of ['run', 'run/stream', 'runs'])
      expect(await send(ada, flow, path, { tweaks })).toMatchObject({
        status: 400,
        body: { error: { code: 'invalid', message: expect.stringContaining(message) } },
      });
  const others = await store(
    'name: R\nnodes:\n  R: APIRequest\n  C: TypeScriptCode\n  T: TypeConverterComponent\n  O: ChatOutput\nedges:\n  R.data -> T.input_data\n  T.message_output -> O.input_value\n  C.result -> O.input_value\n',
  );
  for (const [node, field, value] of [
    ['APIRequest', 'headers', []],
    ['APIRequest', 'credential', 'API_TOKEN'],
    ['APIRequest', 'curl_input', 'curl x'],
    ['TypeScriptCode', 'code', 'export class X {}'],
  ] as const)
    expect((await send(ada, others, 'run', { tweaks: { [node]: { [field]: value } } })).body.error.message).toContain(
      `'${field}' of ${node} is not an exposed field`,
    );
});

it('a run sets no command, neither as a tweak nor as an input', async () => {
  const flow = await store('name: M\nnodes:\n  M: MCPTools\nconfig:\n  M.transport: Command\n  M.command: none\n');
  const values = { MCPTools: { command: 'touch x' } };
  expect((await send(ada, flow, 'run', { inputs: values })).body.error.message).toContain(
    "'command' of MCPTools is set in the flow, not by a run.",
  );
  expect((await send(ada, flow, 'run', { tweaks: values })).body.error.message).toContain(
    "'command' of MCPTools is not an exposed field",
  );
});

it('a run chooses no MCP server, no secret and no whole request, neither as a tweak nor as an input', async () => {
  const flow = await store(
    'name: M\nnodes:\n  M: MCPTools\n  R: APIRequest\nconfig:\n  M.url: https://mcp.example/\n  R.url_input: https://api.example/\n',
  );
  for (const [node, field, value] of [
    ['MCPTools', 'url', 'https://evil.example/'],
    ['MCPTools', 'transport', 'Command'],
    ['MCPTools', 'credential', 'API_TOKEN'],
    ['APIRequest', 'credential', 'API_TOKEN'],
    ['APIRequest', 'curl_input', 'curl https://evil.example/'],
  ] as const) {
    const values = { [node]: { [field]: value } };
    expect((await send(ada, flow, 'run', { inputs: values })).body.error?.message).toContain(
      `'${field}' of ${node} is set in the flow, not by a run.`,
    );
    expect((await send(ada, flow, 'run', { tweaks: values })).body.error?.message).toContain(
      `'${field}' of ${node} is not an exposed field`,
    );
  }
});

it('a shared flow runs as it is stored: a tweak is refused with the inputs of the flow', async () => {
  const flow = await store(SPLITS);
  await share(flow);
  for (const path of ['run', 'run/stream', 'runs'])
    expect(await send(ben, flow, path, { tweaks: { SplitText: { chunk_size: 9 } } })).toMatchObject({
      status: 403,
      body: {
        error: {
          code: 'forbidden',
          message: expect.stringMatching(
            /'chunk_size' of SplitText cannot be changed.*`inputs` for TextInput\.input_value/,
          ),
        },
      },
    });
  expect((await send(ben, flow, 'run', { inputs: { TextInput: { input_value: 'his' } } })).body.text).toBe('his');
});

it('a shared flow uses the keys and files of the user who runs it, and not those of its owner', async () => {
  const flow = await store(
    `name: R\nnodes:\n  R: APIRequest\n  T: TypeConverterComponent\n  O: ChatOutput\nedges:\n  R.data -> T.input_data\n  T.message_output -> O.input_value\nconfig:\n  R.url_input: http://${host}/\n  R.credential: API_TOKEN\n`,
  );
  await share(flow);
  const setToken = (by: Visitor, value: string) =>
    by.json('/api/v1/variables/API_TOKEN', { method: 'PUT', json: { value, hosts: [`http://${host}`] } });
  await setToken(ada, 'token-of-ada');
  expect((await send(ben, flow, 'run', {})).body.failure).toMatchObject({
    node: 'APIRequest',
    message: expect.stringContaining('API_TOKEN'),
  });
  await setToken(ben, 'token-of-ben');
  for (const by of [ben, ada]) expect((await send(by, flow, 'run', {})).body.status).toBe('completed');
  expect(received).toEqual(['Bearer token-of-ben', 'Bearer token-of-ada']);
  // The history of a run belongs to the user who ran the flow.
  const runs = async (by: Visitor) => (await by.json<any>(`/api/v1/runs?flow=${flow}`)).body.runs.length;
  expect([await runs(ada), await runs(ben)]).toEqual([1, 2]);

  const reads = await store(
    'name: Reads\nnodes:\n  D: DocumentText\n  O: ChatOutput\nedges:\n  D.text -> O.input_value\nconfig:\n  D.file: notes.md\n',
  );
  await share(reads);
  const write = (by: Visitor, body: string) =>
    by.request('/api/v1/files/content?path=notes.md', { method: 'PUT', body, headers: { 'x-croft': '1' } });
  await write(ada, 'hers');
  expect((await send(ben, reads, 'run', {})).body.failure.node).toBe('DocumentText');
  await write(ben, 'his');
  expect((await send(ben, reads, 'run', {})).body.text).toBe('his');
});
