import { describe, expect, it } from 'vitest';
import { openSse } from '../../framing/sse.ts';
import type { Frame } from '../../framing/framing.ts';
import {
  type AnthropicEvent,
  blockStart,
  blockStop,
  call,
  delta,
  end,
  json,
  sse,
  start,
  text,
  thinking,
} from './testing.ts';
import { turnOf } from './turn.ts';

function framesOf(events: readonly AnthropicEvent[]): Frame[] {
  const framing = openSse();
  framing.push(sse(events));
  const frames: Frame[] = [];
  for (let next = framing.next(undefined); next !== undefined; next = framing.next(undefined))
    frames.push(...(Buffer.isBuffer(next) ? framing.split(next) : [next]));
  return frames;
}
const streamed = (...events: readonly AnthropicEvent[]) => turnOf({ frames: framesOf([start(), ...events]) });
const blocks = (...events: readonly AnthropicEvent[]) =>
  streamed(...events)?.blocks.map((block) => JSON.parse(block) as unknown);
const whole = (message: object) => turnOf({ body: Buffer.from(JSON.stringify(message)) });

describe('the turn of a stream', () => {
  it('joins the fragments of each block', () => {
    const events = [...thinking(0, 'hm', 'sig'), ...text(1, 'a', 'b'), ...call(2, 'w', '{"n":1.0}', 2)];
    const turn = streamed(...events, ...end('tool_use'));
    expect(turn?.blocks).toEqual([
      '{"type":"thinking","thinking":"hm","signature":"sig"}',
      '{"type":"text","text":"ab"}',
      '{"type":"tool_use","id":"toolu_2","name":"w","input":{"n":1.0}}',
    ]);
    expect(turn).toMatchObject({
      calls: [{ key: '2', call: { names: ['w'] } }],
      stop: 'tool_use',
      container: undefined,
    });
  });

  it('keeps the first input of a call without fragments', () => {
    const begin = blockStart(0, { type: 'tool_use', id: 't', name: 'w', input: { x: 1 } });
    expect(blocks(begin, blockStop(0))).toEqual([{ type: 'tool_use', id: 't', name: 'w', input: { x: 1 } }]);
  });

  it('wraps an input that is not an object', () => {
    const inputOf = (input: string) =>
      (blocks(...call(0, 'w', input, 1)) as { input: unknown }[] | undefined)?.map((block) => block.input);
    expect(inputOf('[1]')).toEqual([{ INVALID_JSON: '[1]' }]);
    expect(inputOf('{"cut')).toEqual([{ INVALID_JSON: '{"cut' }]);
    expect(inputOf(' {} ')).toEqual([{}]);
  });

  it('adds citations and what a compaction has', () => {
    const begin = blockStart(0, { type: 'text', text: 'a' });
    const cite = (n: number) => delta(0, { type: 'citations_delta', citation: n });
    expect(blocks(begin, cite(1), cite(2))).toEqual([{ type: 'text', text: 'a', citations: [1, 2] }]);
    expect(blocks(blockStart(0, { type: 'compaction' }), delta(0, { type: 'compaction_delta', content: 'c' }))).toEqual(
      [{ type: 'compaction', content: 'c' }],
    );
  });

  it('leaves out blank text', () => {
    expect(blocks(...text(0, ' \n'), ...text(1, 'a'))).toEqual([{ type: 'text', text: 'a' }]);
  });

  it('names the container, from the end or the start', () => {
    const ended = (container: unknown): AnthropicEvent => ({
      type: 'message_delta',
      delta: { stop_reason: 'end_turn', container },
    });
    const begun = { type: 'message_start', message: { content: [], container: { id: 'c1' } } };
    const of = (...events: readonly AnthropicEvent[]) => turnOf({ frames: framesOf(events) })?.container;
    expect(of(begun, ended({ id: 'c2' }))).toBe('c2');
    expect(of(begun, ended(null))).toBe('c1');
    expect(of(start(), ended({ id: 7 }))).toBeUndefined();
  });

  it('is unknown where a part cannot be put together', () => {
    expect(streamed(delta(0, { type: 'text_delta', text: 'a' }))).toBeUndefined();
    expect(streamed(blockStart(1, { type: 'text', text: '' }))).toBeUndefined();
    expect(streamed(...text(0, 'a'), delta(0, { type: 'future_delta' }))).toBeUndefined();
    expect(
      streamed(blockStart(0, { type: 'text', text: '' }), delta(0, { type: 'text_delta', text: 7 })),
    ).toBeUndefined();
    expect(turnOf({ frames: framesOf([start('m', [{ type: 'text', text: 'a' }])]) })).toBeUndefined();
  });

  it('takes a fragment of a call that has no fragments yet', () => {
    expect(blocks(blockStart(0, { type: 'server_tool_use', name: 's', input: {} }), json(0, '{"q":1}'))).toEqual([
      { type: 'server_tool_use', name: 's', input: { q: 1 } },
    ]);
  });
});

describe('the parts of a stream', () => {
  it('are ignored if they are not events, and unknown without their start', () => {
    const frames = framesOf([start(), ...text(0, 'a')]);
    const noise = [
      { raw: Buffer.from(':\n\n'), data: undefined },
      { raw: Buffer.from('x'), data: 'x' },
    ].map((part) => ({
      ...part,
      event: undefined,
    })) as Frame[];
    expect(turnOf({ frames: [...noise, ...frames] })).toEqual({
      blocks: ['{"type":"text","text":"a"}'],
      calls: [],
      stop: undefined,
      container: undefined,
    });
    expect(streamed(delta(0, { type: 'signature_delta' }))).toBeUndefined();
  });

  it('are joined to blocks that begin without a text or an input', () => {
    expect(blocks(blockStart(0, { type: 'thinking' }), delta(0, { type: 'thinking_delta', thinking: 'a' }))).toEqual([
      { type: 'thinking', thinking: 'a' },
    ]);
    expect(blocks(blockStart(0, { type: 'tool_use', name: 'w' }), json(0, ' '))).toEqual([
      { type: 'tool_use', name: 'w' },
    ]);
    expect(blocks(blockStart(0, { type: 'tool_use', name: 'w' }), json(0, ' {"a": 1} '))).toEqual([
      { type: 'tool_use', name: 'w', input: { a: 1 } },
    ]);
    expect(blocks(blockStart(0, { type: 'tool_use', name: 'w', input: { x: 1 } }), json(0, ' \n'))).toEqual([
      { type: 'tool_use', name: 'w', input: { x: 1 } },
    ]);
    expect(blocks(blockStart(0, { type: 'text', text: 7 }), blockStart(1, { type: 'x', text: ' ' }))).toEqual([
      { type: 'x', text: ' ' },
    ]);
    expect(blocks(blockStart(0, { type: 'compaction' }), delta(0, { type: 'compaction_delta', a: 1, b: [2] }))).toEqual(
      [{ type: 'compaction', a: 1, b: [2] }],
    );
  });
});

describe('the turn of a message in one piece', () => {
  it('has its blocks, its calls and its reason to stop', () => {
    const message = {
      type: 'message',
      role: 'assistant',
      content: [
        { type: 'text', text: ' ' },
        { type: 'text', text: 'a' },
        { type: 'tool_use', id: 't', name: 'w', input: { x: 1 } },
      ],
      stop_reason: 'tool_use',
      container: { id: 'c' },
    };
    const turn = whole(message);
    expect(turn?.blocks).toEqual([
      '{"type":"text","text":"a"}',
      '{"type":"tool_use","id":"t","name":"w","input":{"x":1}}',
    ]);
    expect(turn).toMatchObject({ calls: [{ key: '2', call: { id: 't' } }], stop: 'tool_use', container: 'c' });
    expect(whole({ ...message, stop_reason: null })?.stop).toBeUndefined();
  });

  it('is unknown where the body is not a message', () => {
    expect(turnOf({ body: Buffer.from('{') })).toBeUndefined();
  });
});
