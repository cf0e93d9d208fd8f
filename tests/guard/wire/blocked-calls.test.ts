import { describe, expect, it } from 'vitest';
import type { Decision, ObservedCall } from '../../../packages/guard/src/decision.ts';
import { guardBody } from '../../../packages/guard/src/proxy/guard-body.ts';
import { judgeCalls } from '../../../packages/guard/src/proxy/judge-calls.ts';
import { anthropic } from '../../../packages/guard/src/wire/anthropic/anthropic.ts';
import { gemini } from '../../../packages/guard/src/wire/gemini/gemini.ts';
import { openaiChat } from '../../../packages/guard/src/wire/openai-chat/openai-chat.ts';
import { openaiResponses } from '../../../packages/guard/src/wire/openai-responses/openai-responses.ts';
import { parseWireJson } from '../../../packages/guard/src/wire/wire-json.ts';
import type { Wire } from '../../../packages/guard/src/wire/wire.ts';
import { WIRES } from '../replies.mjs';
import { allowAll, blockOutside, openStream, play, sseData } from '../../../packages/guard/src/wire/testing.ts';

const HOSTILE: ObservedCall = { name: 'w', arguments: '{"path":"/etc/x"}' };
const PLAIN: ObservedCall = { name: 'w', arguments: '{"path":"a"}' };
const wires: readonly Wire[] = [openaiChat, openaiResponses, anthropic, gemini];
const pairs = WIRES.map(
  (replies) => [replies.name, wires.find(({ name }) => name === replies.name) as Wire, replies] as const,
);

const sse = (...events: (object | string)[]) =>
  Buffer.from(events.map((event) => `data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`).join(''));
const delta = (given: object, finish: string | null = null) => ({
  id: 'c',
  choices: [{ index: 0, delta: given, finish_reason: finish }],
});
const toolCall = (path: string, index = 0, more: object = {}) =>
  delta({
    tool_calls: [
      { index, id: `c${index}`, type: 'function', function: { name: 'w', arguments: `{"path":"${path}"}` }, ...more },
    ],
  });
const END = delta({}, 'tool_calls');
const chat = (...events: (object | string)[]) =>
  play(openStream(openaiChat, blockOutside), [sse(...events)]).toString();
const through = (wire: Wire, bytes: Buffer) => play(openStream(wire, blockOutside), [bytes]).toString();

const TWICE: Readonly<Record<string, string>> = {
  'openai-chat': `{"choices":${JSON.stringify(toolCall('/etc/x').choices)},"choices":[]}`,
  'openai-responses': `{"type":"response.output_item.done","output_index":0,"item":{"id":"f","type":"function_call","call_id":"c","name":"w","arguments":"/etc/x"},"item":{"id":"m","type":"message","content":[]}}`,
  anthropic: `{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"t","name":"w","input":{"path":"/etc/x"}},"content_block":{"type":"text","text":""}}`,
  gemini: `{"candidates":[{"content":{"parts":[{"functionCall":{"name":"w","args":{"path":"/etc/x"}}}]}}],"candidates":[]}`,
};

describe.each(pairs)('a streamed reply of %s', (_, wire, replies) => {
  it('passes byte for byte if its call is allowed', () => {
    const bytes = replies.stream(PLAIN) as string;
    expect(through(wire, Buffer.from(bytes))).toBe(bytes);
  });

  it('contains no byte of a blocked call', () => {
    const out = through(wire, Buffer.from(replies.stream(HOSTILE) as string));
    expect(out).not.toContain('/etc/');
    expect(out).not.toMatch(replies.trace);
    expect(out).toContain('Croft guard: ');
  });

  it('holds the bytes of a call until it is judged', () => {
    const bytes = replies.stream(PLAIN) as string;
    const judgedAt: number[] = [];
    const run = openStream(wire, () => {
      judgedAt.push(run.out().length);
      return allowAll();
    });
    play(run, [Buffer.from(bytes)]);
    expect(judgedAt).toHaveLength(1);
    expect(bytes.slice(0, judgedAt[0])).not.toMatch(replies.trace);
  });

  it('that is not streamed contains no byte of a blocked call', async () => {
    const body = Buffer.from(replies.body(HOSTILE) as string);
    const judge: Parameters<typeof guardBody>[1]['judge'] = (calls) => judgeCalls(calls, blockOutside, true);
    const ask = () => Promise.resolve(undefined);
    const guarded = await guardBody(body, { wire, judge, ask, request: undefined, maxRetries: 0, enforce: true });
    const out = guarded === 'broken' ? '' : guarded.body.toString();
    expect(out).not.toContain('/etc/');
    expect(out).not.toMatch(replies.trace);
  });

  it('is stopped if a key occurs twice and only the last value is harmless', () => {
    const out = through(wire, Buffer.from(`data: ${TWICE[replies.name]}\n\n`));
    expect(out).not.toContain('/etc/');
  });
});

describe('a guarded stream', () => {
  it('drops a call that upstream never ended, and ends with an error', () => {
    const out = play(openStream(openaiChat, allowAll), [sse(delta({ content: 'hi' }), toolCall('a'))]).toString();
    expect(out).not.toContain('tool_calls');
    expect(sseData(Buffer.from(out)).at(-1)).toHaveProperty('error');
  });

  it('blocks a call that is larger than what is held of one reply', () => {
    const run = openStream(openaiChat, allowAll, { maxHeld: 4096 });
    for (let i = 0; i < 50; i++) run.guard.push(sse(toolCall('x'.repeat(200))));
    expect(run.guard.state).toBe('over');
    expect(run.out().toString()).toContain('too large');
    expect(run.out().toString()).not.toContain('xxx');
  });

  it('blocks a call that does not fit into the budget of all replies', () => {
    const run = openStream(openaiChat, allowAll);
    run.budget.take((1 << 30) - 600);
    for (let i = 0; i < 5; i++) run.guard.push(sse(toolCall('x'.repeat(200))));
    expect(run.guard.state).toBe('over');
  });

  it('ends at a call that cannot be read reliably', () => {
    const out = chat({ choices: [{ delta: { tool_calls: { 0: 'x' } } }] }, END);
    expect(out).toContain('cannot be read for certain');
    expect(out).not.toContain('"0":"x"');
  });

  it('sends nothing after the end of the protocol', () => {
    expect(chat(delta({}, 'stop'), '[DONE]', toolCall('/etc/x'), END)).not.toContain('/etc/');
  });

  it('sends nothing after a call while it is held, and keeps the order', () => {
    const run = openStream(openaiChat, allowAll);
    run.guard.push(sse(toolCall('a')));
    run.guard.push(Buffer.from(': ping\n\n'));
    expect(run.out().length).toBe(0);
  });
});

describe('a verdict', () => {
  const of = (readings: readonly ObservedCall[], judge: (call: ObservedCall) => Decision, more = {}) =>
    judgeCalls([{ key: '0', readings, ...more }], judge, true)[0];

  it('is that of the worst reading', () => {
    expect(of([PLAIN, HOSTILE], blockOutside)?.blocked).toBe(true);
  });

  it('is a block if the judge throws', () => {
    const failing = () => {
      throw new Error('no');
    };
    expect(of([PLAIN], failing)).toMatchObject({ blocked: true, decision: { rule: 'failure' } });
  });

  it('is a block if the judge returns no decision', () => {
    expect(of([PLAIN], () => ({ ...allowAll(), decision: 'perhaps' as 'allow' }))?.blocked).toBe(true);
  });

  it('is a block if the wire cannot read the call', () => {
    expect(of([PLAIN], allowAll, { fault: 'ambiguous-arguments' })?.blocked).toBe(true);
  });

  it('is a block if there is nothing to judge', () => {
    expect(of([], allowAll)?.blocked).toBe(true);
  });
});

describe('JSON on a wire', () => {
  it('is rejected if a key occurs twice', () => {
    expect(parseWireJson('{"a":1,"b":{"c":1,"c":2}}')).toBeUndefined();
  });

  it('is rejected if it is nested too deeply to be written again', () => {
    expect(parseWireJson(`${'['.repeat(600)}${']'.repeat(600)}`)).toBeUndefined();
  });
});

describe('a chat completion', () => {
  it('has its surviving calls renumbered', () => {
    const out = chat(toolCall('/etc/x'), toolCall('b', 1), END, '[DONE]');
    expect(out).toContain('\\"b\\"');
    expect(out).toMatch(/"tool_calls":\[\{"index":0,/);
    expect(out).not.toMatch(/"index":1/);
  });

  it('announces no call if none is left', () => {
    expect(chat(toolCall('/etc/x'), END, '[DONE]')).not.toContain('"finish_reason":"tool_calls"');
  });

  it('cannot hide a call with an escaped key', () => {
    const text = JSON.stringify(toolCall('/etc/x')).replace('"tool_calls"', '"\\u0074ool_calls"');
    expect(chat(text, '[DONE]')).not.toContain('/etc/');
  });

  it('cannot hide a call with a key in another case', () => {
    const text = JSON.stringify(toolCall('/etc/x')).replace('"tool_calls"', '"Tool_Calls"');
    expect(chat(text, END)).not.toContain('/etc/');
  });

  it('cannot hide a call in the old form', () => {
    const legacy = delta({ function_call: { name: 'w', arguments: '{"path":"/etc/x"}' } }, 'function_call');
    expect(chat(legacy, '[DONE]')).not.toContain('/etc/');
  });

  it('cannot hide a call where no client should look for one', () => {
    const stray = {
      choices: [{ index: 0, message: { tool_calls: [{ function: { name: 'w', arguments: '/etc/x' } }] } }],
    };
    expect(chat(stray, '[DONE]')).not.toContain('/etc/');
  });

  it('cannot hide a call after line breaks that only some parsers see', () => {
    const out = play(openStream(openaiChat, blockOutside), [
      Buffer.from(`data: {"choices"\r:[${JSON.stringify(toolCall('/etc/x').choices[0])}]}\ndata: :[]}\n\n`),
    ]).toString();
    expect(out).not.toContain('/etc/');
  });

  it('cannot add to a call that was judged', () => {
    const more = delta({ tool_calls: [{ index: 0, function: { arguments: '/etc/x' } }] });
    expect(chat(toolCall('a'), END, more, END, '[DONE]')).not.toContain('/etc/');
  });

  it('has a split name read in every way', () => {
    const run = openStream(openaiChat, allowAll);
    const named = (name: string) => delta({ tool_calls: [{ index: 0, function: { name, arguments: '' } }] });
    play(run, [sse(named('read_'), named('file'), END, '[DONE]')]);
    expect(run.judged.map(({ name }) => name)).toEqual(['read_', 'file', 'read_file']);
  });

  it('also has calls with the same index read as one', () => {
    const part = (id: string, text: string) =>
      delta({ tool_calls: [{ index: 0, id, function: { name: 'w', arguments: text } }] });
    const run = openStream(openaiChat, allowAll);
    play(run, [sse(part('a', '{"path":'), part('b', '"c"}'), END, '[DONE]')]);
    expect(run.judged.map((call) => call.arguments)).toContain('{"path":"c"}');
  });
});

const event = (type: string, rest: object) => `event: ${type}\ndata: ${JSON.stringify({ type, ...rest })}\n\n`;

describe('a message', () => {
  const stream = (start: object, ...deltas: string[]) =>
    Buffer.from(
      [
        event('message_start', { message: { id: 'm', role: 'assistant', content: [], usage: {} } }),
        event('content_block_start', { index: 0, content_block: start }),
        ...deltas.map((partial_json) =>
          event('content_block_delta', { index: 0, delta: { type: 'input_json_delta', partial_json } }),
        ),
        event('content_block_stop', { index: 0 }),
        event('message_delta', { delta: { stop_reason: 'tool_use' }, usage: {} }),
        event('message_stop', {}),
      ].join(''),
    );

  it('has the first input of a call judged in addition to its fragments', () => {
    const start = { type: 'tool_use', id: 't', name: 'w', input: { path: '/etc/x' } };
    expect(through(anthropic, stream(start, '{"path":"a"}'))).not.toContain('/etc/');
  });

  it('has an input within a text judged', () => {
    const run = openStream(anthropic, allowAll);
    play(run, [stream({ type: 'tool_use', id: 't', name: 'w', input: {} }, JSON.stringify('{"path":"a"}'))]);
    expect(run.judged.map((call) => call.arguments)).toContain('{"path":"a"}');
  });

  it('has a block of an unknown type judged that looks like a call', () => {
    expect(through(anthropic, stream({ type: 'new_kind', name: 'w', input: { path: '/etc/x' } }))).not.toContain(
      '/etc/',
    );
  });

  it('announces no call if none is left', () => {
    const start = { type: 'tool_use', id: 't', name: 'w', input: {} };
    expect(through(anthropic, stream(start, '{"path":"/etc/x"}'))).not.toContain('"tool_use"');
  });

  it('cannot add to a call that was judged', () => {
    const late = event('content_block_delta', {
      index: 0,
      delta: { type: 'input_json_delta', partial_json: '/etc/x' },
    });
    const start = { type: 'tool_use', id: 't', name: 'w', input: {} };
    const bytes = stream(start, '{}').toString().replace('event: message_delta', `${late}event: message_delta`);
    expect(through(anthropic, Buffer.from(bytes))).not.toContain('/etc/');
  });
});

describe('a response', () => {
  const item = (path: string, more: object = {}) => ({
    id: 'fc',
    type: 'function_call',
    call_id: 'c',
    name: 'w',
    arguments: `{"path":"${path}"}`,
    ...more,
  });
  const response = { id: 'r', object: 'response', status: 'completed' };
  let number = 0;
  const numbered = (type: string, rest: object) => event(type, { sequence_number: number++, ...rest });
  const play_ = (...events: [string, object][]) => {
    number = 0;
    return through(openaiResponses, Buffer.from(events.map(([type, rest]) => numbered(type, rest)).join('')));
  };
  const completed = (...output: object[]): [string, object] => [
    'response.completed',
    { response: { ...response, output } },
  ];

  it('has its snapshot rewritten', () => {
    const out = play_(
      ['response.output_item.done', { output_index: 0, item: item('/etc/x') }],
      completed(item('/etc/x')),
    );
    const snapshot = sseData(Buffer.from(out)).at(-1) as { response: { output: { type: string }[] } };
    expect(snapshot.response.output.map(({ type }) => type)).toEqual(['message']);
    expect(out).not.toContain('/etc/');
  });

  it('has a call judged that is only in the snapshot', () => {
    expect(play_(completed(item('/etc/x')))).not.toContain('/etc/');
  });

  it('has its events numbered without a gap', () => {
    const out = play_(
      ['response.output_item.added', { output_index: 0, item: item('', { arguments: '' }) }],
      ['response.output_item.done', { output_index: 0, item: item('/etc/x') }],
      completed(item('/etc/x')),
    );
    const numbers = sseData(Buffer.from(out)).map((each) => each['sequence_number']);
    expect(numbers).toEqual(numbers.map((_, at) => at));
  });

  it('has the fragments of a call judged in addition to the finished item', () => {
    const run = openStream(openaiResponses, blockOutside);
    number = 0;
    const out = play(run, [
      Buffer.from(
        [
          numbered('response.output_item.added', { output_index: 0, item: item('', { arguments: '' }) }),
          numbered('response.function_call_arguments.delta', {
            output_index: 0,
            item_id: 'fc',
            delta: '{"path":"/etc/x"}',
          }),
          numbered('response.output_item.done', { output_index: 0, item: item('a') }),
          numbered('response.completed', { response: { ...response, output: [item('a')] } }),
        ].join(''),
      ),
    ]).toString();
    expect(out).not.toContain('/etc/');
  });

  it('has an item of an unknown kind judged that looks like a call', () => {
    const odd = { id: 'x', type: 'new_thing', call_id: 'c', input: '/etc/x' };
    expect(play_(['response.output_item.done', { output_index: 0, item: odd }], completed(odd))).not.toContain('/etc/');
  });

  it('cannot hide a call within another item', () => {
    const nested = { id: 'm', type: 'message', content: [item('/etc/x')] };
    expect(play_(['response.output_item.done', { output_index: 0, item: nested }])).not.toContain('/etc/');
  });
});

describe('a reply of Gemini', () => {
  const chunk = (parts: object[], finish?: string) => ({
    candidates: [{ content: { role: 'model', parts }, ...(finish && { finishReason: finish }) }],
  });
  const of = (...chunks: object[]) => through(gemini, sse(...chunks));

  it('cannot hide a call in the other spelling', () => {
    expect(of(chunk([{ function_call: { name: 'w', args: { path: '/etc/x' } } }], 'STOP'))).not.toContain('/etc/');
  });

  it('is stopped at a call in both spellings', () => {
    const both = { functionCall: { name: 'w', args: {} }, function_call: { name: 'w', args: { path: '/etc/x' } } };
    expect(of(chunk([both], 'STOP'))).not.toContain('/etc/');
  });

  it('cannot hide a call where no client should look for one', () => {
    expect(of({ candidates: [], more: { functionCall: { name: 'w', args: { path: '/etc/x' } } } })).not.toContain(
      '/etc/',
    );
  });

  it('has a call judged only when its arguments are complete', () => {
    const part = (value: string, more: boolean) => ({
      functionCall: {
        ...(more && { name: 'w' }),
        partialArgs: [{ jsonPath: '$.path', stringValue: value, ...(more && { willContinue: true }) }],
        ...(more && { willContinue: true }),
      },
    });
    const out = of(chunk([part('/et', true)]), chunk([part('c/x', false)], 'STOP'));
    expect(out).not.toContain('/et');
  });

  it('never has a content without parts', () => {
    const out = of(chunk([{ functionCall: { name: 'w', args: { path: '/etc/x' } } }], 'STOP'));
    expect(out).not.toContain('"parts":[]');
  });
});
