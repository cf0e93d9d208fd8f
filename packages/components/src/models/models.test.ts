import { buildFromSpec, type RunEvent, type RunResult, runToEnd } from '@croft/flow';
import { createModels, type Variables } from '@croft/models';
import { type ScriptedProvider, type ScriptedReply, startScriptedProvider } from '@croft/models/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { builtinRegistry } from '../builtin.ts';
import { type History, memoryHistory } from '../inputs/history.ts';

const registry = builtinRegistry();
let provider: ScriptedProvider | undefined;

afterEach(async () => {
  await provider?.close();
  provider = undefined;
});

interface Ran extends RunResult {
  readonly events: readonly RunEvent[];
}

interface RunMore {
  readonly variables?: Variables;
  readonly signal?: AbortSignal;
  readonly onEvent?: (event: RunEvent) => void;
  readonly withoutModels?: boolean;
  readonly history?: History;
}

/** Runs a flow whose models answer from the scripted provider. */
async function run(lines: readonly string[], more: RunMore = {}): Promise<Ran> {
  const built = buildFromSpec(lines.join('\n'), registry);
  if ('error' in built) throw new Error(`${built.error}: ${built.details}`);
  const models = createModels({ variables: more.variables ?? provider?.variables ?? {}, retries: 0 });
  const { history } = more;
  const services = {
    ...(more.withoutModels !== true && { models }),
    ...(history && { history }),
    now: () => new Date('2026-03-01T12:00:00Z'),
  };
  const events: RunEvent[] = [];
  const options = { registry, services, ...(more.signal && { signal: more.signal }) };
  const result = await runToEnd(built.flow, options, (event) => {
    events.push(event);
    more.onEvent?.(event);
  });
  return { ...result, events };
}

async function start(...replies: ScriptedReply[]): Promise<ScriptedProvider> {
  provider = await startScriptedProvider(replies);
  return provider;
}

const chat = (type: string, output: string, config: readonly string[] = [], question = 'How are you?') => [
  'nodes:',
  '  I: ChatInput',
  `  M: ${type}`,
  '  O: ChatOutput',
  'edges:',
  '  I.message -> M.input_value',
  `  M.${output} -> O.input_value`,
  'config:',
  `  I.input_value: ${JSON.stringify(question)}`,
  ...config.map((line) => `  M.${line}`),
];

const logs = ({ events }: Ran) => events.flatMap((event) => (event.kind === 'log' ? [event.text] : []));

/** Cancels the run once the model has sent its first part. */
async function cancelDuring(lines: readonly string[]): Promise<Ran> {
  const { clientLeft } = await start({ text: 'Hello there', stall: 'during' });
  const abort = new AbortController();
  const ran = await run(lines, {
    signal: abort.signal,
    onEvent: (event) => {
      if (event.kind === 'token') abort.abort();
    },
  });
  await clientLeft;
  return ran;
}

it('gives no sum of the date in the instructions for an empty message to an agent', async () => {
  const ran = await run(chat('Agent', 'response', ['model: croft/offline'], ''));
  expect(ran.status).toBe('completed');
  expect(ran.text).toMatch(/^I am croft\/offline/);
});

describe('LanguageModelComponent', () => {
  const flow = (config: readonly string[] = []) => chat('LanguageModelComponent', 'text_output', config);

  it('gives the reply of the model, streams it and counts its tokens', async () => {
    await start({ text: 'Very well.' });
    const ran = await run(flow(['model: OpenAI/gpt-4o', 'system_message: Be brief.', 'temperature: 0.3']));
    expect(ran).toMatchObject({
      status: 'completed',
      text: 'Very well.',
      metrics: { input_tokens: 10, output_tokens: 5 },
    });
    expect(ran.events.filter(({ kind }) => kind === 'token')).toHaveLength(2);
    const { path, body } = provider?.requests[0] ?? { path: '', body: '' };
    expect([path, JSON.parse(body)]).toMatchObject(['/v1/responses', { model: 'gpt-4o', temperature: 0.3 }]);
    expect(body).toContain('Be brief.');
  });

  it('sends as many earlier messages of its session as it is set to, none by default', async () => {
    const history = memoryHistory();
    const add = (text: string, sender: string) =>
      history.add(
        's',
        { text, sender, sender_name: '', session_id: 's', timestamp: '' },
        new AbortController().signal,
        text,
      );
    await add('I am Ann.', 'User');
    await add('Hello Ann.', 'Machine');
    await start({ text: 'Ann.' }, { text: 'Ann.' }, { text: 'Ann.' });
    const bodyOf = async (more: readonly string[]) => {
      await run(flow(['model: OpenAI/gpt-4o', 'session_id: s', ...more]), { history });
      return provider?.requests.at(-1)?.body;
    };
    expect(await bodyOf(['n_messages: 1'])).toMatch(/^(?!.*I am Ann).*Hello Ann/);
    expect(await bodyOf(['n_messages: 2'])).toMatch(/I am Ann.*Hello Ann/);
    expect(await bodyOf([])).not.toContain('Ann');
  });

  it('sends the instructions of a client after its own, also without earlier messages', async () => {
    const said = (text: string) => ({ text, sender: 'User', sender_name: 'System', session_id: '', timestamp: '' });
    const history = { ...memoryHistory(), instructions: [said('Answer in French.')] };
    await start({ text: 'Oui.' }, { text: 'Oui.' }, { text: 'Oui.' });
    for (const more of [[], ['session_id: s'], ['session_id: s', 'n_messages: 1']]) {
      await run(flow(['model: OpenAI/gpt-4o', 'system_message: Be brief.', ...more]), { history });
      expect(provider?.requests.at(-1)?.body).toMatch(/Be brief\.\\n\\nAnswer in French\./);
    }
  });

  it('names the node and what to do when the key is wrong, without the key', async () => {
    await start({ status: 401, body: '{"error":{"message":"bad key sk-canary-2222"}}' });
    const { status, failure, events } = await run(flow(['model: OpenAI']));
    expect([status, failure?.node?.startsWith('LanguageModelComponent-')]).toEqual(['failed', true]);
    expect(failure).toMatchObject({ fix: expect.stringContaining('OPENAI_API_KEY') as string });
    expect(JSON.stringify(events)).not.toContain('canary');
  });

  it('ends the request when the run is cancelled', async () => {
    expect((await cancelDuring(flow(['model: Anthropic']))).status).toBe('cancelled');
  });

  it('uses croft/offline where no provider has a key', async () => {
    expect((await run(flow(), { variables: {} })).text).toContain('croft/offline');
  });

  it('says what to do in a run without models', async () => {
    expect((await run(flow(), { withoutModels: true })).failure?.fix).toContain('croft run');
  });

  it('gives its model with settings to another component, and makes no request of its own', async () => {
    await start({ text: 'From the agent.' });
    const lines = [
      'nodes:',
      '  I: ChatInput',
      '  M: LanguageModelComponent',
      '  A: Agent',
      '  O: ChatOutput',
      'edges:',
      '  I.message -> A.input_value',
      '  M.model_output -> A.model',
      '  A.response -> O.input_value',
      'config:',
      '  I.input_value: Hi',
      '  M.model: Groq/llama-x',
      '  M.temperature: 0.7',
    ];
    expect((await run(lines)).text).toBe('From the agent.');
    expect(provider?.requests).toHaveLength(1);
    expect(JSON.parse(provider?.requests[0]?.body ?? '')).toMatchObject({ model: 'llama-x', temperature: 0.7 });
  });
});

describe('Agent', () => {
  const withTool = (config: readonly string[] = [], question = 'What is 6 * 7?') => {
    const lines = chat('Agent', 'response', config, question);
    lines.splice(3, 0, '  T: CurrentDate');
    lines.splice(lines.indexOf('config:'), 0, '  T.component_as_tool -> M.tools');
    return lines;
  };

  it('sends its instructions as the message where it has none', async () => {
    const { requests } = await start({ text: 'Done.' });
    const lines = ['nodes:', '  M: Agent', '  O: ChatOutput', 'edges:', '  M.response -> O.input_value', 'config:'];
    expect(await run([...lines, '  M.system_prompt: Add 2 and 3.'])).toMatchObject({ text: 'Done.' });
    const sent = JSON.parse(requests[0]?.body ?? '') as { messages: unknown; system?: unknown };
    expect(sent.messages).toEqual([{ role: 'user', content: [{ type: 'text', text: 'Add 2 and 3.' }] }]);
    expect(sent.system).toBeUndefined();
  });

  it('calls connected and built-in tools, and answers from their results', async () => {
    await start(
      { calls: [{ name: 'evaluate_expression', arguments: { expression: '6 * 7' } }] },
      { calls: [{ name: 'current_date', arguments: { timezone: 'Europe/Vienna' } }] },
      { text: 'It is 42.' },
    );
    const ran = await run(withTool(['model: OpenAI compatible/local-model']));
    expect(ran).toMatchObject({ text: 'It is 42.', metrics: { input_tokens: 30, output_tokens: 15 } });
    expect(provider?.requests[1]?.body).toContain('42');
    expect(provider?.requests[2]?.body).toContain('2026-03-01 13:00:00');
    expect(logs(ran)[0]).toBe('Calls evaluate_expression with {"expression":"6 * 7"}');
    expect(provider?.requests[0]?.body).toContain('Today is 2026-03-01. You are powered by local-model.');
  });

  it('lets the model fill in a required field of a tool', async () => {
    await start(
      { calls: [{ name: 'calculator', arguments: {} }] },
      { calls: [{ name: 'calculator', arguments: { expression: '2 + 3' } }] },
      { text: 'Done.' },
    );
    const lines = withTool(['model: OpenAI', 'add_calculator_tool: false']).map((line) =>
      line.replace('T: CurrentDate', 'T: CalculatorComponent'),
    );
    expect((await run(lines)).text).toBe('Done.');
    expect(provider?.requests[1]?.body).toMatch(/calculator needs .*expression/);
    expect(provider?.requests[2]?.body).toMatch(/result\\*":\s*\\*"5/);
  });

  it('drives a tool with croft/offline', async () => {
    expect((await run(withTool(), { variables: {} })).text).toContain('42');
    const date = await run(withTool([], 'What is the date in Europe/Vienna?'), { variables: {} });
    expect(date.text).toContain('2026-03-01 13:00:00');
  });

  it('says that it ran out of steps, with the field to raise', async () => {
    await start({ calls: [{ name: 'current_date', arguments: {} }] });
    const { failure } = await run(withTool(['model: OpenAI', 'max_iterations: 2']));
    expect(failure).toMatchObject({
      message: expect.stringContaining('ran out of steps') as string,
      fix: expect.stringContaining('max_iterations') as string,
    });
    expect(provider?.requests).toHaveLength(2);
  });

  it('fails with advice when the provider is rate-limited', async () => {
    await start({ status: 429, body: '{}' });
    expect((await run(withTool(['model: Google/gemini-2.5-pro']))).failure).toMatchObject({
      message: expect.stringContaining('Rate limit exceeded.') as string,
      fix: expect.stringContaining('Wait') as string,
    });
  });

  it('ends the request when the run is cancelled', async () => {
    expect((await cancelDuring(withTool(['model: Groq']))).status).toBe('cancelled');
  });

  it('reads a structured response from its answer', async () => {
    await start({ text: 'Ada is 36.' }, { text: '{"objects":[{"name":"Ada"}]}' });
    const lines = chat('Agent', 'structured_response', ['model: OpenAI', 'output_schema: [{"name":"name"}]']);
    expect((await run(lines)).text).toContain('"name": "Ada"');
    expect(provider?.requests[1]?.body).toContain('Ada is 36.');
  });
});

describe('StructuredOutput', () => {
  const schema = 'output_schema: [{"name":"name","type":"str"},{"name":"age","type":"int"}]';
  const flow = (output: string, config: readonly string[], text = 'Ada is 36.') => {
    const lines = chat('StructuredOutput', output, config, text);
    return lines;
  };

  it('gives one record, with the types of its fields', async () => {
    await start({ text: '{"objects":[{"name":"Ada","age":"36","shoe":1}]}' });
    const { text } = await run(flow('structured_output', ['model: OpenAI', schema]));
    expect(JSON.parse(text.replace(/^```json|```$/g, ''))).toEqual({ name: 'Ada', age: 36 });
    const { text: format } = JSON.parse(provider?.requests[0]?.body ?? '') as { text: { format: { type: string } } };
    expect(format.format.type).toBe('json_schema');
  });

  it('gives several records as rows', async () => {
    await start({ text: '{"objects":[{"name":"Ada","age":36},{"name":"Alan","age":null}]}' });
    const { outputs } = await run(flow('dataframe_output', ['model: Groq', schema]));
    expect(JSON.stringify(outputs)).toContain('Alan');
  });

  it.each([
    ['Her name is Ada.', 'schema'],
    ['{"objects":[{"name":"Ada","age":"old"}]}', "'age' is not of the type int"],
    ['{"objects":3}', 'objects'],
  ])('explains the reply %s', async (text, words) => {
    await start({ text });
    const { failure } = await run(flow('structured_output', ['model: OpenAI', schema]));
    expect(failure?.message).toContain("didn't match the expected schema");
    expect(failure?.message).toContain(words);
    expect(failure?.fix).not.toBe('');
  });

  it('ends the request when the run is cancelled', async () => {
    const { clientLeft } = await start({ text: 'x', stall: 'before' });
    const abort = new AbortController();
    const running = run(flow('structured_output', ['model: OpenAI', schema]), { signal: abort.signal });
    await expect.poll(() => provider?.requests.length).toBe(1);
    abort.abort();
    expect((await running).status).toBe('cancelled');
    await clientLeft;
  });

  it('reads named values with croft/offline', async () => {
    const lines = flow('structured_output', [schema], 'name: Ada, age: 36');
    expect((await run(lines, { variables: {} })).text).toContain('"age": 36');
  });
});
