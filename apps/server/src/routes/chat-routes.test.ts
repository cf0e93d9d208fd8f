import { type ScriptedProvider, startScriptedProvider } from '@croft/models/testing';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { startTestServer, storeFlow, type TestServer, type Visitor } from '../testing.ts';

let server: TestServer;
let provider: ScriptedProvider;
let ada: Visitor;
let ben: Visitor;
/** The chat of Ada. */
let chat: string;

/** Shows the messages of the session. */
const RECALLS = `name: Recalls
nodes:
  I: ChatInput
  M: Memory
  O: ChatOutput
edges:
  I.message -> M.after
  M.messages_text -> O.input_value
`;

beforeAll(async () => {
  provider = await startScriptedProvider([{ text: 'Noted.' }]);
  server = await startTestServer({ flowHosts: [new URL(provider.url).host] });
  await server.running.ready;
  [ada, ben] = [await server.addUser('ada'), await server.addUser('ben')];
});
afterAll(async () => {
  await server?.stop();
  await provider?.close();
});
beforeEach(async () => {
  chat = await storeFlow(ada, 'chat');
});

const run = (flow: string, json: object, by = ada) =>
  by.json<any>(`/api/v1/flows/${flow}/run`, { method: 'POST', json });
const ask = (path: string, by = ada, method = 'GET', json?: object) =>
  by.json<any>(`/api/v1/flows/${path}`, { method, ...(json && { json }) });
const sessionsOf = async (flow: string, by = ada) => (await ask(`${flow}/sessions`, by)).body.sessions;
const textsOf = async (flow: string, session: string, by = ada) =>
  (await ask(`${flow}/sessions/${encodeURIComponent(session)}/messages`, by)).body.messages.map(
    ({ senderName, text }: any) => `${senderName}: ${text}`,
  );

it('a run with a session stores its message and its answer, and one without stores nothing', async () => {
  await run(chat, { message: 'Say "one"' });
  expect(await sessionsOf(chat)).toEqual([]);
  const first = await run(chat, { message: 'Say "one"\nplease', session: 'a/b ü' });
  const second = await run(chat, { message: 'Say "two"', session: 'a/b ü' });
  expect(await sessionsOf(chat)).toMatchObject([{ id: 'a/b ü', name: 'Say "one"', messages: 4 }]);
  const { body } = await ask(`${chat}/sessions/${encodeURIComponent('a/b ü')}/messages`);
  expect(body.messages).toMatchObject([
    { sender: 'Machine', senderName: 'AI', text: second.body.text, runId: second.body.id, isCut: false },
    { sender: 'User', text: 'Say "two"', runId: second.body.id, tokens: null },
    { sender: 'Machine', text: first.body.text, runId: first.body.id },
    { sender: 'User', senderName: 'User', text: 'Say "one"\nplease' },
  ]);
  const { input_tokens: input, output_tokens: output } = second.body.metrics;
  expect(body.messages[0].tokens).toEqual({ input, output });

  const queued = await ask(`${chat}/runs`, ada, 'POST', { message: 'Say "three"', session: 'a/b ü' });
  const status = async () => (await ada.json<any>(`/api/v1/runs/${queued.body.id}`)).body.run.status;
  await expect.poll(status).toBe('completed');
  const all = (await ask(`${chat}/sessions/${encodeURIComponent('a/b ü')}/messages?limit=2`)).body.messages;
  expect(all).toMatchObject([
    { sender: 'Machine', runId: queued.body.id, text: expect.stringContaining('three') },
    { sender: 'User', runId: queued.body.id, text: 'Say "three"' },
  ]);
});

it('a reader who sees the end of a run finds its answer', async () => {
  const stream = await ada.request(`/api/v1/flows/${chat}/run/stream`, {
    method: 'POST',
    json: { message: 'Say "one"', session: 's' },
  });
  let texts: string[] | undefined;
  for await (const part of stream.body!.pipeThrough(new TextDecoderStream()))
    if (part.includes('run_finished')) texts = await textsOf(chat, 's');
  expect(texts).toEqual([expect.stringMatching(/^AI: .*one/), 'User: Say "one"']);
});

it('sessions and messages are listed in pages, renamed and deleted', async () => {
  for (const session of ['a', 'b', 'c']) await run(chat, { message: `Say "${session}"`, session });
  await run(chat, { message: 'Say "more"', session: 'a' });
  const ids: string[] = [];
  for (let cursor = ''; ; ) {
    const { body } = await ask(`${chat}/sessions?limit=1${cursor}`);
    ids.push(...body.sessions.map(({ id }: any) => id));
    if (body.nextCursor === null) break;
    cursor = `&cursor=${encodeURIComponent(body.nextCursor)}`;
  }
  expect(ids).toEqual(['a', 'c', 'b']);
  const one = await ask(`${chat}/sessions/a/messages?limit=3`);
  const two = await ask(`${chat}/sessions/a/messages?limit=3&cursor=${one.body.nextCursor}`);
  expect([one.body.messages.length, two.body.messages.length, two.body.nextCursor]).toEqual([3, 1, null]);
  for (const path of ['sessions?cursor=x', 'sessions/a/messages?cursor=x'])
    expect((await ask(`${chat}/${path}`)).body.error.code).toBe('invalid');

  const renamed = await ask(`${chat}/sessions/b`, ada, 'PATCH', { name: ' Sheep ' });
  expect(renamed.body.session).toMatchObject({ id: 'b', name: 'Sheep' });
  const [newest] = one.body.messages;
  expect((await ask(`${chat}/sessions/a/messages/${newest.id}`, ada, 'DELETE')).status).toBe(200);
  expect((await ask(`${chat}/sessions/a/messages/${newest.id}`, ada, 'DELETE')).status).toBe(404);
  expect(await textsOf(chat, 'a')).toHaveLength(3);
  expect((await ask(`${chat}/sessions/a/messages`, ada, 'DELETE')).body).toEqual({ deleted: 3 });
  expect((await sessionsOf(chat)).map((each: any) => [each.id, each.messages])).toEqual([
    ['a', 0],
    ['c', 2],
    ['b', 2],
  ]);
  expect((await ask(`${chat}/sessions/a`, ada, 'DELETE')).status).toBe(200);
  for (const [method, path, json] of [
    ['DELETE', 'sessions/a', undefined],
    ['PATCH', 'sessions/a', { name: 'x' }],
    ['GET', 'sessions/a/messages', undefined],
    ['DELETE', 'sessions/a/messages', undefined],
    ['DELETE', `sessions/b/messages/${newest.id}`, undefined],
  ] as const)
    expect([method, path, (await ask(`${chat}/${path}`, ada, method, json)).status]).toEqual([method, path, 404]);
});

it('each user of a flow has sessions of their own, which go with the flow', async () => {
  await run(chat, { message: 'Say "hers"', session: 's' });
  const [message] = (await ask(`${chat}/sessions/s/messages`)).body.messages;
  const others = [
    ['GET', 'sessions', undefined],
    ['PATCH', 'sessions/s', { name: 'x' }],
    ['DELETE', 'sessions/s', undefined],
    ['GET', 'sessions/s/messages', undefined],
    ['DELETE', 'sessions/s/messages', undefined],
    ['DELETE', `sessions/s/messages/${message.id}`, undefined],
  ] as const;
  const refused = async () => {
    for (const [method, path, json] of others)
      expect([method, path, (await ask(`${chat}/${path}`, ben, method, json)).status]).toEqual([method, path, 404]);
  };
  await refused();
  await ask(`${chat}/shares`, ada, 'PUT', { user: 'ben@example.test', access: 'edit' });
  expect(await sessionsOf(chat, ben)).toEqual([]);
  expect((await ask(`${chat}/sessions/s/messages`, ben)).status).toBe(404);
  await run(chat, { message: 'Say "his"', session: 's' }, ben);
  expect(await textsOf(chat, 's', ben)).toHaveLength(2);
  expect((await ask(`${chat}/sessions/s/messages/${message.id}`, ben, 'DELETE')).status).toBe(404);
  expect(JSON.stringify(await textsOf(chat, 's'))).not.toContain('his');
  const shares = (await ask(`${chat}/shares`)).body.shares;
  await ask(`${chat}/shares/${shares[0].userId}`, ada, 'DELETE');
  await refused();
  expect((await ask(chat, ada, 'DELETE')).status).toBe(200);
  expect((await ask(`${chat}/sessions`)).status).toBe(404);
});

it('a flow reads the earlier messages of its session, and not its own message', async () => {
  const flow = await storeFlow(ada, RECALLS);
  const say = async (message: string, session: string) => (await run(flow, { message, session })).body.text;
  expect(await say('first', 's')).toBe('(no output)');
  expect(await say('second', 's')).toBe('User: first');
  expect(await say('other', 't')).toBe('(no output)');
  expect(await textsOf(flow, 's')).toEqual(['AI: User: first', 'User: second', 'User: first']);
  const remembers = await storeFlow(ada, 'remember-messages');
  await run(remembers, { message: 'hello', session: 's' });
  expect(await textsOf(remembers, 's')).toEqual(['AI: User: hello', 'User: hello']);
});

it('an agent gets the earlier messages of its session', async () => {
  for (const [name, value] of Object.entries(provider.variables))
    if (name.startsWith('OPENAI_COMPATIBLE'))
      await ada.json(`/api/v1/variables/${name}`, { method: 'PUT', json: { value } });
  const flow = await storeFlow(
    ada,
    'name: Agent\nnodes:\n  I: ChatInput\n  A: Agent\n  O: ChatOutput\nedges:\n  I.message -> A.input_value\n  A.response -> O.input_value\nconfig:\n  A.model: OpenAI compatible/local-model\n  A.system_prompt: Be brief.\n',
  );
  const asked = () =>
    JSON.parse(provider.requests.at(-1)?.body ?? '{}').messages.map(({ role, content }: any) => [role, content]);
  await run(flow, { message: 'I am Ada', session: 's' });
  await run(flow, { message: 'Who am I?', session: 's' });
  expect(asked()).toEqual([
    ['system', 'Be brief.'],
    ['user', 'I am Ada'],
    ['assistant', 'Noted.'],
    ['user', 'Who am I?'],
  ]);
  await run(flow, { message: 'And now?' });
  expect(asked()).toEqual([
    ['system', 'Be brief.'],
    ['user', 'And now?'],
  ]);
});
