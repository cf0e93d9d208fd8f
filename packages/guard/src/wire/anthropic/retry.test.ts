import { describe, expect, it } from 'vitest';
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
import { messageOf } from './testing-message.ts';
import { allowAll, blockOutside, everyCut, openStream, play } from '../testing.ts';
import type { Framing } from '../../framing/framing.ts';
import { judgeCalls } from '../../proxy/judge-calls.ts';
import { anthropic } from './anthropic.ts';

const HOSTILE = '{"path":"/etc/cron.d/x","size":12345678901234567890}';
const FINE = '{"path":"src/a.ts"}';
const REQUEST =
  '{"model":"claude-x","stream":true,"seed":12345678901234567890,"messages":[{"role":"user","content":"go"}],"max_tokens":9}';
const KEEP = { maxRecorded: 1 << 20 };

const first = [
  start('msg_1'),
  ...thinking(0, 'Let me.', 'c2ln+/=='),
  ...text(1, 'I ', 'try.'),
  ...call(2, 'write_file', HOSTILE, 3),
  ...end('tool_use'),
];

function asking(events: readonly AnthropicEvent[]) {
  const run = openStream(anthropic, blockOutside, KEEP);
  run.guard.push(sse(events));
  return run;
}

function retryOf(events: readonly AnthropicEvent[], request = REQUEST): string | undefined {
  const { guard } = asking(events);
  expect(guard.state).toBe('asking');
  return anthropic.retryRequest(Buffer.from(request), { frames: guard.answer }, guard.verdicts)?.toString();
}

interface Asked {
  readonly container?: string;
  readonly messages: readonly { readonly role: string; readonly content: Record<string, unknown>[] }[];
}
const parsed = (again: string | undefined): Asked => JSON.parse(again ?? 'null') as Asked;

describe('the request that asks again', () => {
  it('repeats the turn, thinking and signature included, and answers its call with an error', () => {
    const again = retryOf(first) ?? '';
    const { messages } = parsed(again);
    expect(messages.map((message) => message.role)).toEqual(['user', 'assistant', 'user']);
    expect(messages[1]?.content).toEqual([
      { type: 'thinking', thinking: 'Let me.', signature: 'c2ln+/==' },
      { type: 'text', text: 'I try.' },
      { type: 'tool_use', id: 'toolu_2', name: 'write_file', input: JSON.parse(HOSTILE) as unknown },
    ]);
    expect(messages[2]?.content).toMatchObject([{ type: 'tool_result', tool_use_id: 'toolu_2', is_error: true }]);
    expect(messages[2]?.content[0]?.content).toContain('Use a path inside /home/u/proj.');
  });

  it('leaves every byte of the request, and every number of the input, as it was', () => {
    const again = retryOf(first) ?? '';
    const [head, tail] = REQUEST.split(']') as [string, string];
    expect(again.startsWith(head)).toBe(true);
    expect(again.endsWith(`]${tail}`)).toBe(true);
    expect(again).toContain(`"input":${HOSTILE}`);
  });

  it('answers all calls of the turn in one message', () => {
    const { messages } = parsed(
      retryOf([start(), ...call(0, 'a', HOSTILE), ...call(1, 'b', HOSTILE), ...end('tool_use')]),
    );
    expect(messages[2]?.content.map((result) => result.tool_use_id)).toEqual(['toolu_0', 'toolu_1']);
  });

  it('repeats server tools with their results, redacted thinking and citations', () => {
    const citation = { type: 'web_search_result_location', url: 'https://x', cited_text: 'c', encrypted_index: 'e' };
    const result = {
      type: 'web_search_tool_result',
      tool_use_id: 's',
      content: [{ type: 'web_search_result', encrypted_content: 'e' }],
    };
    const events = [
      start(),
      blockStart(0, { type: 'redacted_thinking', data: 'xx' }),
      blockStop(0),
      blockStart(1, { type: 'server_tool_use', id: 's', name: 'web_search', input: {} }),
      json(1, '{"query":'),
      json(1, '"q"}'),
      blockStop(1),
      blockStart(2, result),
      blockStop(2),
      blockStart(3, { type: 'text', text: '', citations: [] }),
      delta(3, { type: 'citations_delta', citation }),
      delta(3, { type: 'text_delta', text: 'Cited.' }),
      blockStop(3),
      ...call(4, 'w', HOSTILE),
      ...end('tool_use'),
    ];
    expect(parsed(retryOf(events)).messages[1]?.content.slice(0, 4)).toEqual([
      { type: 'redacted_thinking', data: 'xx' },
      { type: 'server_tool_use', id: 's', name: 'web_search', input: { query: 'q' } },
      result,
      { type: 'text', text: 'Cited.', citations: [citation] },
    ]);
  });

  it('leaves out blank text, which the API refuses', () => {
    const { messages } = parsed(retryOf([start(), ...text(0, '\n\n'), ...call(1, 'w', HOSTILE), ...end('tool_use')]));
    expect(messages[1]?.content.map((block) => block.type)).toEqual(['tool_use']);
  });

  it.each([
    ['{"path":"/etc/x"', 'cut off'],
    ['"/etc/x"', 'no object'],
    ['{"path":"a","path":"/etc/x"}', 'a key twice'],
  ])('wraps an input the API would refuse: %s (%s)', (input) => {
    const { messages } = parsed(retryOf([start(), ...call(0, 'w', input), ...end('tool_use')]));
    expect(messages[1]?.content[0]?.input).toEqual({ INVALID_JSON: input });
  });

  it('names the container that upstream tools ran in', () => {
    const [last, over] = end('tool_use') as [AnthropicEvent, AnthropicEvent];
    const container = { id: 'ctr_1', expires_at: 'x' };
    const events = [
      start(),
      ...call(0, 'w', HOSTILE),
      { ...last, delta: { stop_reason: 'tool_use', container } },
      over,
    ];
    expect(parsed(retryOf(events)).container).toBe('ctr_1');
    expect(parsed(retryOf(events, REQUEST.replace('{', '{"container":"mine",'))).container).toBe('mine');
    expect(parsed(retryOf(events, REQUEST.replace('{', '{"container":null,'))).container).toBe('ctr_1');
  });

  it.each(['max_tokens', 'pause_turn', 'refusal', 'model_context_window_exceeded'])(
    'is not built after %s: the model does not wait for a result',
    (reason) => expect(retryOf([start(), ...call(0, 'w', HOSTILE), ...end(reason)])).toBeUndefined(),
  );

  it.each(['', '[]', '{"messages":[]}', '{"messages":"x"}', '{"messages":[{}],"messages":[{}]}', '{"model":"x"}'])(
    'is not built for a request like %j',
    (request) => expect(retryOf(first, request)).toBeUndefined(),
  );

  it('is not built if a call has no id, two have the same, or its type is unknown', () => {
    const one = (id: unknown, index: number, type = 'tool_use') => [
      blockStart(index, { type, ...(id !== undefined && { id }), name: 'w', input: { path: '/etc/x' } }),
      blockStop(index),
    ];
    expect(retryOf([start(), ...one(undefined, 0), ...end('tool_use')])).toBeUndefined();
    expect(retryOf([start(), ...one('a', 0), ...one('a', 1), ...end('tool_use')])).toBeUndefined();
    expect(retryOf([start(), ...one('a', 0, 'future_call'), ...end('tool_use')])).toBeUndefined();
  });

  it('is the same for a reply in one piece', () => {
    const body = Buffer.from(
      `{"content":[{"type":"thinking","thinking":"t","signature":"s"},{"type":"text","text":""},{"type":"tool_use","id":"x","name":"w","input":${HOSTILE}}],"stop_reason":"tool_use"}`,
    );
    const reading = anthropic.readBody(body);
    if (reading.kind !== 'calls') throw new Error(reading.kind);
    const verdicts = judgeCalls(reading.calls, blockOutside, true);
    const again = anthropic.retryRequest(Buffer.from(REQUEST), { body }, verdicts)?.toString();
    expect(again).toContain(`"input":${HOSTILE}`);
    expect(parsed(again).messages[1]?.content.map((block) => block.type)).toEqual(['thinking', 'tool_use']);
    expect(parsed(again).messages[2]?.content).toMatchObject([{ tool_use_id: 'x', is_error: true }]);
  });
});

describe('the second answer', () => {
  const splice = (run: ReturnType<typeof asking>) =>
    run.guard.splice(anthropic.open('text/event-stream', '/') as Framing);
  const second = [
    start('msg_2'),
    ...thinking(0, 'Then.', 'c2lnMg=='),
    ...text(1, 'Sorry.'),
    ...call(2, 'write_file', FINE),
    ...end('tool_use'),
  ];

  it('continues the first at every cut: one beginning, its id, indexes that follow', () => {
    for (const pieces of everyCut(sse(second))) {
      const run = asking(first);
      splice(run);
      const out = play(run, pieces);
      const message = messageOf(out);
      expect(message.id).toBe('msg_1');
      expect(message.content).toMatchObject([
        { type: 'thinking', signature: 'c2ln+/==' },
        { type: 'text', text: 'I try.' },
        { type: 'thinking', signature: 'c2lnMg==' },
        { type: 'text', text: 'Sorry.' },
        { type: 'tool_use', input: { path: 'src/a.ts' } },
      ]);
      expect(message.stop_reason).toBe('tool_use');
      expect(out.includes('/etc/')).toBe(false);
      expect(run.budget.used).toBe(0);
    }
  });

  it('keeps its numbers to the last digit although its indexes change', () => {
    const run = asking(first);
    splice(run);
    const begin = JSON.stringify(blockStart(0, { type: 'tool_use', id: 't', name: 'w', input: { n: 0 } }));
    const out = play(run, [
      sse([
        start(),
        `event: content_block_start\ndata: ${begin.replace('"n":0', '"n":12345678901234567890')}\n\n`,
        blockStop(0),
        ...end('tool_use'),
      ]),
    ]);
    expect(
      out.includes(
        '"index":2,"content_block":{"type":"tool_use","id":"t","name":"w","input":{"n":12345678901234567890}}',
      ),
    ).toBe(true);
  });

  it('may be refused again and followed by a third, and by text in the end', () => {
    const run = asking(first);
    splice(run);
    run.guard.push(sse([start('msg_2'), ...text(0, 'Again.'), ...call(1, 'w', HOSTILE), ...end('tool_use')]));
    expect(run.guard.state).toBe('asking');
    const again = anthropic.retryRequest(Buffer.from(REQUEST), { frames: run.guard.answer }, run.guard.verdicts);
    expect(parsed(again?.toString()).messages[1]?.content.map((block) => block.type)).toEqual(['text', 'tool_use']);
    splice(run);
    run.guard.push(sse([start('msg_3'), ...text(0, 'Third.'), ...call(1, 'w', HOSTILE), ...end('tool_use')]));
    run.guard.refuse();
    run.guard.end();
    const message = messageOf(run.out());
    expect(message.content.map((block) => block.text ?? block.type)).toEqual([
      'thinking',
      'I try.',
      'Again.',
      'Third.',
      expect.stringContaining('was refused and not run'),
    ]);
    expect(message.stop_reason).toBe('end_turn');
  });

  /** The end of the second reply, with the usage of both. */
  const BOTH_COST = end('tool_use').map((event) =>
    'usage' in event
      ? { ...event, usage: { output_tokens: 178, input_tokens: 50, cache_read_input_tokens: 14 } }
      : event,
  );

  it('keeps its bytes but for the cost where nothing was sent before the refused call', () => {
    const run = asking([start('msg_1'), ...call(0, 'w', HOSTILE), ...end('tool_use')]);
    splice(run);
    const out = play(run, [sse(second)]).toString();
    expect(out).toBe(sse([start('msg_1'), ...second.slice(1, -2), ...BOTH_COST]).toString());
  });

  it('has its own beginning where the first one was held', () => {
    const held = start('msg_1', [{ type: 'tool_use', id: 't', name: 'w', input: { path: '/etc/x' } }]);
    const run = asking([held, ...end('tool_use')]);
    expect(run.out()).toHaveLength(0);
    splice(run);
    const out = play(run, [sse(second)]).toString();
    expect(out).toBe(sse([...second.slice(0, -2), ...BOTH_COST]).toString());
  });

  it('may bring calls in its beginning, which follow as blocks', () => {
    const run = asking(first);
    splice(run);
    const begin = start('msg_2', [{ type: 'tool_use', id: 't', name: 'w', input: { path: 'x' } }]);
    const message = messageOf(play(run, [sse([begin, ...end('tool_use')])]));
    expect(message.content[2]).toEqual({ type: 'tool_use', id: 't', name: 'w', input: { path: 'x' } });
  });

  it('closes a block the first answer left open', () => {
    const open = [start(), ...text(0, 'x').slice(0, 2), ...call(1, 'w', HOSTILE), ...end('tool_use')];
    const run = asking(open);
    splice(run);
    const message = messageOf(play(run, [sse(second)]));
    expect(message.content.map((block) => block.type)).toEqual(['text', 'thinking', 'text', 'tool_use']);
    // The guard must not close the block again when it ends the message.
    const short = openStream(anthropic, blockOutside, { ...KEEP, maxHeld: 4096 });
    short.guard.push(sse(open));
    splice(short);
    short.guard.push(sse([start('msg_2'), ...text(0, 'y')]));
    short.guard.push(Buffer.from(`data: ${'x'.repeat(9000)}`));
    expect(messageOf(short.out()).content).toHaveLength(3);
  });

  it('ends with words at the right place when its call is too large', () => {
    const run = openStream(anthropic, blockOutside, { ...KEEP, maxHeld: 4096 });
    run.guard.push(sse(first));
    splice(run);
    run.guard.push(sse(second.slice(0, -3)));
    for (let round = 0; round < 100 && run.guard.state === 'open'; round++)
      run.guard.push(sse([json(2, 'x'.repeat(100))]));
    const message = messageOf(run.out());
    expect(message.content).toHaveLength(5);
    expect(message.content[4]?.text).toContain('too large');
  });
});

describe('a refused asking', () => {
  it('becomes text, and the rest of the first answer follows', () => {
    const run = asking(first);
    run.guard.refuse();
    run.guard.end();
    const message = messageOf(run.out());
    expect(message.content.map((block) => block.type)).toEqual(['thinking', 'text', 'text']);
    expect(message.stop_reason).toBe('end_turn');
    expect(message.usage.output_tokens).toBe(89);
  });

  it('is not started if another call of the reply is allowed', () => {
    const run = asking([start(), ...call(0, 'w', HOSTILE), ...call(1, 'w', FINE), ...end('tool_use')]);
    expect(run.guard.state).toBe('open');
    const late = asking([start(), ...call(0, 'w', FINE), ...call(1, 'w', HOSTILE), ...end('tool_use')]);
    expect(late.guard.state).toBe('open');
  });

  it('keeps nothing of allowed calls', () => {
    const run = openStream(anthropic, allowAll, KEEP);
    play(run, [sse(first)]);
    expect(run.budget.used).toBe(0);
  });
});
