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
import { anthropic } from './anthropic.ts';

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
    for (const pieces of everyCut(mixed)) {
      const out = play(openStream(anthropic, blockOutside), pieces);
      expect(out.includes('/etc/')).toBe(false);
      expect(out.includes('SECRET')).toBe(false);
      expect(out.includes('toolu_1')).toBe(false);
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
      fc.property(
        fc.array(part, { maxLength: 8 }),
        fc.boolean(),
        fc.array(fc.nat(3000), { maxLength: 6 }),
        (parts, done, places) => {
          const bytes = sse([start(), ...parts.flat(), ...(done ? end('tool_use') : [])]);
          const ends = [...places.map((place) => Math.min(place, bytes.length)).sort((a, b) => a - b), bytes.length];
          const pieces = ends.map((at, n) => bytes.subarray(ends[n - 1] ?? 0, at));
          const run = openStream(anthropic, blockOutside);
          const out = play(run, pieces).toString();
          expect(out.includes('/etc/cron')).toBe(false);
          expect(run.budget.used).toBe(0);
        },
      ),
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
