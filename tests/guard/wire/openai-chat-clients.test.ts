import { createOpenAI } from '@ai-sdk/openai';
import OpenAI from 'openai';
import { describe, expect, it } from 'vitest';
import { aiLoops, aiToolsWith, streamErrors } from './ai-loops.ts';
import { type FakeReply, type GuardedPair, sseOf, useGuarded } from './fake-upstream.ts';
import { testToolLoop } from './tool-loop-tests.ts';

let pair: GuardedPair;
let ran: string[];

useGuarded((made) => {
  pair = made;
  ran = [];
});

interface Call {
  readonly name: string;
  readonly path: string;
}

const HOSTILE: Call = { name: 'write_file', path: '/etc/cron.d/x' };
const FINE: Call = { name: 'write_file', path: 'src/a.ts' };
let answers = 0;

function answer(text: string, calls: readonly Call[], streamed: boolean): FakeReply {
  const id = `chatcmpl-${++answers}`;
  const entries = calls.map((call, index) => ({
    index,
    id: `call_${answers}_${index}`,
    type: 'function',
    function: { name: call.name, arguments: JSON.stringify({ path: call.path }) },
  }));
  const finish = calls.length > 0 ? 'tool_calls' : 'stop';
  const usage = { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 };
  if (!streamed) {
    const tool_calls = entries.map(({ id, type, function: fn }) => ({ id, type, function: fn }));
    const message = { role: 'assistant', content: text || null, ...(calls.length > 0 && { tool_calls }) };
    const body = {
      id,
      object: 'chat.completion',
      created: 1,
      model: 'm',
      choices: [{ index: 0, message, finish_reason: finish }],
      usage,
    };
    return { body: JSON.stringify(body) };
  }
  const chunk = (delta: object, finish_reason: string | null = null) => ({
    id,
    object: 'chat.completion.chunk',
    created: 1,
    model: 'm',
    choices: [{ index: 0, delta, finish_reason }],
  });
  const frames = sseOf([
    chunk({ role: 'assistant', content: '' }),
    ...(text ? [chunk({ content: text })] : []),
    ...entries.flatMap((entry) => {
      const text = entry.function.arguments;
      return [
        chunk({ tool_calls: [{ ...entry, function: { ...entry.function, arguments: '' } }] }),
        chunk({ tool_calls: [{ index: entry.index, function: { arguments: text.slice(0, 5) } }] }),
        chunk({ tool_calls: [{ index: entry.index, function: { arguments: text.slice(5) } }] }),
      ];
    }),
    chunk({}, finish),
    { ...chunk({}), choices: [], usage },
    '[DONE]',
  ]);
  return { headers: { 'content-type': 'text/event-stream' }, body: frames };
}

const openai = () => new OpenAI({ apiKey: 'sk-test', baseURL: `${pair.url}/v1`, maxRetries: 0 });
const openaiTool = {
  type: 'function',
  function: {
    name: 'write_file',
    parse: (text: string) => JSON.parse(text) as { path: string },
    function: ({ path }: { path: string }) => {
      ran.push(path);
      return 'written';
    },
    parameters: { type: 'object', properties: { path: { type: 'string' } } },
  },
} as const;
const aiTools = aiToolsWith((path) => ran.push(path));
const aiModel = () => createOpenAI({ apiKey: 'sk-test', baseURL: `${pair.url}/v1` }).chat('m');
const messages = [{ role: 'user' as const, content: 'write' }];

/** Every client, streamed and not, run as a tool loop; returns its last text. */
const LOOPS: Record<string, { streamed: boolean; run: () => Promise<string> }> = {
  'openai runTools': {
    streamed: false,
    run: async () => {
      const runner = openai().chat.completions.runTools({ model: 'm', messages, tools: [openaiTool] } as never);
      return (await (runner as unknown as { finalContent(): Promise<string | null> }).finalContent()) ?? '';
    },
  },
  'openai runTools streamed': {
    streamed: true,
    run: async () => {
      const runner = openai().chat.completions.runTools({
        model: 'm',
        messages,
        stream: true,
        tools: [openaiTool],
      } as never);
      return (await (runner as unknown as { finalContent(): Promise<string | null> }).finalContent()) ?? '';
    },
  },
  ...aiLoops(aiModel, aiTools),
};

describe.each(Object.entries(LOOPS))('a tool loop of %s', (_, { streamed, run }) => {
  const script = (...replies: [string, Call[]][]) => {
    pair.upstream.replies = replies.map(([text, calls]) => answer(text, calls, streamed));
  };

  testToolLoop({
    run,
    pair: () => pair,
    ran: () => ran,
    answer: (words, paths) =>
      answer(
        words,
        paths.map((path) => ({ ...FINE, path })),
        streamed,
      ),
  });

  it('goes on when the model corrects itself after the refusal', async () => {
    script(['I write.', [HOSTILE]], ['Sorry.', [FINE]], ['done', []]);
    expect(await run()).toBe('done');
    expect(ran).toEqual(['src/a.ts']);
    const again = JSON.parse(pair.upstream.requests[1]?.body ?? '{}') as {
      messages: { role: string; content: string }[];
    };
    expect(again.messages.map((message) => message.role)).toEqual(['user', 'assistant', 'tool']);
    expect(again.messages[2]?.content).toContain('outside the project directory');
    expect(pair.decisions.map((event) => [event.blocked, event.attempt])).toEqual([
      [true, 0],
      [false, 1],
    ]);
  });

  it('runs the allowed calls beside the refused one', async () => {
    script(['', [HOSTILE, FINE, { ...FINE, path: 'b.ts' }]], ['done', []]);
    expect(await run()).toBe('done');
    expect(ran).toEqual(['src/a.ts', 'b.ts']);
    expect(pair.upstream.requests).toHaveLength(2);
  });
});

describe('other ways to read a stream', () => {
  it('gives the stream helper of openai a whole message after a block', async () => {
    pair.upstream.replies = [answer('Text.', [HOSTILE, FINE], true)];
    const stream = openai().chat.completions.stream({ model: 'm', messages, tools: [openaiTool] } as never);
    const events: string[] = [];
    stream.on('tool_calls.function.arguments.done', ({ arguments: text }) => events.push(text));
    const final = await stream.finalChatCompletion();
    expect(events).toEqual(['{"path":"src/a.ts"}']);
    expect(final.choices[0]?.message.tool_calls).toHaveLength(1);
    expect(final.choices[0]?.message.content).toMatch(/^Text\./);
    expect(final.usage?.total_tokens).toBe(7);
  });

  it('makes openai and the AI SDK throw when upstream breaks off inside a call', async () => {
    const reply = answer('', [FINE], true);
    pair.upstream.replies = [{ ...reply, body: (reply.body as string[]).slice(0, 3), cut: true }];
    const stream = await openai().chat.completions.create({ model: 'm', messages, stream: true });
    await expect(
      (async () => {
        for await (const part of stream) void part;
      })(),
    ).rejects.toThrow(/broke off/);
    expect(await streamErrors({ model: aiModel(), messages, tools: aiTools })).not.toEqual([]);
    expect(ran).toEqual([]);
  });
});
