import { Client } from '@modelcontextprotocol/client';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { TEMPLATES } from '@croft/components';
import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, storeFlow, type TestServer, type Visitor, visitor } from '../testing.ts';
import { ASKS, requestFlow } from '../testing-flows.ts';
import { connectMcp } from '../testing-mcp.ts';

const KEY = 'sk-canary-of-a-provider-key';
const TOKEN = 'canary of "a" token';
const ENVIRONMENT = 'canary-of-the-environment';
const LOGS_ITS_INPUT = `nodes:
  U: ChatInput
  Code: TypeScriptCode
  O: ChatOutput
edges:
  U.message -> Code.value
  Code.result -> O.input_value
config:
  Code.code: |
    export class Logs extends Component {
      inputs = [{ name: 'value', kind: 'text', default: '' }];
      outputs = [{ name: 'result', types: ['Message'], method: 'build' }];
      build() {
        this.log('got', this.value);
        return 'done';
      }
    }
`;

let server: TestServer;
let alice: Visitor;
let bob: Visitor;
/** Allowed by CROFT_FLOW_HOSTS. */
let service: Endpoint;
/** Not allowed. */
let hidden: Endpoint;
/** Everything that a client of Alice received. */
const received: string[] = [];

interface Endpoint {
  readonly host: string;
  readonly requests: { readonly path: string; readonly headers: IncomingMessage['headers'] }[];
  readonly left: string[];
  readonly server: Server;
}

/** Answers what `act` says; a path with `slow` gets no answer. */
async function startEndpoint(act: (request: IncomingMessage, response: ServerResponse) => void): Promise<Endpoint> {
  const endpoint = { requests: [] as Endpoint['requests'], left: [] as string[] };
  const listening = createServer((request, response) => {
    const path = request.url ?? '';
    endpoint.requests.push({ path, headers: request.headers });
    response.once('close', () => endpoint.left.push(path));
    if (!path.includes('slow')) act(request, response);
  });
  await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve));
  return { ...endpoint, host: `127.0.0.1:${(listening.address() as AddressInfo).port}`, server: listening };
}

beforeAll(async () => {
  process.env['ANTHROPIC_API_KEY'] = ENVIRONMENT;
  service = await startEndpoint((request, response) => {
    // A provider that refuses a key and repeats it, and a service that repeats its token.
    const isProvider = request.url?.includes('/v1/');
    const said = request.headers.authorization ?? '';
    response.writeHead(isProvider ? 401 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ error: { message: `refused: ${said}` }, said }));
  });
  hidden = await startEndpoint((_, response) => response.end('hidden'));
  server = await startTestServer({ flowHosts: [service.host] });
  await server.running.ready;
  alice = listening(await server.addUser('alice'));
  bob = await server.addUser('bob');
});
afterAll(async () => {
  delete process.env['ANTHROPIC_API_KEY'];
  await server?.stop();
  for (const each of [service, hidden]) each?.server.closeAllConnections();
  for (const each of [service, hidden]) each?.server.close();
});

function listening(visitor: Visitor): Visitor {
  return {
    ...visitor,
    async json<T>(...asked: Parameters<Visitor['json']>) {
      const answer = await visitor.json<T>(...asked);
      received.push(JSON.stringify(answer.body));
      return answer;
    },
  };
}

/** The id of each node is its type. */
const store = (by: Visitor, named: string) => storeFlow(by, named, (type) => type);

const runFlow = (by: Visitor, id: string, json: object = {}) =>
  by.json<any>(`/api/v1/flows/${id}/run`, { method: 'POST', json });
const getRun = async (by: Visitor, id: string) => (await by.json<any>(`/api/v1/runs/${id}`)).body.run;
const setVariable = async (name: string, value: string, hosts: string[] = []) =>
  expect((await alice.json(`/api/v1/variables/${name}`, { method: 'PUT', json: { value, hosts } })).status).toBe(200);

async function readEvents(response: Response): Promise<EventSourceMessage[]> {
  const text = await response.text();
  received.push(text);
  const events: EventSourceMessage[] = [];
  createParser({ onEvent: (event) => events.push(event) }).feed(text);
  return events;
}

describe('a stored flow', () => {
  it('runs without any key, and is in the history with a timeline', async () => {
    const id = await store(alice, 'chat');
    const { status, body } = await runFlow(alice, id, { message: 'Say "good morning"' });
    expect([status, body.status, body.failure]).toEqual([200, 'completed', null]);
    expect(body.text).toContain('good morning');
    expect(body.outputs.ChatOutput.message.text).toBe(body.text);
    const run = await getRun(alice, body.id);
    expect(run).toMatchObject({ flowId: id, flowName: 'Chat', status: 'completed', text: body.text });
    expect(run.timeline.map((entry: any) => [entry.node, entry.status])).toEqual([
      ['ChatInput', 'finished'],
      ['LanguageModelComponent', 'finished'],
      ['ChatOutput', 'finished'],
    ]);
    expect(run.timeline[1]).toMatchObject({ inputs: expect.anything(), outputs: expect.anything() });
    const { body: list } = await alice.json<any>(`/api/v1/runs?flow=${id}`);
    expect(list).toMatchObject({ runs: [{ id: body.id, endedAt: expect.any(String) }], nextCursor: null });
    expect((await alice.json(`/api/v1/runs/${body.id}`, { method: 'DELETE' })).status).toBe(200);
    expect((await alice.json(`/api/v1/runs/${body.id}`)).status).toBe(404);
  });

  it('streams its events, which can be left and resumed by id', async () => {
    const id = await store(alice, 'chat');
    const ask = { method: 'POST', json: { message: 'Say "good morning"' } };
    const all = await readEvents(await alice.request(`/api/v1/flows/${id}/run/stream`, ask));
    expect(all[0]?.event).toBe('run');
    expect(all.at(-1)?.event).toBe('run_finished');
    expect(all.map(({ event }) => event)).toContain('token');
    const { id: runId } = JSON.parse(all[0]?.data ?? '');
    const follow = async (after?: string) =>
      readEvents(
        await alice.request(`/api/v1/runs/${runId}/events`, after ? { headers: { 'last-event-id': after } } : {}),
      );
    const data = (events: EventSourceMessage[]) => events.map((event) => [event.id, event.event, event.data]);
    expect(data(await follow())).toEqual(data(all));
    expect(data(await follow(all[3]?.id))).toEqual(data(all.slice(4)));
    expect((await follow('unknown.7')).map(({ event }) => event)).toEqual(['reset']);
  });

  it('reads and writes files of its caller only, and its writes can be undone', async () => {
    await alice.request('/api/v1/files/content?path=orders.csv', {
      method: 'PUT',
      body: 'region,product,amount\nNorth,Wool,120\n',
      headers: { 'x-croft': '1' },
    });
    const { body } = await runFlow(alice, await store(alice, 'sales-report'));
    expect(body).toMatchObject({ status: 'completed', text: expect.stringContaining('North: 120') });
    expect(await (await alice.request('/api/v1/files/content?path=report.txt')).text()).toContain('North: 120');
    const { body: activity } = await alice.json<any>('/api/v1/activity/changes');
    expect(activity.changes[0]).toMatchObject({ tool: 'flow', kind: 'create', paths: ['report.txt'] });
    const failed = await runFlow(bob, await store(bob, 'sales-report'));
    expect(failed).toMatchObject({ status: 422, body: { status: 'failed', failure: { node: 'ReadData' } } });
    expect(JSON.stringify(failed.body)).not.toContain(server.baseDir);
    expect((await bob.json('/api/v1/files/content?path=report.txt')).status).toBe(404);
  });

  it('reaches no private address but those of CROFT_FLOW_HOSTS', async () => {
    const allowed = await runFlow(alice, await store(alice, requestFlow(`http://${service.host}/hello`)));
    expect(allowed).toMatchObject({ status: 200, body: { status: 'completed' } });
    const refused = await runFlow(alice, await store(alice, requestFlow(`http://${hidden.host}/`)));
    expect(refused).toMatchObject({ status: 422, body: { failure: { node: 'APIRequest', fix: expect.any(String) } } });
    expect(hidden.requests).toEqual([]);
  });

  it('is cancelled when its client goes away, or when its user asks', async () => {
    const id = await store(alice, requestFlow(`http://${service.host}/slow`));
    const leaving = new AbortController();
    const ask = { method: 'POST', json: {}, signal: leaving.signal };
    const answer = alice.request(`/api/v1/flows/${id}/run`, ask).catch(() => 'left');
    await expect.poll(() => service.requests.filter(({ path }) => path === '/slow').length).toBe(1);
    leaving.abort();
    expect(await answer).toBe('left');
    const newest = async () => (await alice.json<any>(`/api/v1/runs?flow=${id}&limit=1`)).body.runs[0];
    await expect.poll(async () => (await newest()).status).toBe('cancelled');
    expect(service.left).toContain('/slow');

    const stream = await alice.request(`/api/v1/flows/${id}/run/stream`, { method: 'POST', json: {} });
    const runId = stream.headers.get('croft-run-id') ?? '';
    await expect.poll(() => service.requests.filter(({ path }) => path === '/slow').length).toBe(2);
    for (const path of [`/api/v1/runs/${runId}/cancel`, `/api/v1/flows/${id}/run`, `/api/v1/flows/${id}/run/stream`])
      expect((await bob.json(path, { method: 'POST', json: {} })).status).toBe(404);
    for (const [path, method] of [
      [`/api/v1/runs/${runId}/events`, 'GET'],
      [`/api/v1/runs/${runId}`, 'GET'],
      [`/api/v1/runs/${runId}`, 'DELETE'],
    ] as const)
      expect([path, (await bob.json(path, { method })).status]).toEqual([path, 404]);
    expect(await newest()).toMatchObject({ id: runId, status: 'running' });
    expect((await bob.json<any>('/api/v1/runs')).body.runs.map((run: any) => run.id)).not.toContain(runId);
    expect((await alice.json(`/api/v1/runs/${runId}/cancel`, { method: 'POST', json: {} })).status).toBe(200);
    expect(JSON.parse((await readEvents(stream)).at(-1)?.data ?? '')).toMatchObject({ status: 'cancelled' });
  });

  it('is cancelled when the API key that started it is revoked, also after its reader left', async () => {
    const { key, secret } = (await alice.json<any>('/api/v1/keys', { method: 'POST', json: { name: 'leaked' } })).body;
    const thief = visitor(server.url, { authorization: `Bearer ${secret}` });
    const id = await store(alice, requestFlow(`http://${service.host}/slow`));
    const leaving = new AbortController();
    const started = { method: 'POST', json: {}, signal: leaving.signal };
    const stream = await thief.request(`/api/v1/flows/${id}/run/stream`, started);
    const streamed = stream.headers.get('croft-run-id') ?? '';
    leaving.abort();
    const client = new Client(
      { name: 'thief', version: '1' },
      { versionNegotiation: { mode: 'auto' }, capabilities: { elicitation: {} } },
    );
    client.setRequestHandler('elicitation/create', () => ({ action: 'accept' as const, content: { allow: true } }));
    await connectMcp(server, secret, '/mcp/flows', client);
    const { structuredContent } = await client.callTool({ name: 'build_flow', arguments: { flow_id: id } });
    await client.close();
    const built = (structuredContent as { job_id: string }).job_id;
    await alice.json(`/api/v1/keys/${key.id}`, { method: 'DELETE' });
    for (const runId of [streamed, built])
      await expect.poll(async () => (await getRun(alice, runId)).status).toBe('cancelled');
  });

  it('is followed only while the session of its reader lasts, also where it waits for a person', async () => {
    const id = await store(alice, ASKS);
    const queued = await alice.json<any>(`/api/v1/flows/${id}/runs`, { method: 'POST', json: { message: 'x' } });
    const thief = await server.signIn('alice@example.test', 'password of alice');
    const stream = await thief.request(`/api/v1/runs/${queued.body.id}/events`);
    let isOpen = true;
    const end = () => void (isOpen = false);
    stream.text().then(end, end);
    expect((await thief.json('/api/v1/session', { method: 'DELETE' })).status).toBe(200);
    await expect.poll(() => isOpen).toBe(false);
    expect((await getRun(alice, queued.body.id)).status).toBe('waiting');
    await alice.json(`/api/v1/runs/${queued.body.id}/cancel`, { method: 'POST', json: {} });
  });

  it('shows its nodes while it is under way, and is listed by its state', async () => {
    const id = await store(alice, requestFlow(`http://${service.host}/slow`));
    const listed = async (status: string) =>
      (await alice.json<any>(`/api/v1/runs?flow=${id}&status=${status}`)).body.runs.map((run: any) => run.id);
    const stream = await alice.request(`/api/v1/flows/${id}/run/stream`, { method: 'POST', json: {} });
    const runId = stream.headers.get('croft-run-id') ?? '';
    // From the moment on at which its client has the id.
    expect(await getRun(alice, runId)).toMatchObject({ id: runId, flowId: id, flowName: 'Request', status: 'running' });
    const nodes = async () => (await getRun(alice, runId)).timeline;
    await expect
      .poll(nodes)
      .toMatchObject([{ node: 'APIRequest', status: 'running', startedMs: expect.any(Number), inputs: {} }]);
    expect([await listed('running'), await listed('cancelled'), await listed('waiting')]).toEqual([[runId], [], []]);
    await alice.json(`/api/v1/runs/${runId}/cancel`, { method: 'POST', json: {} });
    await readEvents(stream);
    expect([await listed('running'), await listed('cancelled')]).toEqual([[], [runId]]);
    expect((await alice.json('/api/v1/runs?status=other')).status).toBe(400);
  });

  it('names the values that a request takes, where one has another name', async () => {
    const { status, body } = await runFlow(alice, await store(alice, 'chat'), { input: 'one two three' });
    expect([status, body]).toEqual([
      400,
      {
        error: {
          code: 'invalid',
          message:
            'Unrecognized key: "input" (in the body). Known names: message, session, inputs, tweaks, from, timeoutSeconds, until, startAt',
        },
      },
    ]);
  });

  it('takes values for its inputs only', async () => {
    const id = await store(alice, 'chat');
    const refusals: [object, string][] = [
      [{ inputs: { LanguageModelComponent: { model: 'x' } } }, "'LanguageModelComponent' is not an input"],
      [{ inputs: { ChatInput: { nothing: 'x' } } }, "'nothing' of ChatInput is not a field"],
      [{ inputs: { ChatInput: { sender: 'Root' } } }, "'sender' of ChatInput must be one of"],
    ];
    for (const [json, message] of refusals)
      expect(await runFlow(alice, id, json)).toMatchObject({
        status: 400,
        body: { error: { code: 'invalid', message: expect.stringContaining(message) } },
      });
    const incomplete = await store(alice, 'name: Nothing\nnodes:\n  O: ChatOutput\n');
    expect((await runFlow(alice, incomplete)).body.error.message).toMatch(/ChatOutput/);
    expect((await runFlow(alice, incomplete, { message: 'x' })).body.error.message).toContain('no chat input');
  });

  it('runs up to a component: what follows it, and problems elsewhere, do not matter', async () => {
    const spec = `name: Two steps
nodes:
  T: TextInput
  P: PromptTemplate
  R: ReadData
  O: ChatOutput
edges:
  T.text -> P.word
  P.prompt -> O.input_value
config:
  T.input_value: hello
  P.template: "say {word}"
`;
    const id = await store(alice, spec);
    expect((await runFlow(alice, id)).status).toBe(400);
    const { status, body } = await runFlow(alice, id, { until: 'PromptTemplate' });
    expect([status, Object.keys(body.outputs), JSON.stringify(body.outputs)]).toEqual([
      200,
      ['PromptTemplate'],
      expect.stringContaining('say hello'),
    ]);
    const nodes = (await getRun(alice, body.id)).timeline.map(({ node }: { node: string }) => node);
    expect(nodes.toSorted()).toEqual(['PromptTemplate', 'TextInput']);
    expect((await runFlow(alice, id, { until: 'nothing' })).status).toBe(400);
  });

  it('runs from a component on, with what the run before kept of the components before it', async () => {
    const id = await store(alice, requestFlow(`http://${service.host}/again`));
    const sent = () => service.requests.filter(({ path }) => path === '/again').length;
    const startAt = 'TypeConverterComponent';
    expect((await runFlow(alice, id)).status).toBe(200);
    expect((await runFlow(alice, id, { startAt })).status).toBe(200);
    // A run of a program keeps nothing.
    expect(sent()).toBe(2);
    const { body } = await runFlow(alice, id, { startAt });
    expect([sent(), body.status, body.text]).toEqual([2, 'completed', expect.stringContaining('refused')]);
    expect((await getRun(alice, body.id)).timeline.map(({ node }: { node: string }) => node)).toContain('ChatOutput');
    // A component whose fields changed runs again.
    const setUrl = { kind: 'configure', id: 'APIRequest', values: { url_input: `http://${service.host}/again?b` } };
    const edited = await alice.json(`/api/v1/flows/${id}/edits`, {
      method: 'POST',
      json: { base: 1, edits: [setUrl] },
    });
    expect(edited).toMatchObject({ status: 200 });
    await runFlow(alice, id, { startAt });
    expect(service.requests.at(-1)?.path).toBe('/again?b');
    const refused = [{ startAt: 'nothing' }, { startAt: 'ChatOutput', until: 'APIRequest' }];
    for (const json of refused) expect((await runFlow(alice, id, json)).status).toBe(400);
  });

  it('runs from a component on with the inputs of the run before, and without those of other parts', async () => {
    const spec = `name: Two inputs
nodes:
  T: TextInput
  U: ChatInput
  P: PromptTemplate
  O: ChatOutput
  Q: TextOutput
edges:
  T.text -> P.word
  P.prompt -> O.input_value
  U.message -> Q.input_value
config:
  P.template: "say {word}"
`;
    const id = await store(alice, spec);
    const inputs = { TextInput: { input_value: 'one' }, ChatInput: { input_value: 'two' } };
    expect((await runFlow(alice, id, { inputs, from: 'canvas' })).status).toBe(200);
    const again = await runFlow(alice, id, { inputs, startAt: 'PromptTemplate' });
    expect([again.status, again.body.text]).toEqual([200, 'say one']);
  });
});

describe('a secret', () => {
  it('of the environment is used by no run, and one of a variable shows up nowhere', async () => {
    const chat = await store(alice, 'chat');
    const { body: models } = await alice.json<any>('/api/v1/models');
    expect(models.preferred.provider).toBe('croft');
    await setVariable('OPENAI_COMPATIBLE_BASE_URL', `http://${service.host}/v1`);
    await setVariable('OPENAI_COMPATIBLE_API_KEY', KEY);
    await setVariable('API_TOKEN', TOKEN, [`http://${service.host}`]);
    const model = 'OpenAI compatible/local';
    const asked = await store(
      alice,
      TEMPLATES.find(({ name }) => name === 'chat')?.spec + `config:\n  M.model: ${model}\n`,
    );
    const refused = await runFlow(alice, asked, { message: 'hello' });
    expect(refused).toMatchObject({ status: 422, body: { failure: { node: 'LanguageModelComponent' } } });
    expect(service.requests.map(({ headers }) => headers.authorization)).toContain(`Bearer ${KEY}`);
    const ask = { method: 'POST', json: { message: 'hello' } };
    await readEvents(await alice.request(`/api/v1/flows/${asked}/run/stream`, ask));

    const credential = '  R.credential: API_TOKEN\n';
    const echoed = await runFlow(alice, await store(alice, requestFlow(`http://${service.host}/echo`, credential)));
    expect(echoed).toMatchObject({ status: 200, body: { text: expect.stringContaining('***') } });
    expect(service.requests.at(-1)?.headers.authorization).toContain(TOKEN);
    await runFlow(alice, chat, { message: `Use ${TOKEN} and ${KEY}` });
    const logging = await storeFlow(alice, LOGS_ITS_INPUT);
    const logged = await runFlow(alice, logging, { message: `Use ${TOKEN}` });
    expect((await getRun(alice, logged.body.id)).timeline[1]).toMatchObject({
      node: expect.stringMatching(/^TypeScriptCode/),
      log: ['got Use ***'],
    });
    await readEvents(
      await alice.request(`/api/v1/flows/${logging}/run/stream`, { method: 'POST', json: { message: TOKEN } }),
    );
    const { runs } = (await alice.json<any>('/api/v1/runs')).body;
    expect(runs[2].input).toBe('Use *** and ***');
    for (const { id } of runs) await getRun(alice, id);
    // Bob has no such variables: the flow of another user does not lend them.
    const his = await runFlow(bob, await store(bob, requestFlow(`http://${service.host}/bob`, credential)));
    expect(his.body.failure).toMatchObject({ node: 'APIRequest', message: expect.stringContaining('API_TOKEN') });
    expect((await runFlow(bob, await store(bob, 'chat'), { message: 'Say "hi"' })).status).toBe(200);
    expect((await runFlow(alice, chat, { message: 'x' })).body.failure?.node).toBe('LanguageModelComponent');

    const everything = [...received, ...server.lines].join('\n');
    for (const canary of [KEY, TOKEN, JSON.stringify(TOKEN).slice(1, -1), ENVIRONMENT])
      expect(everything.includes(canary) ? canary : 'absent').toBe('absent');
  });
});
