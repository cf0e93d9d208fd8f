import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type AnthropicEvent,
  blockStart,
  blockStop,
  call,
  delta,
  end,
  json,
  PING,
  sse,
  start,
  text,
  thinking,
} from '../../../../../tests/guard/wire/anthropic-events.ts';
import { messageOf } from '../../../../../tests/guard/wire/anthropic-message.ts';
import { allowAll, blockOutside, everyCut, openStream, play } from '../../../../../tests/guard/wire/run-stream.ts';
import { anthropic } from './anthropic.ts';

const HOSTILE = '{"path":"/etc/cron.d/x","content":"SECRET"}';
const FINE = '{"path":"src/a.ts"}';

const STREAMS: Record<string, Buffer> = {
  text: sse([start(), PING, ...text(0, 'Héllo "tool_use" \\u00', ' wörld'), ...end('end_turn')]),
  'one call': sse([start(), ...text(0, 'I write.'), ...call(1, 'write_file', FINE), ...end('tool_use')]),
  'thinking, parallel calls and text between, CRLF': sse(
    [
      start(),
      ...thinking(0, 'Hm.', 'c2ln+/=='),
      ...call(1, 'a', FINE),
      PING,
      ...text(2, 'and'),
      ...call(3, 'b', FINE, 7),
      ...end('tool_use'),
    ],
    '\r\n',
  ),
  'CR line ends': sse([start(), ...call(0, 'a', FINE), ...end('tool_use')], '\r'),
  'redacted thinking, and no name of any event': Buffer.from(
    [
      start(),
      blockStart(0, { type: 'redacted_thinking', data: 'x' }),
      blockStop(0),
      ...call(1, 'a', FINE),
      ...end('tool_use'),
    ]
      .map((event) => `data: ${JSON.stringify(event)}\n\n`)
      .join(''),
  ),
  'server tools, which ran upstream': sse([
    start(),
    blockStart(0, { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: {} }),
    json(0, '{"query":"/etc/passwd"}'),
    blockStop(0),
    blockStart(1, {
      type: 'web_search_tool_result',
      tool_use_id: 'srvtoolu_1',
      content: [{ type: 'web_search_result', url: 'https://x', title: 't', encrypted_content: 'e' }],
    }),
    blockStop(1),
    blockStart(2, { type: 'mcp_tool_use', id: 'm', name: 'q', server_name: 's', input: { path: '/etc/' } }),
    blockStop(2),
    blockStart(3, {
      type: 'mcp_tool_result',
      tool_use_id: 'm',
      is_error: false,
      content: [{ type: 'text', text: 'r' }],
    }),
    blockStop(3),
    ...text(4, 'Found.'),
    ...end('pause_turn'),
  ]),
  'a call of running code, with its input at once': sse([
    start(),
    blockStart(0, {
      type: 'tool_use',
      id: 't',
      name: 'a',
      input: { path: 'x' },
      caller: { type: 'code_execution_20260120', tool_id: 's' },
    }),
    blockStop(0),
    ...end('tool_use'),
  ]),
  'an error': sse([
    start(),
    ...text(0, 'x'),
    { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } },
  ]),
  'no end of the block': sse([start(), ...call(0, 'a', FINE).slice(0, -1), ...end('tool_use')]),
  'ends of blocks all at the end': sse([
    start(),
    ...call(0, 'a', FINE).slice(0, -1),
    ...call(1, 'b', FINE).slice(0, -1),
    blockStop(0),
    blockStop(1),
    ...end('tool_use'),
  ]),
  'calls in the beginning': sse([
    start('msg_1', [{ type: 'tool_use', id: 't', name: 'a', input: { path: 'x' } }]),
    ...end('tool_use'),
  ]),
  refusal: sse([start(), ...text(0, 'No'), ...end('refusal')]),
};

describe('a message of which nothing is blocked', () => {
  it.each(Object.entries(STREAMS))('leaves byte for byte at every cut: %s', (_, bytes) => {
    for (const pieces of everyCut(bytes)) {
      const run = openStream(anthropic, allowAll);
      const out = play(run, pieces);
      if (!out.equals(bytes)) expect(out.toString()).toBe(bytes.toString());
      expect(run.budget.used).toBe(0);
    }
  });

  it('passes text at once, and holds a call until its block ends', () => {
    const run = openStream(anthropic, allowAll);
    const head = sse([start(), ...text(0, 'Hello')]);
    run.guard.push(head);
    expect(run.out().equals(head)).toBe(true);
    const [begin, ...rest] = call(1, 'a', FINE);
    run.guard.push(sse([begin as AnthropicEvent]));
    run.guard.push(sse(rest.slice(0, -1)));
    expect(run.out().equals(head)).toBe(true);
    expect(run.guard.holding).toBe(true);
    run.guard.push(sse([blockStop(1)]));
    expect(run.guard.holding).toBe(false);
  });

  const judgedOf = (events: readonly AnthropicEvent[]) => {
    const run = openStream(anthropic, allowAll);
    play(run, [sse([start(), ...events, ...end('tool_use')])]);
    return run.judged;
  };

  it('is judged by the joined fragments, as text', () => {
    expect(judgedOf(call(0, 'write_file', FINE, 5))).toEqual([{ name: 'write_file', arguments: FINE }]);
  });

  it('is judged by its first input where no fragment comes, and by both where both do', () => {
    const begin = blockStart(0, { type: 'tool_use', id: 't', name: 'a', input: { path: 'first' } });
    expect(judgedOf([begin, blockStop(0)])).toEqual([{ name: 'a', arguments: '{"path":"first"}' }]);
    expect(judgedOf([begin, json(0, FINE), blockStop(0)])).toEqual([
      { name: 'a', arguments: FINE },
      { name: 'a', arguments: '{"path":"first"}' },
    ]);
    expect(judgedOf([blockStart(0, { type: 'tool_use', id: 't', name: 'a', input: {} }), blockStop(0)])).toEqual([
      { name: 'a', arguments: '{}' },
    ]);
  });

  it("is judged under its toolset's name as well, which the AI SDK runs instead", () => {
    const judged = judgedOf(call(0, 'read', '{"command":"x"}', 1, { toolset_name: 'bash' }));
    expect(judged.map((one) => one.name)).toEqual(['read', 'bash']);
  });

  it('is judged by what is inside an input that is a JSON text in a string', () => {
    expect(judgedOf(call(0, 'a', JSON.stringify(FINE))).map((one) => one.arguments)).toEqual([
      JSON.stringify(FINE),
      FINE,
    ]);
  });

  it('is judged where an unknown type has a name and an input', () => {
    const begin = blockStart(0, { type: 'future_call', name: 'a', input: { path: 'x' } });
    expect(judgedOf([begin, blockStop(0)])).toEqual([{ name: 'a', arguments: '{"path":"x"}' }]);
  });
});

describe('a blocked call', () => {
  const mixed = sse([
    start(),
    ...thinking(0, 'Hm.', 'c2ln'),
    ...call(1, 'write_file', HOSTILE),
    ...text(2, 'and'),
    ...call(3, 'write_file', FINE),
    ...end('tool_use'),
  ]);

  it('leaves no byte at any cut; words stand at its index and all else keeps its bytes', () => {
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
    'alone becomes text, and the message says no longer that a call follows (%s)',
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

  const [begin, ...rest] = call(0, 'w', HOSTILE, 1) as [AnthropicEvent, ...AnthropicEvent[]];
  const use = (input: object, more: object = {}) => ({ type: 'tool_use', id: 't', name: 'w', input, ...more });
  const raw = (data: string, name = 'content_block_start') => `event: ${name}\ndata: ${data}\n\n`;
  const hostileStart = JSON.stringify(blockStart(0, use({ path: '/etc/x' })));
  const around = (...events: (AnthropicEvent | string)[]) => sse([start(), ...events, ...end('tool_use')]);

  it.each(
    Object.entries({
      'input in the beginning': around(blockStart(0, use({ path: '/etc/x' })), blockStop(0)),
      'input in the beginning, overridden': around(blockStart(0, use({ path: '/etc/x' })), json(0, FINE), blockStop(0)),
      'input in the fragments, over another': around(blockStart(0, use({ path: 'a' })), ...rest),
      'an escaped type': around(raw(hostileStart.replace('"tool_use"', '"tool\\u005fuse"')), blockStop(0)),
      'an escaped key': around(raw(hostileStart.replace('"type":"tool_use"', '"t\\u0079pe":"tool_use"')), blockStop(0)),
      'an escaped block': around(raw(hostileStart.replace('content_block"', 'content_bl\\u006fck"')), blockStop(0)),
      'escaped event type and block type': around(
        raw(
          hostileStart
            .replace('content_block_start', 'content\\u005fblock\\u005fstart')
            .replace('tool_use', 'tool\\u005fuse'),
          'x',
        ),
        blockStop(0),
      ),
      'two types': around(
        raw(hostileStart.replace('"type":"tool_use"', '"type":"text","type":"tool_use"')),
        blockStop(0),
      ),
      'two types the other way round': around(
        raw(hostileStart.replace('"type":"tool_use"', '"type":"tool_use","type":"text"')),
        blockStop(0),
      ),
      'two names': around(raw(hostileStart.replace('"name":"w"', '"name":"r","name":"w"')), blockStop(0)),
      'two blocks': around(
        raw(hostileStart.replace('"content_block":', '"content_block":{"type":"text","text":""},"content_block":')),
        blockStop(0),
      ),
      'two inputs': around(raw(hostileStart.replace('"input":', '"input":{},"input":')), blockStop(0)),
      'two paths in the beginning': around(raw(hostileStart.replace('"path":', '"path":"a","path":')), blockStop(0)),
      'a key in other case': around(
        raw(hostileStart.replace('"content_block":', '"content_block":{"type":"text","text":""},"Content_Block":')),
        blockStop(0),
      ),
      'a type in other case': around(blockStart(0, { ...use({ path: '/etc/x' }), type: 'Tool_Use' }), blockStop(0)),
      'an input in other case': around(raw(hostileStart.replace('"input"', '"Input"')), blockStop(0)),
      'a key with a long s': around(
        json(0, FINE),
        raw(JSON.stringify(json(0, HOSTILE)).replace('partial_json', 'partial_jſon'), 'content_block_delta'),
      ),
      'an event in other case': around(
        raw(hostileStart.replace('content_block_start', 'Content_Block_Start')),
        blockStop(0),
      ),
      'an event of another name': around(raw(hostileStart, 'ping'), blockStop(0)),
      'a block nobody counts before it': around(
        raw(JSON.stringify(blockStart(0, { type: 'text', text: '' })), 'ping'),
        ...call(1, 'w', HOSTILE),
      ),
      'an event without a name among others': around(`data: ${hostileStart}\n\n`, ...rest),
      'fragments of text': around(
        begin,
        delta(0, { type: 'text_delta', text: 'x', partial_json: HOSTILE }),
        blockStop(0),
      ),
      'fragments for a block that is text': around(...text(0, 'x').slice(0, 2), json(0, HOSTILE), blockStop(0)),
      'fragments for no block': around(...text(0, 'x'), json(5, HOSTILE)),
      'fragments after the end of the block': around(...call(0, 'w', FINE), json(0, HOSTILE)),
      'fragments after a second block at its index': around(
        ...call(0, 'w', FINE),
        blockStart(0, { type: 'server_tool_use', id: 's', name: 'web_search', input: {} }),
        json(0, HOSTILE),
      ),
      'a negative index': around(...call(0, 'w', FINE), json(-1, HOSTILE)),
      'an index in text': around(begin, { ...json(0, HOSTILE), index: '0' }, blockStop(0)),
      'no index': around({ type: 'content_block_start', content_block: use({ path: '/etc/x' }) }, blockStop(0)),
      'an index ahead of the blocks': around(...call(3, 'w', HOSTILE)),
      'an index behind the blocks': around(...text(0, 'x'), ...call(0, 'w', HOSTILE)),
      'in the beginning of the message': sse([start('m', [use({ path: '/etc/x' })]), ...end('tool_use')]),
      'in the beginning, beside text': sse([
        start('m', [{ type: 'text', text: 'x' }, use({ path: '/etc/x' })]),
        ...end('tool_use'),
      ]),
      'in a second beginning': sse([
        start(),
        ...text(0, 'x'),
        start('m', [use({ path: '/etc/x' })]),
        ...end('tool_use'),
      ]),
      'in the end': sse([
        start(),
        { type: 'message_delta', delta: { stop_reason: 'tool_use', content: [use({ path: '/etc/' })] } },
      ]),
      'in an event of no known type': around(raw(hostileStart.replace('content_block_start', 'block'), 'block')),
      'inside the result of a server tool': around(
        blockStart(0, { type: 'mcp_tool_result', content: [use({ path: '/etc/' })] }),
      ),
      'after the stop reason': sse([start(), ...end('end_turn').slice(0, 1), begin, ...rest, { type: 'message_stop' }]),
      'after the end': sse([start(), ...end('end_turn'), begin, ...rest, ...end('tool_use')]),
      'without an end of its block': around(begin, ...rest.slice(0, -1)),
      'without any end': sse([start(), begin, ...rest.slice(0, -1)]),
      'with its stop in the middle': around(begin, json(0, '{"path":"a"}'), blockStop(0), ...rest),
      'a name that is a list': around(blockStart(0, { ...use({ path: '/etc/x' }), name: ['w'] }), blockStop(0)),
      'no name': around(blockStart(0, { type: 'tool_use', id: 't', input: { path: '/etc/x' } }), blockStop(0)),
      'fragments that are no text': around(
        begin,
        { ...json(0, ''), delta: { type: 'input_json_delta', partial_json: [HOSTILE] } },
        blockStop(0),
      ),
      'two data lines': around(
        `event: content_block_start\ndata: {"type":"ping"}\ndata: ${hostileStart}\n\n`,
        blockStop(0),
      ),
      'cut off JSON': around(raw(hostileStart.slice(0, -3))),
      'a BOM before it': Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), sse([begin, ...rest, ...end('tool_use')])]),
      'lines of CR': sse([start(), begin, ...rest, ...end('tool_use')], '\r'),
    }),
  )('does not get out written as: %s', (_, bytes) => {
    for (const pieces of everyCut(bytes)) {
      const out = play(openStream(anthropic, blockOutside), pieces);
      const clean = out.toString();
      expect(clean.includes('/etc/')).toBe(false);
    }
  });

  const fine = JSON.stringify(blockStart(0, use({ path: 'a' })));
  const fragment = (more: object) => ({ ...json(0, FINE), ...more });
  it.each(
    Object.entries({
      'an index ahead of the blocks': around(...call(3, 'w', FINE)),
      'an index behind the blocks': around(...text(0, 'x'), ...call(0, 'w', FINE)),
      'a block that some do not count before it': around(
        raw(JSON.stringify(blockStart(0, { type: 'text', text: '' })), 'ping'),
        ...call(1, 'w', FINE),
      ),
      'an event of another name': around(raw(fine, 'ping'), blockStop(0)),
      'no name of its event, where others have one': around(`data: ${fine}\n\n`, blockStop(0)),
      'fragments without a name of their event': around(begin, `data: ${JSON.stringify(json(0, FINE))}\n\n`),
      // Its index is the closed call's to the SDK, and the server tool's to the AI SDK.
      'fragments of a server tool at its index': around(
        ...call(0, 'w', FINE).slice(0, 1),
        blockStart(2, { type: 'server_tool_use', id: 's', name: 'web_search', input: {} }),
        json(2, '{"query":"q"}'),
      ),
      'a key in other case beside': around(
        raw(fine.replace('"content_block":', '"Content_Block":{},"content_block":')),
      ),
      'fragments in a key of other case beside': around(
        begin,
        fragment({ delta: { type: 'input_json_delta', partial_json: FINE, Partial_Json: '' } }),
      ),
      'fragments that are no text': around(begin, fragment({ delta: { type: 'input_json_delta', partial_json: {} } })),
      'fragments without text': around(begin, fragment({ delta: { type: 'input_json_delta' } })),
      'fragments with an index in text': around(begin, fragment({ index: '0' })),
      'fragments with half an index': around(begin, fragment({ index: 0.5 })),
      'fragments without an index': around(begin, fragment({ index: undefined })),
      'a field that only some skip': around(`\uFEFFevent: x\nevent: content_block_start\ndata: ${fine}\n\n`),
    }),
  )('is stopped although its input is fine, where clients could differ: %s', (_, bytes) => {
    const out = play(openStream(anthropic, allowAll), [bytes]).toString();
    expect(out).toContain('cannot be read for certain');
    expect(out).not.toContain('src/a.ts');
    expect(out).not.toContain('"path":"a"');
    expect(out.endsWith('\n\n')).toBe(true);
  });

  it('is dropped after the end of the message, whatever it is', () => {
    const whole = sse([start(), ...text(0, 'x'), ...end('end_turn')]);
    const out = play(openStream(anthropic, allowAll), [whole, sse([...call(1, 'w', FINE), ...end('tool_use')])]);
    expect(out.equals(whole)).toBe(true);
  });

  it('is one whose input was ready for the eager tool runner before all of it was there', () => {
    // At the end of any block the SDK's eager runner starts the newest call with what it has.
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

  it('ends the message with words when it is larger than what may be held', () => {
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

  it('passes all the same in dry-run, byte for byte', () => {
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

  it('leaves a message whose indexes follow each other, in whatever order calls and text stand', () => {
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
