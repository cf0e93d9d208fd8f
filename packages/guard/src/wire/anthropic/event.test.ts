import { describe, expect, it } from 'vitest';
import { type AnthropicEvent, blockStart, blockStop, call, delta, end, json, sse, start, text } from './testing.ts';
import { allowAll, blockOutside, everyCut, openStream, play } from '../testing.ts';
import { anthropic } from './anthropic.ts';
import { hasTrace, INTERESTING, parseExcept, readEvent, textAt } from './event.ts';

const HOSTILE = '{"path":"/etc/cron.d/x","content":"SECRET"}';
const FINE = '{"path":"src/a.ts"}';

describe('a call that is not written as usual', () => {
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
      // The SDK assigns the index to the closed call, and the AI SDK to the server tool.
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
});

describe('an event', () => {
  const read = (payload: unknown) => readEvent(typeof payload === 'string' ? payload : JSON.stringify(payload));
  const TOOL = { type: 'tool_use', id: 't', name: 'w', input: { x: 1 } };

  it('is read by its type', () => {
    const block = { type: 'text', text: '' };
    expect(read({ type: 'content_block_start', index: 0, content_block: block })?.event).toEqual({
      kind: 'block-start',
      index: 0,
      block: { call: undefined, takesInput: false },
    });
    expect(read({ type: 'content_block_start', index: 2, content_block: TOOL })?.event).toMatchObject({
      kind: 'block-start',
      index: 2,
      block: { call: { input: '{"x":1}' } },
    });
    expect(read({ type: 'content_block_stop', index: 3 })?.event).toEqual({ kind: 'block-stop', index: 3 });
    expect(read({ type: 'message_stop' })).toEqual({
      event: { kind: 'message-stop' },
      type: 'message_stop',
      payload: { type: 'message_stop' },
    });
    expect(read('\uFEFF{"type":"ping"}')?.event).toEqual({ kind: 'other' });
  });

  it('may be a piece of an input, or of something else', () => {
    const delta = (body: object, index: unknown = 0) =>
      read({ type: 'content_block_delta', index, delta: body })?.event;
    expect(delta({ type: 'input_json_delta', partial_json: '{' })).toEqual({ kind: 'delta', index: 0, partial: '{' });
    expect(delta({ type: 'text_delta', text: 'a' })).toEqual({ kind: 'delta', index: 0, partial: undefined });
    for (const body of [
      { type: 'input_json_delta' },
      { type: 'text_delta', partial_json: '{' },
      { type: 'input_json_delta', partial_json: 7 },
      { Type: 'x' },
    ])
      expect(delta(body)).toBeUndefined();
    for (const index of [-1, 1.5, '0', null]) expect(delta({ type: 'text_delta' }, index)).toBeUndefined();
  });

  it('may be the end, with its reason and its usage', () => {
    const end = (delta: unknown) => read({ type: 'message_delta', delta, usage: 7 })?.event;
    expect(end({ stop_reason: 'end_turn' })).toEqual({ kind: 'message-delta', stop: 'end_turn', usage: 7 });
    for (const stop_reason of [null, '', 7]) expect(end({ stop_reason })).toMatchObject({ stop: undefined });
    expect([end(null), end({ Stop_reason: 'x' })]).toEqual([undefined, undefined]);
  });

  it('may be the start, with its blocks', () => {
    const start = (message: unknown, more: object = {}) => read({ type: 'message_start', message, ...more });
    expect(start({ content: [TOOL], usage: 7 })?.event).toMatchObject({
      kind: 'message-start',
      blocks: [{ call: { input: '{"x":1}' } }],
      usage: 7,
    });
    expect(start({})?.event).toEqual({ kind: 'message-start', blocks: [], usage: undefined });
    for (const message of [null, { Content: [] }, { content: {} }, { content: ['x'] }])
      expect(start(message)).toBeUndefined();
    expect(start({ content: [] }, { other: TOOL })).toBeUndefined();
  });

  it.each<[string, unknown]>([
    ['is not JSON', '{'],
    ['is not an object', '[]'],
    ['has no type', {}],
    ['has a type that is not text', { type: 7 }],
    ['has a key in another case', { type: 'ping', Index: 0 }],
    ['has a key twice', '{"type":"ping","type":"pong"}'],
    ['hides a call', { type: 'ping', other: [TOOL] }],
    ['has a block under an unknown type', { type: 'x', content_block: { type: 'text' } }],
    ['has a delta under an unknown type', { type: 'x', delta: {} }],
    ['starts a block without an index', { type: 'content_block_start', content_block: { type: 'text' } }],
    ['ends a block without an index', { type: 'content_block_stop' }],
  ])('cannot be read if it %s', (_, payload) => {
    expect(read(payload)).toBeUndefined();
  });

  it('may have a key twice in the input of a call, which is judged as text', () => {
    const twice = '{"x":1,"x":2}';
    const text = JSON.stringify({ type: 'content_block_start', index: 0, content_block: { ...TOOL, input: 0 } });
    expect(read(text.replace('"input":0', `"input":${twice}`))?.event).toMatchObject({
      block: { call: { input: twice } },
    });
    const message = JSON.stringify({ type: 'message_start', message: { content: [{ ...TOOL, input: 0 }] } });
    expect(read(message.replace('"input":0', `"input":${twice}`))?.event).toMatchObject({
      blocks: [{ call: { input: twice } }],
    });
    expect(parseExcept('{"a":{"x":1,"x":2}}', () => [['a']])).toEqual({ a: { x: 2 } });
    expect(parseExcept('{"a":{"x":1,"x":2}}', () => [['b']])).toBeUndefined();
    expect(parseExcept('[]', () => [])).toBeUndefined();
  });
});

it('finds every frame that may matter', () => {
  const frame = (data: string) => ({ raw: Buffer.from(data), data, event: undefined, unclear: false });
  for (const text of [
    'content_block_start',
    'content_block_stop',
    'TOOL_USE',
    'input_json',
    'partial_j',
    'message_stop',
    'message_delta',
    '\\u0074',
  ])
    expect(hasTrace(frame(text)), text).toBe(true);
  expect([hasTrace(frame('text_delta')), INTERESTING.test('content_block_delta')]).toEqual([false, false]);
  expect([textAt('{"a":[1,{"b": 2 }]}', ['a', 1]), textAt('{}', ['a'])]).toEqual(['{"b": 2 }', undefined]);
});
