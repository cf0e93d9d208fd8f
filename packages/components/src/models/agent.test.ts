import type { FlowTool } from '@croft/flow';
import type { Models } from '@croft/models';
import { describe, expect, it } from 'vitest';
import { memoryHistory } from '../inputs/history.ts';
import type { Services } from '../services.ts';
import { runAlone, declaredBy, textsOf } from '../testing.ts';
import { agent } from './agent.ts';

const SIGNAL = new AbortController().signal;
const INPUTS = {
  model: 'OpenAI/n',
  input_value: { text: 'Hi' },
  system_prompt: 'Today {current_date}, {model_name}, {current_date}',
  tools: [],
  max_iterations: 15,
  max_tokens: 0,
  n_messages: 5,
  session_id: '',
};

async function run(
  inputs: object = {},
  services: Partial<Services> = {},
  more: object = {},
  results: readonly object[] = [{}],
) {
  const requests: Record<string, any>[] = [];
  const models = {
    preferred: { provider: 'croft', name: '' },
    async *stream(request: Record<string, any>) {
      requests.push(request);
      yield { kind: 'text', text: 'he' };
      const at = Math.min(requests.length, results.length) - 1;
      return { text: 'hello', finish: 'stop', model: { provider: 'OpenAI', name: 'n' }, usage: {}, ...results[at] };
    },
  } as unknown as Models;
  const ran = await runAlone(agent, { ...INPUTS, ...inputs }, { models, ...services }, more);
  return { ...ran, request: requests[0] as Record<string, any>, requests };
}
const tool = (name: string): FlowTool => ({
  name,
  description: 'd',
  parameters: {},
  readOnly: true,
  call: async (args) => ({ name, args }),
});

describe('an agent', () => {
  it('answers a message by its instructions, and streams', async () => {
    const { outputs, progress, request } = await run();
    expect(outputs).toEqual({ response: { text: 'hello' } });
    expect(progress[0]).toEqual({ kind: 'token', text: 'he' });
    expect(request).toMatchObject({
      model: { provider: 'OpenAI', name: 'n' },
      system: 'Today 2026-03-01, n, 2026-03-01',
      messages: [{ role: 'user', text: 'Hi' }],
      maxSteps: 15,
    });
    expect([request['temperature'], request['maxOutputTokens']]).toEqual([undefined, undefined]);
  });

  it('takes its instructions for the message if there is none', async () => {
    const { request } = await run({ input_value: ' ', model: undefined });
    expect([request['system'], request['messages']]).toEqual([
      '',
      [{ role: 'user', text: 'Today 2026-03-01, croft, 2026-03-01' }],
    ]);
  });

  it('has the limits of its fields, and those of a connected model first', async () => {
    expect((await run({ max_tokens: 7, max_iterations: 0 })).request).toMatchObject({
      maxOutputTokens: 7,
      maxSteps: 15,
    });
    const model = { provider: 'OpenAI', name: 'n', temperature: 0.3, max_tokens: 9 };
    expect((await run({ model, max_tokens: 7, max_iterations: 3 })).request).toMatchObject({
      maxOutputTokens: 9,
      temperature: 0.3,
      maxSteps: 3,
    });
  });

  it('fails when it runs out of steps', async () => {
    await expect(run({}, {}, {}, [{ finish: 'steps' }])).rejects.toMatchObject({
      message: 'The agent ran out of steps before finishing. Try again, or break the request into smaller parts.',
      fix: 'Raise max_iterations of the agent.',
    });
  });
});

describe('the tools of an agent', () => {
  it('are the connected ones and its own, each under a name of its own', async () => {
    const { request } = await run({ tools: [tool('a'), [tool('a'), tool('b')]], add_calculator_tool: true });
    expect(request['tools'].map(({ name }: FlowTool) => name)).toEqual(['a', 'a_2', 'b', 'evaluate_expression']);
    expect(await request['tools'][1].run({ x: 1 }, SIGNAL)).toEqual({ name: 'a', args: { x: 1 } });
    const long = 'x'.repeat(64);
    const twice = await run({ tools: [tool(long), tool(long), tool(long)] });
    expect(twice.request['tools'].map(({ name }: FlowTool) => name)).toEqual([
      long,
      `${'x'.repeat(60)}_2`,
      `${'x'.repeat(60)}_3`,
    ]);
  });

  it('do not exist without connections', async () => {
    expect((await run({ tools: undefined })).request['tools']).toEqual([]);
  });
});

it('sends the earlier messages of the session before the message', async () => {
  const history = memoryHistory();
  const stored = (text: string, sender: string) => ({ text, sender, sender_name: '', session_id: 's', timestamp: '' });
  await history.add('s', stored('one', 'User'), SIGNAL, 'k');
  await history.add('s', stored('two', 'Machine'), SIGNAL, 'k');
  const messagesOf = async (more: object) => (await run(more, { history })).request['messages'] as unknown;
  const own = { role: 'user', text: 'Hi' };
  expect(await messagesOf({ session_id: ' s ' })).toEqual([
    { role: 'user', text: 'one' },
    { role: 'assistant', text: 'two' },
    own,
  ]);
  expect(await messagesOf({ session_id: 's', n_messages: 1 })).toEqual([{ role: 'assistant', text: 'two' }, own]);
  expect(await messagesOf({ session_id: 's', n_messages: undefined })).toEqual([own]);
  expect(await messagesOf({})).toEqual([own]);
});

it('follows the instructions of a client after its own', async () => {
  const instructions = [{ text: 'Be brief.', sender: 'User', sender_name: 'System', session_id: '', timestamp: '' }];
  const history = { ...memoryHistory(), instructions };
  const { request } = await run({ session_id: 's', system_prompt: 'Help.' }, { history });
  expect([request['system'], request['messages']]).toEqual(['Help.\n\nBe brief.', [{ role: 'user', text: 'Hi' }]]);
});

describe('the structured response', () => {
  const wanted = { wanted: new Set(['structured_response']) };
  const FIELDS = [{ name: 'a', type: 'int' }];
  const structured = (objects: readonly object[], more: object = wanted, output_schema: readonly object[] = FIELDS) =>
    run({ output_schema, max_tokens: 4 }, {}, more, [{}, { object: { objects } }]);

  it('is read from the text of the answer, where it is wanted', async () => {
    const { outputs, requests } = await structured([{ a: 1 }]);
    expect(outputs).toEqual({ response: { text: 'hello' }, structured_response: { a: 1 } });
    expect(requests[1]).toMatchObject({ messages: [{ text: 'hello' }], maxOutputTokens: 4 });
    expect((await structured([{ a: 1 }], {})).requests).toHaveLength(1);
  });

  it('is left out where no field of it is set, unless it alone is wanted', async () => {
    const all = { wanted: new Set(['response', 'structured_response']) };
    const { outputs, requests, progress } = await structured([], all, []);
    expect([outputs, requests.length]).toEqual([{ response: { text: 'hello' } }, 1]);
    expect(progress.at(-1)).toEqual({
      kind: 'log',
      text: 'Gives no structured response, because output_schema has no fields.',
    });
    await expect(structured([], wanted, [])).rejects.toThrow('The fields of the result are not set.');
    expect((await structured([{ a: 1 }], all)).outputs).toEqual({
      response: { text: 'hello' },
      structured_response: { a: 1 },
    });
  });

  it('of several records is a list', async () => {
    expect((await structured([{ a: 1 }, { a: 2 }])).outputs['structured_response']).toEqual({
      results: [{ a: 1 }, { a: 2 }],
    });
    expect((await structured([])).outputs['structured_response']).toEqual({ results: [] });
  });
});

it('declares its fields with these defaults and limits', () => {
  expect(declaredBy(agent)).toEqual([
    'Agent: model',
    'model: model LanguageModel',
    'input_value: multiline Message gate toolParameter',
    'system_prompt: multiline Message default="You are a helpful assistant that can use tools to answer questions and perform tasks. Today is {current_date}. You are powered by {model_name}." variables=false',
    'tools: handle Tool list',
    'max_iterations: integer advanced default=15 max=200 min=1',
    'max_tokens: integer advanced max=1000000 min=1',
    'n_messages: integer advanced default=100 max=1000 min=0',
    'session_id: text advanced default="" variables=false',
    'add_current_date_tool: switch advanced default',
    'add_calculator_tool: switch advanced default',
    'output_schema: table advanced columns=[{"name":"name","label":"Name","kind":"text"},{"name":"description","label":"Description","kind":"text"},{"name":"type","label":"Type","kind":"select","options":["str","int","float","bool","dict"]},{"name":"multiple","label":"List","kind":"switch"}] default=[]',
    'response: gives Message',
    'structured_response: gives Data',
  ]);
});

it('shows these texts to people and models', () => {
  expect(textsOf(agent.descriptor)).toEqual([
    'Agent (bot): Answers a message with a language model that calls the connected tools as often as it needs.',
    'models | tools | assistant | llm',
    'model: Language model | Empty: the preferred model of the user, or croft/offline where no provider has a key.',
    'input_value: Message | Empty: the instructions are the message, if you changed them.',
    'system_prompt: Instructions | {current_date} and {model_name} are replaced.',
    'tools: Tools',
    'max_iterations: Replies of the model at most',
    'max_tokens: Token limit of a reply | Empty: no limit but the model’s own.',
    'n_messages: Earlier messages at most | Of the session. A run without a session has none.',
    'session_id: Session',
    'add_current_date_tool: Offer the date',
    'add_calculator_tool: Offer a calculator',
    'output_schema: Fields of the result | Needed for the structured response.',
    'response: Response',
    'structured_response: Structured response',
  ]);
});
