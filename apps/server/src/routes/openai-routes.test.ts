import { TEMPLATES } from '@croft/components';
import OpenAI from 'openai';
import { expect, it } from 'vitest';
import { makeKey, storeFlow, type TestServer, type Visitor } from '../testing.ts';
import { useScriptedServer } from '../use-test-server.ts';

let server: TestServer;
let page: Visitor;
let secret: string;
let connect: (user: Visitor) => Promise<void>;

const model = useScriptedServer(async (started, connectUser) => {
  [server, connect] = [started, connectUser];
  page = await server.signInAdmin();
  secret = await makeKey(page);
});

const salesReport = TEMPLATES.find(({ name }) => name === 'sales-report')?.spec ?? '';
const clientOf = (flow: string, apiKey = secret) =>
  new OpenAI({ baseURL: `${server.url}/api/v1/flows/${flow}/openai/v1`, apiKey, maxRetries: 0 });
const user = (content: string) => ({ role: 'user' as const, content });

/** Says what the history of its session has, and stores every message in it. */
const REMEMBERS = `name: Remembers
nodes:
  I: ChatInput
  S: Memory
  M: Memory
  O: ChatOutput
edges:
  I.message -> S.message
  S.stored_messages -> M.after
  M.messages_text -> O.input_value
config:
  S.mode: Store
`;

it('answers the official client, whole and in chunks', async () => {
  const flow = await storeFlow(page, 'chat');
  const openai = clientOf(flow);
  const ask = { model: 'any', messages: [user('Say "good morning"')] };
  const whole = await openai.chat.completions.create(ask);
  expect(whole).toMatchObject({ object: 'chat.completion', model: 'any', usage: { total_tokens: expect.any(Number) } });
  const [choice] = whole.choices;
  expect(choice).toMatchObject({ finish_reason: 'stop', message: { role: 'assistant' } });
  expect(choice?.message.content).toContain('good morning');

  const stream = await openai.chat.completions.create({
    ...ask,
    stream: true,
    stream_options: { include_usage: true },
  });
  let text = '';
  let chunks = 0;
  let last: OpenAI.ChatCompletionChunk | undefined;
  for await (const chunk of stream) {
    text += chunk.choices[0]?.delta.content ?? '';
    if ((chunk.choices[0]?.delta.content ?? '') !== '') chunks++;
    last = chunk;
  }
  expect(text).toBe(choice?.message.content);
  expect(chunks).toBeGreaterThan(1);
  expect(last).toMatchObject({ choices: [], usage: whole.usage });
  expect((await openai.models.list()).data.map(({ id }) => id)).toEqual([flow]);
});

it('uses the messages of the request and no others', async () => {
  const openai = clientOf(await storeFlow(page, REMEMBERS));
  const ask = async (...messages: OpenAI.ChatCompletionMessageParam[]) =>
    (await openai.chat.completions.create({ model: 'm', messages })).choices[0]?.message.content;
  const parts = { role: 'user' as const, content: [{ type: 'text' as const, text: 'third' }] };
  expect(
    await ask({ role: 'system', content: 'rule' }, user('first'), { role: 'assistant', content: 'second' }, parts),
  ).toBe('System: rule\nUser: first\nAI: second\nUser: third');
  expect(await ask(user('alone'))).toBe('User: alone');
});

it('sends the conversation of the client to the models of both chat templates', async () => {
  const ann = await server.addUser('ann');
  await connect(ann);
  const key = await makeKey(ann);
  const conversation = [
    { role: 'system' as const, content: 'Be brief.' },
    user('My name is Ann.'),
    { role: 'assistant' as const, content: 'Hello Ann.' },
    user('What is my name?'),
  ];
  for (const template of ['chat', 'agent-with-calculator']) {
    model.script.push({ text: 'Ann.' });
    const openai = clientOf(await storeFlow(ann, template), key);
    await openai.chat.completions.create({ model: 'm', messages: conversation });
    const { messages } = JSON.parse(model.requests().at(-1) ?? '') as { messages: { role: string; content: string }[] };
    const [system, ...said] = messages;
    expect([template, system?.role, system?.content]).toEqual([
      template,
      'system',
      expect.stringMatching(/Be brief\.$/),
    ]);
    expect(said).toEqual(conversation.slice(1));
  }
});

it('gives the official client errors that name the node, and no flow of another user', async () => {
  const flow = await storeFlow(page, salesReport.replace('edges:', '  I: ChatInput\nedges:'));
  const ask = { model: 'm', messages: [user('go')] };
  for (const stream of [false, true])
    await expect(clientOf(flow).chat.completions.create({ ...ask, stream })).rejects.toMatchObject({
      status: 422,
      code: 'run_failed',
      message: expect.stringContaining('ReadData'),
    });
  const image = { type: 'image_url' as const, image_url: { url: 'data:,x' } };
  for (const messages of [
    [{ role: 'assistant' as const, content: 'x' }],
    [{ role: 'user' as const, content: [image] }],
  ])
    await expect(clientOf(flow).chat.completions.create({ model: 'm', messages })).rejects.toMatchObject({
      status: 400,
    });
  const bob = await server.addUser('bob');
  const { body } = await bob.json<{ secret: string }>('/api/v1/keys', { method: 'POST', json: { name: 'k' } });
  await expect(clientOf(flow, body.secret).chat.completions.create(ask)).rejects.toMatchObject({ status: 404 });
  await expect(clientOf(flow, body.secret).models.list()).rejects.toMatchObject({ status: 404 });
  await expect(clientOf(flow, 'croft_wrong').chat.completions.create(ask)).rejects.toMatchObject({ status: 401 });
});
