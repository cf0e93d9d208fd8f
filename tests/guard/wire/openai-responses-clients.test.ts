import { createOpenAI } from '@ai-sdk/openai';
import { generateText, stepCountIs, streamText, type ToolSet } from 'ai';
import OpenAI from 'openai';
import { describe, expect, it } from 'vitest';
import {
  call,
  customCall,
  eventsOf,
  localShell,
  reasoning,
  responseOf,
  shell,
  sseOf,
  type TestItem,
  text,
} from '../../../packages/guard/src/wire/openai-responses/testing.ts';
import { aiLoops, aiToolsWith, streamErrors } from './ai-loops.ts';
import { type FakeReply, type GuardedPair, startGuarded, useGuarded } from './fake-upstream.ts';
import { testToolLoop } from './tool-loop-tests.ts';

let pair: GuardedPair;
let ran: string[];
let answers = 0;

useGuarded((made) => {
  pair = made;
  ran = [];
});

const HOSTILE = '/etc/cron.d/x';
const FINE = 'src/a.ts';

function answer(words: string, paths: readonly string[], streamed: boolean, more: object = {}): FakeReply {
  const id = String(++answers);
  const items = [
    ...(words ? [text(`msg_${id}`, words)] : []),
    ...paths.map((path, at) => call(`${id}_${at}`, JSON.stringify({ path }))),
  ];
  return reply(`resp_${id}`, items, streamed, more);
}

function reply(id: string, items: readonly TestItem[], streamed: boolean, more: object = {}): FakeReply {
  if (!streamed)
    return {
      body: JSON.stringify(
        responseOf(
          id,
          items.map(({ item }) => item),
          more,
        ),
      ),
    };
  const body = eventsOf(id, items, more).map((event) => sseOf([event]));
  return { headers: { 'content-type': 'text/event-stream; charset=utf-8' }, body };
}

const openai = () => new OpenAI({ apiKey: 'sk-test', baseURL: `${pair.url}/v1`, maxRetries: 0 });
const aiModel = () => createOpenAI({ apiKey: 'sk-test', baseURL: `${pair.url}/v1` }).responses('gpt-x');
const aiTools = aiToolsWith((path) => ran.push(path));
const messages = [{ role: 'user' as const, content: 'write' }];
const TOOL = {
  type: 'function' as const,
  name: 'write_file',
  strict: false,
  parameters: { type: 'object', properties: { path: { type: 'string' } } },
};

type Params = OpenAI.Responses.ResponseCreateParamsNonStreaming;
type Ask = (params: Params) => Promise<OpenAI.Responses.Response>;

/** The usual loop with the openai package; `state`: continue by previous_response_id. */
async function loop(ask: Ask, state: boolean): Promise<string> {
  let input: OpenAI.Responses.ResponseInput = [{ role: 'user', content: 'write' }];
  let previous: string | undefined;
  for (let step = 0; step < 6; step++) {
    const response = await ask({
      model: 'gpt-x',
      input,
      tools: [TOOL],
      ...(state
        ? { store: true, ...(previous !== undefined && { previous_response_id: previous }) }
        : { store: false }),
    });
    previous = response.id;
    const results = response.output.flatMap((item) => {
      if (item.type !== 'function_call') return [];
      ran.push((JSON.parse(item.arguments) as { path: string }).path);
      return [{ type: 'function_call_output' as const, call_id: item.call_id, output: 'written' }];
    });
    if (results.length === 0) return response.output_text;
    input = state ? results : [...input, ...(response.output as OpenAI.Responses.ResponseInput), ...results];
  }
  throw new Error('the loop does not end');
}

const asks: Record<string, { streamed: boolean; ask: Ask }> = {
  'responses.create': { streamed: false, ask: (params) => openai().responses.create(params) },
  'responses.create streamed': {
    streamed: true,
    ask: async (params) => {
      let last: OpenAI.Responses.Response | undefined;
      for await (const event of await openai().responses.create({ ...params, stream: true }))
        if (event.type === 'response.completed') last = event.response;
      if (!last) throw new Error('no end');
      // Only the SDK's helper adds this member.
      const output_text = last.output
        .flatMap((item) => (item.type === 'message' ? item.content : []))
        .map((part) => (part.type === 'output_text' ? part.text : ''))
        .join('');
      return { ...last, output_text };
    },
  },
  'responses.stream': {
    streamed: true,
    ask: (params) =>
      openai()
        .responses.stream(params as never)
        .finalResponse() as Promise<OpenAI.Responses.Response>,
  },
};

/** Every client, streamed and not, run as a tool loop; returns its last text. */
const LOOPS: Record<string, { streamed: boolean; state: boolean; run: () => Promise<string> }> = {};
for (const [name, loop] of Object.entries(aiLoops(aiModel, aiTools, 6))) LOOPS[name] = { ...loop, state: false };
for (const [name, { streamed, ask }] of Object.entries(asks))
  for (const state of [false, true])
    LOOPS[`openai ${name}${state ? ' with state upstream' : ''}`] = { streamed, state, run: () => loop(ask, state) };

interface Asked {
  readonly input: readonly { readonly type?: string; readonly output?: string }[];
  readonly previous_response_id?: string;
}
const request = (at: number): Asked => JSON.parse(pair.upstream.requests[at]?.body ?? '{}') as Asked;

describe.each(Object.entries(LOOPS))('a tool loop of %s', (_, { streamed, state, run }) => {
  const script = (...replies: [string, string[]][]) => {
    pair.upstream.replies = replies.map(([words, paths]) => answer(words, paths, streamed, { store: state }));
  };

  testToolLoop({
    run,
    pair: () => pair,
    ran: () => ran,
    answer: (words, paths) => answer(words, paths, streamed, { store: state }),
  });

  it('goes on when the model corrects itself after the refusal', async () => {
    script(['I write.', [HOSTILE]], ['Sorry.', [FINE]], ['done', []]);
    const first = `resp_${answers - 2}`;
    const second = `resp_${answers - 1}`;
    expect(await run()).toBe('done');
    expect(ran).toEqual([FINE]);
    const { input, previous_response_id } = request(1);
    expect(input.at(-1)).toMatchObject({ type: 'function_call_output', output: expect.stringContaining('Refused') });
    expect(previous_response_id).toBe(state ? first : undefined);
    if (state) expect(request(2).previous_response_id).toBe(second);
    expect(pair.decisions.map((event) => [event.blocked, event.attempt])).toEqual([
      [true, 0],
      [false, 1],
    ]);
  });

  it('runs the allowed calls beside the refused one', async () => {
    script(['', [HOSTILE, FINE, 'b.ts']], ['done', []]);
    expect(await run()).toBe('done');
    expect(ran).toEqual([FINE, 'b.ts']);
    expect(pair.upstream.requests).toHaveLength(2);
    // Upstream does not know the message in the call's place, and if it stores the response, it waits for a result.
    const { input } = request(1);
    expect(JSON.stringify(input)).not.toContain('msg_croft_');
    expect(JSON.stringify(input)).toMatch(state ? /Refused: / : /was refused and not run/);
    expect(input.filter(({ type }) => type === 'function_call_output')).toHaveLength(state ? 3 : 2);
  });
});

describe('other ways to read a response', () => {
  it('gives the stream helper of openai every event in order after a block', async () => {
    pair.upstream.replies = [
      reply(
        'resp_x',
        [reasoning('rs'), text('m', 'Text.'), call('1', `{"path":"${HOSTILE}"}`), call('2', '{"path":"b"}')],
        true,
      ),
    ];
    const stream = openai().responses.stream({ model: 'gpt-x', input: 'go', tools: [TOOL] });
    const numbers: number[] = [];
    const done: string[] = [];
    let words = '';
    stream.on('event', (event) => void numbers.push(event.sequence_number));
    stream.on('response.function_call_arguments.done', (event) => void done.push(event.arguments));
    stream.on('response.output_text.delta', (event) => void (words += event.delta));
    const final = await stream.finalResponse();
    expect(numbers).toEqual(numbers.map((_, at) => at));
    expect(done).toEqual(['{"path":"b"}']);
    expect(words).toMatch(/^Text\..*was refused and not run/);
    expect(final.output.map(({ type }) => type)).toEqual(['reasoning', 'message', 'message', 'function_call']);
    expect(final.usage?.total_tokens).toBe(7);
  });

  it('runs neither shells nor patches that are refused, and the others in the AI SDK', async () => {
    const provider = createOpenAI({ apiKey: 'sk-test', baseURL: `${pair.url}/v1` });
    const shellTool = provider.tools.shell({
      execute: ({ action }) => {
        ran.push(...action.commands);
        return Promise.resolve({
          output: [{ stdout: '', stderr: '', outcome: { type: 'exit' as const, exitCode: 0 } }],
        });
      },
    });
    pair.upstream.replies = [
      reply('resp_x', [shell('1', [`echo x > ${HOSTILE}`]), shell('2', ['ls'])], true),
      answer('done', [], true),
    ];
    const result = streamText({
      model: provider.responses('gpt-x'),
      messages,
      tools: { shell: shellTool } as ToolSet,
      stopWhen: stepCountIs(3),
      maxRetries: 0,
    });
    expect(await result.text).toBe('done');
    expect(ran).toEqual(['ls']);
    pair.upstream.replies = [reply('resp_y', [localShell('3', ['rm', HOSTILE])], false), answer('Sorry.', [], false)];
    const local = provider.tools.localShell({
      execute: ({ action }) => {
        ran.push(action.command.join(' '));
        return Promise.resolve({ output: '' });
      },
    });
    const second = await generateText({
      model: provider.responses('gpt-x'),
      messages,
      tools: { local_shell: local } as ToolSet,
      stopWhen: stepCountIs(3),
      maxRetries: 0,
    });
    expect(second.text).toBe('Sorry.');
    expect(ran).toEqual(['ls']);
  });

  it('hands custom tools through as text', async () => {
    const patch = '*** Begin Patch\n*** Add File: a\n+x\n*** End Patch';
    pair.upstream.replies = [reply('resp_x', [customCall('1', patch), customCall('2', '*** Add File: /etc/x')], true)];
    const stream = openai().responses.stream({
      model: 'gpt-x',
      input: 'go',
      tools: [{ type: 'custom', name: 'apply_patch' }],
    });
    const { output } = await stream.finalResponse();
    expect(output.map((item) => (item.type === 'custom_tool_call' ? item.input : item.type))).toEqual([
      patch,
      'message',
    ]);
  });

  it('judges what is fetched later', async () => {
    pair.upstream.replies = [answer('', [HOSTILE, FINE], false)];
    const fetched = await openai().responses.retrieve('resp_1');
    expect(fetched.output.map(({ type }) => type)).toEqual(['message', 'function_call']);
    pair.upstream.replies = [answer('', [HOSTILE], false)];
    expect((await openai().responses.retrieve('resp_1')).output_text).toContain('was refused and not run');
    expect(pair.upstream.requests).toHaveLength(2);
  });

  it('sends a request on whole that is too large to be kept', async () => {
    await pair.close();
    pair = await startGuarded({ limits: { maxKeptRequest: 100_000 } });
    pair.upstream.replies = [answer('done', [], false)];
    const input = 'x'.repeat(3_000_000);
    expect((await openai().responses.create({ model: 'gpt-x', input })).output_text).toBe('done');
    expect(JSON.parse(pair.upstream.requests[0]?.body ?? '{}')).toEqual({ model: 'gpt-x', input });
  });

  it('makes openai and the AI SDK throw when upstream breaks off inside a call', async () => {
    const whole = answer('', [FINE], true);
    pair.upstream.replies = [{ ...whole, body: (whole.body as Buffer[]).slice(0, 4), cut: true }];
    const stream = openai().responses.stream({ model: 'gpt-x', input: 'go', tools: [TOOL] });
    await expect(stream.finalResponse()).rejects.toThrow(/broke off/);
    expect(await streamErrors({ model: aiModel(), messages, tools: aiTools })).not.toEqual([]);
    expect(ran).toEqual([]);
  });
});
