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
import { allowAll, firstChange, openStream, play } from '../testing.ts';
import { anthropic } from './anthropic.ts';

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
  it.each(Object.entries(STREAMS))('leaves byte for byte at every cut: %s', (_, bytes) =>
    expect(firstChange(() => openStream(anthropic, allowAll), bytes)).toBeUndefined(),
  );

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

  it.each([
    ['bash', { command: 'echo x > a' }],
    ['str_replace_based_edit_tool', { command: 'create', path: 'a', file_text: 'x' }],
    ['memory', { command: 'rename', old_path: '/memories/a', new_path: '/memories/b' }],
    ['computer', { action: 'key', text: 'Return' }],
  ])('is judged where it is a built-in tool that the client runs: %s', (name, input) => {
    expect(judgedOf(call(0, name, JSON.stringify(input)))).toEqual([{ name, arguments: JSON.stringify(input) }]);
  });

  it('is judged where an unknown type has a name and an input', () => {
    const begin = blockStart(0, { type: 'future_call', name: 'a', input: { path: 'x' } });
    expect(judgedOf([begin, blockStop(0)])).toEqual([{ name: 'a', arguments: '{"path":"x"}' }]);
  });
});
