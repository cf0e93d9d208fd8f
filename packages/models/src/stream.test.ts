import type { LanguageModelV3, LanguageModelV3StreamPart } from '@ai-sdk/provider';
import { expect, it } from 'vitest';
import { ModelError } from './errors.ts';
import type { ModelEvent, ModelRequest, ModelTool, StepUsage } from './request.ts';
import { streamReply } from './stream.ts';

type Part = LanguageModelV3StreamPart;
const usage = (input: number, output: number) =>
  ({ inputTokens: { total: input }, outputTokens: { total: output } }) as never;
const says = (text: string): Part[] => [
  { type: 'text-start', id: '1' },
  { type: 'text-delta', id: '1', delta: text },
  { type: 'text-end', id: '1' },
];
const calls = (toolName: string, input: unknown): Part => ({
  type: 'tool-call',
  toolCallId: `call-${toolName}`,
  toolName,
  input: typeof input === 'string' ? input : JSON.stringify(input),
});
const ends = (unified: string, input = 1, output = 2): Part => ({
  type: 'finish',
  finishReason: { unified, raw: unified } as never,
  usage: usage(input, output),
});
const tool = (run: ModelTool['run'], more: object = {}): ModelTool => ({
  name: 'look',
  description: 'Looks.',
  parameters: { type: 'object', properties: { at: { type: 'string' } }, ...more },
  run,
});

/** Replies of a model, taken one by one. */
async function ask(replies: readonly (readonly Part[])[], request: Partial<ModelRequest> = {}) {
  const prompts: string[] = [];
  let count = 0;
  const doStream: LanguageModelV3['doStream'] = async (options) => {
    prompts.push(JSON.stringify(options.prompt));
    const parts = replies[count++] ?? [];
    const stream = new ReadableStream<Part>({
      start(controller) {
        controller.enqueue({ type: 'stream-start', warnings: [] });
        for (const part of parts) controller.enqueue(part);
        controller.close();
      },
    });
    return { stream };
  };
  const model = { specificationVersion: 'v3', provider: 'p', modelId: 'm', supportedUrls: {}, doStream } as never;
  const running = streamReply(
    { messages: [{ role: 'user', text: 'Hi' }], ...request },
    {
      model,
      provider: 'Acme',
      modelName: () => 'm-2',
      pending: () => [],
      explain: (error) =>
        error instanceof ModelError
          ? error
          : new ModelError('failed' as never, `explained: ${(error as Error).name} ${(error as Error).message}`, ''),
      retries: 0,
    },
  );
  const events: ModelEvent[] = [];
  for (;;) {
    const { done, value } = await running.next();
    if (done === true) return { events, result: value, prompts };
    events.push(value);
  }
}

it('gives the text as it comes, and the model and tokens at the end', async () => {
  const { events, result } = await ask([[...says('Hello'), ends('stop', 3, 4)]]);
  expect(events).toEqual([{ kind: 'text', text: 'Hello' }]);
  expect(result).toEqual({
    text: 'Hello',
    model: { provider: 'Acme', name: 'm-2' },
    usage: { inputTokens: 3, outputTokens: 4, totalTokens: 7 },
    finish: 'stop',
  });
});

it('runs the tools that the model calls, and asks again with their results', async () => {
  const seen: unknown[] = [];
  const steps: StepUsage[] = [];
  const look = tool(async (args) => (seen.push(args), { found: 'canary' }));
  const { events, result, prompts } = await ask(
    [
      [...says('First'), calls('look', { at: 'a' }), ends('tool-calls')],
      [...says('Then'), ends('stop')],
    ],
    { tools: [look], onStep: (step) => steps.push(step) },
  );
  expect(seen).toEqual([{ at: 'a' }]);
  expect(events).toEqual([
    { kind: 'text', text: 'First' },
    { kind: 'tool-call', id: 'call-look', name: 'look', input: { at: 'a' } },
    { kind: 'tool-result', id: 'call-look', name: 'look', output: { found: 'canary' }, isError: false },
    { kind: 'text', text: 'Then' },
  ]);
  expect(prompts[1]).toContain('canary');
  expect(result).toMatchObject({ text: 'Then', finish: 'stop', usage: { inputTokens: 2, outputTokens: 4 } });
  expect(steps).toEqual([
    { inputTokens: 1, outputTokens: 2, isLast: false },
    { inputTokens: 1, outputTokens: 2, isLast: true },
  ]);
});

it('gives the message of a failed tool to the model, and goes on', async () => {
  const look = tool(() => Promise.reject(new Error('no such file')));
  const { events, result } = await ask(
    [
      [calls('look', {}), ends('tool-calls')],
      [...says('Sorry'), ends('stop')],
    ],
    { tools: [look] },
  );
  expect(events[1]).toEqual({
    kind: 'tool-result',
    id: 'call-look',
    name: 'look',
    output: 'no such file',
    isError: true,
  });
  expect(result.text).toBe('Sorry');
});

it('does not run a tool without its required arguments, and reads arguments that were encoded twice', async () => {
  const seen: unknown[] = [];
  const look = tool(async (args) => void seen.push(args), { required: ['at'] });
  const { events } = await ask(
    [
      [calls('look', {}), ends('tool-calls')],
      [calls('look', '[1]'), ends('tool-calls')],
      [calls('look', JSON.stringify('{"at":"b"}')), ends('tool-calls')],
      [...says('Done'), ends('stop')],
    ],
    { tools: [look] },
  );
  const results = events.flatMap((event) => (event.kind === 'tool-result' && event.isError ? [event.output] : []));
  expect(results).toEqual(['look needs a value for at.', 'look needs its arguments as a JSON object.']);
  expect(seen).toEqual([{ at: 'b' }]);
});

it('stops after the allowed steps, or where the reply is cut', async () => {
  const look = tool(async () => 1);
  const call = [calls('look', { at: 'a' }), ends('tool-calls')];
  expect((await ask([call, call, call], { tools: [look], maxSteps: 2 })).result.finish).toBe('steps');
  expect((await ask([[...says('Half'), ends('length')]])).result.finish).toBe('length');
});

it('parses the object of a structured reply, also in a code fence, and refuses other texts', async () => {
  const schema = { type: 'object', properties: { a: { type: 'number' } } };
  const plain = await ask([[...says('{"a":1}'), ends('stop')]], { schema });
  const fenced = await ask([[...says('```json\n{"a":2}\n```'), ends('stop')]], { schema });
  expect([plain.result.object, fenced.result.object]).toEqual([{ a: 1 }, { a: 2 }]);
  const wrong = ask([[...says('no json'), ends('stop')]], { schema });
  await expect(wrong).rejects.toMatchObject({ code: 'bad_reply' });
});

it('explains errors, filtered and empty replies', async () => {
  await expect(ask([[{ type: 'error', error: new Error('overloaded') }]])).rejects.toThrow(
    'explained: Error overloaded',
  );
  await expect(ask([[...says('x'), ends('content-filter')]])).rejects.toThrow('content_filter');
  await expect(ask([[ends('other')]])).rejects.toThrow('The reply is empty.');
  expect((await ask([[ends('stop')]])).result.text).toBe('');
});

it('ends a request that was aborted', async () => {
  const signal = AbortSignal.abort();
  await expect(ask([[...says('x'), ends('stop')]], { signal })).rejects.toThrow('AbortError');
});

it('sends the model what the request has, and nothing else', async () => {
  const seen: Record<string, unknown>[] = [];
  const doStream: LanguageModelV3['doStream'] = async ({
    prompt,
    temperature,
    maxOutputTokens,
    tools,
    responseFormat,
  }) => {
    seen.push({ prompt, temperature, maxOutputTokens, tools, responseFormat });
    const stream = new ReadableStream<Part>({
      start(controller) {
        for (const part of [...says('{}'), ends('stop')]) controller.enqueue(part);
        controller.close();
      },
    });
    return { stream };
  };
  const model = { specificationVersion: 'v3', provider: 'p', modelId: 'm', supportedUrls: {}, doStream } as never;
  const options = {
    model,
    provider: 'Acme',
    modelName: () => 'm-2',
    pending: () => [],
    explain: (error: unknown) => error as ModelError,
    retries: 0,
  };
  const schema = { type: 'object', properties: {}, additionalProperties: false };
  const messages = [
    { role: 'user' as const, text: 'Hi' },
    { role: 'assistant' as const, text: 'Yes' },
  ];
  const full = { system: 'S', temperature: 0, maxOutputTokens: 9, tools: [tool(async () => 1)], schema };
  for (const more of [{ system: '' }, full]) {
    const running = streamReply({ messages, ...more }, options);
    while ((await running.next()).done !== true);
  }
  const talk = [
    { role: 'user', content: [{ type: 'text', text: 'Hi' }] },
    { role: 'assistant', content: [{ type: 'text', text: 'Yes' }] },
  ];
  expect(seen).toMatchObject([
    { prompt: talk, temperature: undefined, maxOutputTokens: undefined, tools: undefined },
    {
      prompt: [{ role: 'system', content: 'S' }, ...talk],
      temperature: 0,
      maxOutputTokens: 9,
      tools: [{ type: 'function', name: 'look', description: 'Looks.', inputSchema: { type: 'object' } }],
      responseFormat: { type: 'json', schema },
    },
  ]);
  expect(seen.map(({ prompt }) => (prompt as unknown[]).length)).toEqual([2, 3]);
});

it('asks once without tools, and a hundred times with tools unless it has a limit', async () => {
  const call = [calls('look', { at: 'a' }), ends('tool-calls')];
  const prompts = async (request: Partial<ModelRequest>) =>
    (await ask(Array(120).fill(call), { tools: [tool(async () => 1)], ...request })).prompts.length;
  expect([await prompts({ tools: [] }), await prompts({}), await prompts({ maxSteps: 3 })]).toEqual([1, 100, 3]);
});

it('counts the tokens that the provider reports, else none', async () => {
  const none: Part = { type: 'finish', finishReason: { unified: 'stop', raw: 'stop' } as never, usage: usage(0, 0) };
  expect((await ask([[...says('a'), none]])).result.usage).toEqual({ inputTokens: 0, outputTokens: 0, totalTokens: 0 });
  await expect(ask([[ends('error')]])).rejects.toThrow('The reply is empty.');
  await expect(ask([[...says('x'), ends('content-filter')]])).rejects.toThrow('explained');
});
