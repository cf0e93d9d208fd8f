import { createAnthropic } from '@ai-sdk/anthropic';
import Anthropic from '@anthropic-ai/sdk';
import { generateText } from 'ai';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { aiLoops, aiToolsWith, streamErrors } from './ai-loops.ts';
import {
  type AnthropicEvent,
  call,
  end,
  framesOf,
  start,
  text,
  thinking,
} from '../../../packages/guard/src/wire/anthropic/testing.ts';
import { type FakeReply, type GuardedPair, startGuarded, useGuarded } from './fake-upstream.ts';
import { testToolLoop } from './tool-loop-tests.ts';

// The AI SDK warns about unknown models.
vi.stubGlobal('AI_SDK_LOG_WARNINGS', false);

let pair: GuardedPair;
let ran: string[];

useGuarded((made) => {
  pair = made;
  ran = [];
});
afterAll(() => {
  vi.unstubAllGlobals();
});

interface Block {
  readonly text?: string;
  readonly thinking?: string;
  readonly path?: string;
}

const HOSTILE: Block = { path: '/etc/cron.d/x' };
const FINE: Block = { path: 'src/a.ts' };
let answers = 0;

function answer(blocks: readonly Block[], streamed: boolean): FakeReply {
  const id = `msg_${++answers}`;
  const stop = blocks.some((block) => block.path !== undefined) ? 'tool_use' : 'end_turn';
  if (streamed) {
    const events = blocks.flatMap((block, index): AnthropicEvent[] => {
      if (block.text !== undefined) return text(index, block.text);
      if (block.thinking !== undefined) return thinking(index, block.thinking, 'c2ln');
      const [begin, ...rest] = call(index, 'write_file', JSON.stringify({ path: block.path }), 3);
      const named = { ...(begin?.content_block as object), id: `toolu_${answers}_${index}` };
      return [{ ...begin, content_block: named } as AnthropicEvent, ...rest];
    });
    return { headers: { 'content-type': 'text/event-stream' }, body: framesOf([start(id), ...events, ...end(stop)]) };
  }
  const content = blocks.map((block, index) => {
    if (block.text !== undefined) return { type: 'text', text: block.text };
    if (block.thinking !== undefined) return { type: 'thinking', thinking: block.thinking, signature: 'c2ln' };
    return { type: 'tool_use', id: `toolu_${answers}_${index}`, name: 'write_file', input: { path: block.path } };
  });
  const usage = { input_tokens: 25, output_tokens: 89 };
  const message = {
    id,
    type: 'message',
    role: 'assistant',
    model: 'claude-x',
    content,
    stop_reason: stop,
    usage,
  };
  return { body: JSON.stringify({ ...message, stop_sequence: null }) };
}

const sdk = () => new Anthropic({ apiKey: 'sk-test', baseURL: pair.url, maxRetries: 0 });
const schema = { type: 'object' as const, properties: { path: { type: 'string' as const } } };
const sdkTool = {
  name: 'write_file',
  input_schema: schema,
  parse: (value: unknown) => value as { path: string },
  run: ({ path }: { path: string }) => {
    ran.push(path);
    return 'written';
  },
};
const aiTools = aiToolsWith((path) => ran.push(path));
const aiModel = () => createAnthropic({ apiKey: 'sk-test', baseURL: `${pair.url}/v1` })('claude-x');
const messages = [{ role: 'user' as const, content: 'write' }];
const ask = { model: 'claude-x', max_tokens: 100, messages };

type Content = readonly { readonly type: string; readonly text?: string }[];
const wordsOf = (message: { readonly content: Content }) => message.content.map((block) => block.text ?? '').join('');

async function runTools(more: object): Promise<string> {
  const runner = sdk().beta.messages.toolRunner({ ...ask, max_iterations: 5, tools: [sdkTool], ...more } as never);
  return wordsOf(await (runner as unknown as { runUntilDone(): Promise<{ content: Content }> }).runUntilDone());
}

/** A loop as agents write it: the helper's final message decides. */
async function loopByHand(): Promise<string> {
  const turns: Anthropic.MessageParam[] = [...messages];
  for (let step = 0; step < 5; step++) {
    const tools = [{ name: 'write_file', input_schema: schema }];
    const message = await sdk()
      .messages.stream({ ...ask, messages: turns, tools })
      .finalMessage();
    turns.push({ role: 'assistant', content: message.content });
    const calls = message.content.filter((block) => block.type === 'tool_use');
    expect(message.stop_reason === 'tool_use').toBe(calls.length > 0);
    if (calls.length === 0) return wordsOf(message);
    for (const one of calls) ran.push((one.input as { path: string }).path);
    turns.push({
      role: 'user',
      content: calls.map(({ id }) => ({ type: 'tool_result', tool_use_id: id, content: 'written' })),
    });
  }
  return '';
}

/** Every client, streamed and not, run as a tool loop; returns its last text. */
const LOOPS: Record<string, { readonly streamed: boolean; readonly run: () => Promise<string> }> = {
  'SDK tool runner': { streamed: false, run: () => runTools({}) },
  'SDK tool runner streamed': { streamed: true, run: () => runTools({ stream: true }) },
  'SDK messages.stream': { streamed: true, run: loopByHand },
  ...aiLoops(aiModel, aiTools),
};

describe.each(Object.entries(LOOPS))('a tool loop of %s', (_, { streamed, run }) => {
  const script = (...replies: Block[][]) => {
    pair.upstream.replies = replies.map((blocks) => answer(blocks, streamed));
  };
  const sent = (at: number) =>
    JSON.parse(pair.upstream.requests[at]?.body ?? '{}') as {
      messages: { role: string; content: { type: string; is_error?: boolean; signature?: string }[] }[];
    };

  testToolLoop({
    run,
    pair: () => pair,
    ran: () => ran,
    answer: (words, paths) =>
      answer([...(words ? [{ text: words }] : []), ...paths.map((path) => ({ path }))], streamed),
    down: { status: 529, body: '{"type":"error","error":{"type":"overloaded_error","message":"down"}}' },
  });

  it('goes on when the model corrects itself after the refusal', async () => {
    script([{ thinking: 'Hm.' }, { text: 'I write.' }, HOSTILE], [{ text: 'Sorry.' }, FINE], [{ text: 'done' }]);
    expect(await run()).toBe('done');
    expect(ran).toEqual(['src/a.ts']);
    const again = sent(1).messages;
    expect(again.map((message) => message.role)).toEqual(['user', 'assistant', 'user']);
    expect(again[1]?.content.map((block) => block.type)).toEqual(['thinking', 'text', 'tool_use']);
    expect(again[1]?.content[0]?.signature).toBe('c2ln');
    expect(again[2]?.content[0]).toMatchObject({ type: 'tool_result', is_error: true });
    expect(pair.decisions.map((event) => [event.blocked, event.attempt])).toEqual([
      [true, 0],
      [false, 1],
    ]);
    // The client's next request has a result for every call it received.
    const last = sent(2).messages;
    expect(last.at(-1)?.content.map((block) => block.type)).toEqual(['tool_result']);
    expect(JSON.stringify(last)).not.toContain('/etc/');
  });

  it('runs the allowed calls beside the refused one', async () => {
    script([HOSTILE, FINE, { text: 'and' }, { path: 'b.ts' }], [{ text: 'done' }]);
    expect(await run()).toBe('done');
    expect(ran).toEqual(['src/a.ts', 'b.ts']);
    expect(pair.upstream.requests).toHaveLength(2);
  });
});

describe('other ways to read a message', () => {
  it('keeps the eager tool runner from starting a refused call while the reply streams', async () => {
    pair.upstream.replies = [
      answer([HOSTILE, FINE], true),
      answer([{ text: 'I try.' }, HOSTILE], true),
      answer([{ path: 'b.ts' }], true),
      answer([{ text: 'done' }], true),
    ];
    const runner = sdk().beta.messages.toolRunner(
      { ...ask, stream: true, tools: [sdkTool] } as never,
      { runToolsEagerly: true } as never,
    );
    const last = await (runner as unknown as { runUntilDone(): Promise<{ content: Content }> }).runUntilDone();
    expect(wordsOf(last)).toBe('done');
    expect(ran).toEqual(['src/a.ts', 'b.ts']);
  });

  it('gives the stream helper whole events and a whole message after a block', async () => {
    pair.upstream.replies = [answer([{ thinking: 'Hm.' }, { text: 'Text.' }, HOSTILE, FINE], true)];
    const stream = sdk().messages.stream(ask);
    const blocks: string[] = [];
    const inputs: unknown[] = [];
    stream.on('contentBlock', (block) => blocks.push(block.type));
    stream.on('inputJson', (_, snapshot) => inputs.push(snapshot));
    const final = await stream.finalMessage();
    expect(blocks).toEqual(['thinking', 'text', 'text', 'tool_use']);
    expect(JSON.stringify(inputs)).not.toContain('etc');
    expect(final.content[3]).toMatchObject({ type: 'tool_use', input: { path: 'src/a.ts' } });
    expect(final.usage.output_tokens).toBe(89);
    expect(final.stop_reason).toBe('tool_use');
  });

  it('makes both throw when upstream breaks off inside a call', async () => {
    const reply = answer([{ text: 'x' }, FINE], true);
    pair.upstream.replies = [{ ...reply, body: (reply.body as string[]).slice(0, 6), cut: true }];
    await expect(sdk().messages.stream(ask).finalMessage()).rejects.toThrow(/broke off/);
    const errors = await streamErrors({ model: aiModel(), messages, tools: aiTools });
    expect(JSON.stringify(errors)).toContain('broke off');
    expect(ran).toEqual([]);
  });

  it('makes both throw at a call that cannot be read for certain', async () => {
    const twice = (body: string) => body.replaceAll('"type":"tool_use"', '"type":"text","type":"tool_use"');
    const streamed = answer([FINE], true);
    const frames = (streamed.body as string[]).map(twice);
    const whole = answer([FINE], false);
    pair.upstream.replies = [{ ...streamed, body: frames }];
    await expect(sdk().messages.stream(ask).finalMessage()).rejects.toThrow(/cannot be read/);
    pair.upstream.replies = [{ ...whole, body: twice(whole.body as string) }];
    await expect(sdk().messages.create(ask)).rejects.toThrow(/cannot be read/);
    await expect(generateText({ model: aiModel(), messages, tools: aiTools, maxRetries: 0 })).rejects.toThrow(
      /cannot be read/,
    );
  });

  it('lets a stop for want of room stay one, without the call that was cut', async () => {
    const events = [start(), ...call(0, 'write_file', '{"path":"src/a.ts","content":"abc', 2), ...end('max_tokens')];
    pair.upstream.replies = [{ headers: { 'content-type': 'text/event-stream' }, body: framesOf(events) }];
    const blockInvalid = await startGuarded({
      judgeFor: () => ({
        enforce: true,
        judge: (one) => {
          JSON.parse(one.arguments as string);
          throw new Error('not reached');
        },
      }),
    });
    try {
      blockInvalid.upstream.replies = pair.upstream.replies;
      const client = new Anthropic({ apiKey: 'sk-test', baseURL: blockInvalid.url, maxRetries: 0 });
      const final = await client.messages.stream(ask).finalMessage();
      expect(final.stop_reason).toBe('max_tokens');
      expect(final.content.map((block) => block.type)).toEqual(['text']);
      expect(blockInvalid.upstream.requests).toHaveLength(1);
    } finally {
      await blockInvalid.close();
    }
  });

  it('passes the count of tokens and refuses batches', async () => {
    pair.upstream.replies = [{ body: '{"input_tokens":7}' }];
    expect(await sdk().messages.countTokens({ model: 'm', messages })).toEqual({ input_tokens: 7 });
    await expect(sdk().messages.batches.create({ requests: [] })).rejects.toThrow(/guard does not pass/);
    expect(pair.upstream.requests).toHaveLength(1);
  });
});
