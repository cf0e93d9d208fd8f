import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type AnthropicEvent,
  blockStart,
  blockStop,
  call,
  end,
  json,
  PING,
  sse,
  start,
  text,
  thinking,
} from './testing.ts';
import { messageOf } from './testing-message.ts';
import { allowAll, blockOutside, everyCut, openStream, play } from '../testing.ts';
import { cutAt, PLACES, dataOf, readerOf, repliesWithout, verdictOn } from '../testing-reader.ts';
import { anthropic } from './anthropic.ts';
import { AnthropicReader } from './reader.ts';
import type { Frame } from '../../framing/framing.ts';

const HOSTILE = '{"path":"/etc/cron.d/x","content":"SECRET"}';
const FINE = '{"path":"src/a.ts"}';

describe('a blocked call', () => {
  const mixed = sse([
    start(),
    ...thinking(0, 'Hm.', 'c2ln'),
    ...call(1, 'write_file', HOSTILE),
    ...text(2, 'and'),
    ...call(3, 'write_file', FINE),
    ...end('tool_use'),
  ]);

  it('leaves no byte at any cut; text takes its index and all else keeps its bytes', () => {
    for (const out of repliesWithout('toolu_1', anthropic, mixed)) {
      const message = messageOf(out);
      expect(message.content.map((block) => block.type)).toEqual(['thinking', 'text', 'text', 'tool_use']);
      expect(message.content[0]).toEqual({ type: 'thinking', thinking: 'Hm.', signature: 'c2ln' });
      expect(message.content[1]?.text).toContain('was refused and not run');
      expect(message.content[3]?.input).toEqual({ path: 'src/a.ts' });
      expect(message.stop_reason).toBe('tool_use');
      expect(message.usage.output_tokens).toBe(89);
    }
  });

  it.each(['tool_use', 'end_turn', 'max_tokens', 'pause_turn', 'stop_sequence'])(
    'alone becomes text, and the stop reason no longer announces a call (%s)',
    (reason) => {
      const bytes = sse([start(), ...text(0, 'I try.'), ...call(1, 'w', HOSTILE), ...end(reason)]);
      const message = messageOf(play(openStream(anthropic, blockOutside), [bytes]));
      expect(message.content.map((block) => block.type)).toEqual(['text', 'text']);
      expect(message.stop_reason).toBe(reason === 'tool_use' ? 'end_turn' : reason);
    },
  );

  it('corrects every stop reason, where several come', () => {
    const [last, over] = end('tool_use') as [AnthropicEvent, AnthropicEvent];
    const out = play(openStream(anthropic, blockOutside), [sse([start(), ...call(0, 'w', HOSTILE), last, last, over])]);
    expect(out.toString().match(/"end_turn"/g)).toHaveLength(2);
    expect(out.includes('"stop_reason":"tool_use"')).toBe(false);
  });

  const [begin] = call(0, 'w', HOSTILE, 1) as [AnthropicEvent];
  const use = (input: object, more: object = {}) => ({ type: 'tool_use', id: 't', name: 'w', input, ...more });
  const around = (...events: (AnthropicEvent | string)[]) => sse([start(), ...events, ...end('tool_use')]);

  it('is one whose input was ready for the eager tool runner before all of it was there', () => {
    // At the end of any block the SDK's eager runner starts the newest call with the input received so far.
    const bytes = around(
      blockStart(0, { type: 'text', text: '' }),
      blockStart(1, { type: 'tool_use', id: 't', name: 'w', input: {} }),
      json(1, '{"path":"a","then":'),
      blockStop(0),
      json(1, '"b"}'),
      blockStop(1),
    );
    const out = play(openStream(anthropic, allowAll), [bytes]).toString();
    expect(out).toContain('more than one way');
    expect(out).not.toContain('"then"');
  });

  it('is dropped when upstream ends inside it, and the reply ends with an error', () => {
    const out = play(openStream(anthropic, allowAll), [
      sse([start(), ...text(0, 'hi'), ...call(1, 'w', FINE).slice(0, 3)]),
    ]);
    expect(out.includes('"w"')).toBe(false);
    expect(out.toString()).toMatch(
      /event: error\ndata: \{"type":"error","error":\{"type":"api_error","message":"[^"]+"\}\}\n\n$/,
    );
  });

  it('ends the message with text if it is too large to hold', () => {
    const run = openStream(anthropic, allowAll, { maxHeld: 4096 });
    run.guard.push(
      sse(
        [start(), blockStart(0, { type: 'text', text: '' }), begin].map((event, at) =>
          at === 2 ? { ...event, index: 1 } : event,
        ),
      ),
    );
    for (let round = 0; round < 100; round++) run.guard.push(sse([json(1, 'x'.repeat(100))]));
    expect(run.guard.state).toBe('over');
    expect(run.budget.used).toBe(0);
    const message = messageOf(run.out());
    expect(message.content.map((block) => block.type)).toEqual(['text', 'text']);
    expect(message.content[1]?.text).toContain('too large');
    expect(message.stop_reason).toBe('end_turn');
    expect(run.out().includes('xxx')).toBe(false);
  });

  it('ends a message that has not begun with a whole one', () => {
    const run = openStream(anthropic, allowAll, { maxHeld: 4096 });
    run.guard.push(Buffer.from(`data: ${'x'.repeat(9000)}`));
    expect(messageOf(run.out()).content).toHaveLength(1);
  });

  it('passes in dry-run, byte for byte', () => {
    for (const pieces of everyCut(mixed)) {
      const run = openStream(anthropic, blockOutside, { enforce: false });
      expect(play(run, pieces).equals(mixed)).toBe(true);
    }
  });

  it('is blocked when the judge throws', () => {
    const failing = () => {
      throw new Error('/home/u/secret');
    };
    const out = play(openStream(anthropic, failing), [mixed]);
    expect(messageOf(out).content.some((block) => block.type === 'tool_use')).toBe(false);
    expect(out.includes('secret')).toBe(false);
  });

  it('never leaves a byte, whatever surrounds it and however it is cut', () => {
    const index = fc.nat(3);
    const input = fc.constantFrom(FINE, HOSTILE, '');
    const part = fc.oneof(
      fc.tuple(index, fc.string()).map(([at, words]) => text(at, words)),
      fc.tuple(index, input, fc.integer({ min: 1, max: 3 })).map(([at, args, pieces]) => call(at, 'w', args, pieces)),
      fc.tuple(index, input).map(([at, args]) => [json(at, args)]),
      fc.tuple(index, input).map(([at, args]) => [blockStart(at, use(JSON.parse(args || '{}') as object))]),
      index.map((at) => [blockStop(at)]),
      fc.constantFrom(end('tool_use').slice(0, 1), end('end_turn').slice(0, 1), [PING], [start()]),
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 8 }), fc.boolean(), PLACES, (parts, done, places) => {
        const bytes = sse([start(), ...parts.flat(), ...(done ? end('tool_use') : [])]);
        const pieces = cutAt(bytes, places);
        const run = openStream(anthropic, blockOutside);
        const out = play(run, pieces).toString();
        expect(out.includes('/etc/cron')).toBe(false);
        expect(run.budget.used).toBe(0);
      }),
      { numRuns: 1500 },
    );
  });

  it('leaves a message with consecutive indexes, in any order of calls and text', () => {
    const kinds = fc.array(fc.constantFrom('text', 'fine', 'hostile', 'thinking'), { maxLength: 7 });
    fc.assert(
      fc.property(kinds, (blocks) => {
        const events = blocks.flatMap((kind, at) => {
          if (kind === 'text') return text(at, 'words');
          if (kind === 'thinking') return thinking(at, 'hm', 'sig');
          return call(at, 'w', kind === 'fine' ? FINE : HOSTILE);
        });
        const message = messageOf(
          play(openStream(anthropic, blockOutside), [sse([start(), ...events, ...end('tool_use')])]),
        );
        expect(message.content.map((block) => block.type)).toEqual(
          blocks.map((kind) => (kind === 'fine' ? 'tool_use' : kind === 'hostile' ? 'text' : kind)),
        );
        const left = blocks.includes('fine') || !blocks.includes('hostile');
        expect(message.stop_reason).toBe(left ? 'tool_use' : 'end_turn');
      }),
      { numRuns: 300 },
    );
  });
});

describe('the frames of a message', () => {
  const reader = () => readerOf(new AnthropicReader(), (events: readonly AnthropicEvent[]) => sse(events));
  const TOOL = { type: 'tool_use', id: 't', name: 'w', input: {} };
  const MESSAGE_WITH_TEXT = [
    'message_start',
    'content_block_start',
    'content_block_delta',
    'content_block_stop',
    'message_delta',
    'message_stop',
  ];

  it('pass, are held, and settle with the end of the last open call', () => {
    const { read, made } = reader();
    expect(read(start(), ...text(0, 'a'))).toEqual(['pass', 'pass', 'pass', 'pass']);
    expect([made.interesting === undefined, made.ended]).toEqual([false, false]);
    expect(read(blockStart(1, TOOL), json(1, '{}'))).toEqual(['hold', 'hold']);
    expect(made.interesting).toBeUndefined();
    expect(read(blockStart(2, { ...TOOL, id: 'u' }), blockStop(1), blockStop(2))).toEqual(['hold', 'hold', 'settle']);
    expect(made.complete().map(({ key, fault }) => [key, fault])).toEqual([
      ['1', undefined],
      ['2', undefined],
    ]);
    expect(read(...end('tool_use'))).toEqual(['finish', 'finish']);
    expect([made.ended, ...read({ type: 'ping' })]).toEqual([true, 'drop']);
  });

  it('are ambiguous where another block ends inside of a call', () => {
    const { read, made } = reader();
    read(
      start(),
      blockStart(0, { type: 'text', text: '' }),
      blockStart(1, TOOL),
      json(1, '{"a'),
      blockStop(0),
      blockStop(1),
    );
    expect(made.complete()).toMatchObject([{ key: '1', fault: 'ambiguous-arguments' }]);
  });

  it.each<[string, readonly AnthropicEvent[]]>([
    ['a call with an index that is not the next one', [start(), blockStart(1, TOOL)]],
    ['a second block where a call is', [start(), blockStart(0, TOOL), blockStart(0, { type: 'text', text: '' })]],
    ['an input for a block of text', [start(), blockStart(0, { type: 'text', text: '' }), json(0, '{')]],
    ['an input for no block', [start(), json(0, '{')]],
    ['an input after the end of its call', [start(), blockStart(0, TOOL), blockStop(0), json(0, '{')]],
    ['calls in a second start', [start(), ...text(0, 'a'), start('m2', [TOOL])]],
  ])('are broken by %s', (_, events) => {
    expect(
      reader()
        .read(...events)
        .at(-1),
    ).toBe('broken');
  });

  it('settle with calls in the start', () => {
    const { read, made } = reader();
    expect(read(start('m', [{ type: 'text', text: 'a' }, TOOL]))).toEqual(['settle']);
    expect(made.complete()).toMatchObject([{ key: '1', readings: [{ name: 'w' }] }]);
  });

  it('are the same objects if nothing is blocked, and text instead of a blocked call', () => {
    const { made, frames } = reader();
    const held = frames(start(), ...call(0, 'w', '{}', 1), ...end('tool_use'));
    for (const frame of held) made.read(frame);
    made.complete();
    const verdict = verdictOn('0', 'no');
    const pieces = made.release(held, [verdict]);
    expect(dataOf(pieces).map(({ type }) => type as string)).toEqual(MESSAGE_WITH_TEXT);
    expect(pieces[2]?.data).toContain('"text":"no"');
    expect(pieces[4]?.data).toContain('"stop_reason":"end_turn"');
    const again = reader();
    const kept = again.frames(start(), ...call(0, 'w', '{}', 1));
    for (const frame of kept) again.made.read(frame);
    expect(again.made.release(kept, [{ ...verdict, blocked: false }])).toBe(kept);
  });

  it('continue in a second reply after those that were sent', () => {
    const { made, frames } = reader();
    const all = frames(start(), ...text(0, 'a'), ...call(1, 'w', '{}', 1), ...end('tool_use'));
    for (const frame of all) made.read(frame);
    const next = made.splice(all, 4);
    expect(next.interesting).toBeUndefined();
    const second = frames(start('m2'), ...text(0, 'b'));
    expect(second.map((frame) => next.read(frame))).toEqual(['drop', 'rewrite', 'rewrite', 'rewrite']);
    expect(
      second
        .slice(1)
        .flatMap((frame) => next.rewrite(frame))
        .map(({ data }) => (JSON.parse(data ?? '{}') as { index: number }).index),
    ).toEqual([1, 1, 1]);
  });

  it.each([
    ['names after an event without one', [`data: ${JSON.stringify(start())}\n\n`]],
    ['a name of another event', [`event: ping\ndata: ${JSON.stringify(start())}\n\n`]],
  ])('are broken by a call after %s', (_, first) => {
    const { read } = reader();
    expect(read(...(first as unknown as AnthropicEvent[]), blockStart(0, TOOL))).toEqual(['pass', 'broken']);
  });

  it('without a name may hold calls, if none has one', () => {
    const events = [start(), ...call(0, 'w', '{}', 1)].map((event) => `data: ${JSON.stringify(event)}\n\n`);
    expect(
      reader()
        .read(...(events as unknown as AnthropicEvent[]))
        .at(-1),
    ).toBe('settle');
  });

  it('that cannot be read pass without a trace of a call, and are broken with one', () => {
    const frame = (data: string | undefined, unclear = false) =>
      ({ raw: Buffer.from(data ?? ': x'), data, event: undefined, unclear }) as Frame;
    const { made } = reader();
    expect([frame(undefined), frame('{'), frame('x', true)].map((each) => made.read(each))).toEqual([
      'pass',
      'pass',
      'pass',
    ]);
    expect([frame('{"tool_use'), frame('{"tool_use"', true)].map((each) => made.read(each))).toEqual([
      'broken',
      'broken',
    ]);
    made.fail('x');
    expect([frame(undefined), frame('x')].map((each) => made.read(each))).toEqual(['pass', 'drop']);
  });

  it('are whole events after a release, and a conclusion continues their indexes', () => {
    const { made, frames } = reader();
    const held = frames(start(), ...call(0, 'w', '{}', 1), ...call(1, 'v', '{}', 1));
    for (const frame of held) made.read(frame);
    made.complete();
    const kept = { ...verdictOn('1', 'no'), blocked: false };
    const pieces = dataOf(made.release(held, [verdictOn('0', 'no'), kept]));
    expect(pieces).toEqual([start(), ...text(0, 'no'), ...call(1, 'v', '{}', 1)]);
    expect(dataOf(made.conclude('end')).map(({ index }) => index as unknown)).toEqual([2, 2, 2, undefined, undefined]);
    const alone = reader();
    const one = alone.frames(start(), ...call(0, 'w', '{}', 1));
    for (const frame of one) alone.made.read(frame);
    alone.made.complete();
    alone.made.release(one, [verdictOn('0', 'no')]);
    expect(dataOf(alone.made.conclude('end'))[0]).toMatchObject({ index: 1 });
  });

  it('keep a start without a blocked call, and get one in blocks otherwise', () => {
    const released = (blocked: boolean) => {
      const { made, frames } = reader();
      const held = frames(start('m', [{ type: 'text', text: 'a' }, TOOL]));
      for (const frame of held) made.read(frame);
      made.complete();
      return dataOf(made.release(held, [{ ...verdictOn('1', 'no'), blocked }]));
    };
    expect(released(false)).toEqual([start('m', [{ type: 'text', text: 'a' }, TOOL])]);
    expect(released(true)).toEqual([
      start('m'),
      blockStart(0, { type: 'text', text: 'a' }),
      blockStop(0),
      ...text(1, 'no'),
    ]);
  });

  it('of a second reply end the blocks that are open', () => {
    const { made, frames } = reader();
    const first = frames(start(), blockStart(0, { type: 'text', text: '' }));
    for (const frame of first) made.read(frame);
    const next = made.splice(first, 2);
    const [begin, end] = frames(start('m2'), { type: 'message_delta', delta: {} }) as [Frame, Frame];
    expect([next.read(begin), dataOf(next.rewrite(begin))]).toEqual(['rewrite', [blockStop(0)]]);
    expect(next.read(end)).toBe('rewrite');
    expect(made.read(end)).toBe('pass');
  });

  it('end with a note or an error', () => {
    const fresh = reader();
    expect(fresh.made.conclude('no').map(({ event }) => event)).toEqual(MESSAGE_WITH_TEXT);
    const { made, read } = reader();
    read(start(), blockStart(0, { type: 'text', text: '' }));
    expect(made.conclude('no').map(({ event }) => event)).toEqual([
      'content_block_stop',
      'content_block_start',
      'content_block_delta',
      'content_block_stop',
      'message_delta',
      'message_stop',
    ]);
    const failing = reader().made;
    expect([JSON.parse(failing.fail('broken')[0]?.data ?? ''), failing.ended]).toEqual([
      { type: 'error', error: { type: 'api_error', message: 'broken' } },
      true,
    ]);
  });
});
