import { describe, expect, it } from 'vitest';
import { allowAll } from '../testing.ts';
import { openaiResponses } from './openai-responses.ts';
import { openCalls } from './open-calls.ts';
import { noteItem } from './notes.ts';
import {
  BLOCKED,
  call,
  eventsOf,
  HOSTILE,
  PASSING,
  reasoning,
  responseOf,
  sseOf,
  type TestItem,
  text,
} from './testing.ts';
import { readBody, rewriteBody, turnIn } from './turn.ts';
import { ResponsesReader } from './reader.ts';
import { readerOf } from '../testing-reader.ts';

const FINE = '{"path":"a.ts"}';

describe('a response in one piece', () => {
  const body = (items: readonly TestItem[], more: object = {}): Buffer =>
    Buffer.from(
      JSON.stringify(
        responseOf(
          'r',
          items.map(({ item }) => item),
          more,
        ),
      ),
    );

  it('is plain without a call, whatever else ran', () => {
    expect(openaiResponses.readBody(body([text('m', 'function_call'), ...PASSING])).kind).toBe('plain');
    expect(
      openaiResponses.readBody(body([], { status: 'queued', tools: [{ type: 'function', name: 'x' }] })).kind,
    ).toBe('plain');
    expect(openaiResponses.readBody(body([], { instructions: [call('1', HOSTILE).item] })).kind).toBe('plain');
    expect(openaiResponses.readBody(Buffer.from('{"error":{"message":"x"}}')).kind).toBe('plain');
  });

  it.each(Object.entries(BLOCKED))('says its calls, and comes back without: %s', (_, blocked) => {
    const bytes = body([reasoning('rs'), blocked, call('1', FINE)]);
    const reading = openaiResponses.readBody(bytes);
    if (reading.kind !== 'calls') throw new Error(reading.kind);
    expect(reading.calls).toHaveLength(2);
    const verdicts = reading.calls.map(({ key }, at) => ({
      key,
      name: 'w',
      blocked: at === 0,
      decision: allowAll(),
      result: 'no',
      note: 'refused',
    }));
    const { output } = JSON.parse(openaiResponses.rewriteBody(bytes, verdicts).toString()) as {
      output: { readonly type: string }[];
    };
    expect(output.map(({ type }) => type)).toEqual(['reasoning', 'message', 'function_call']);
    expect(JSON.stringify(output)).not.toMatch(/etc|SECRET|call_0/);
    expect(output[0]).toEqual(reasoning('rs').item);
  });

  it.each(
    Object.entries({
      'no JSON': 'function_call',
      'a list': JSON.stringify([call('1', FINE).item]),
      'output twice': `{"output":[],"output":[${JSON.stringify(call('1', FINE).item)}]}`,
      'output in other case': JSON.stringify({ Output: [call('1', FINE).item] }),
      'output that is no list': JSON.stringify({ output: { 0: call('1', FINE).item } }),
      'a bare call': JSON.stringify(call('1', FINE).item),
      'a call in another place': JSON.stringify({ output: [], response: { output: [call('1', FINE).item] } }),
      'a call in a message': JSON.stringify({ output: [{ type: 'message', content: [call('1', FINE).item] }] }),
      'a chat completion': JSON.stringify({ choices: [{ message: { tool_calls: [] } }] }),
    }),
  )('is refused as broken: %s', (_, json) => {
    expect(openaiResponses.readBody(Buffer.from(json)).kind).toBe('broken');
  });
});

describe('the requests it answers for', () => {
  it.each([
    ['POST', '/v1/responses', true],
    ['POST', '/responses', true],
    ['POST', '/openai/v1/responses', true],
    ['POST', '/backend-api/codex/responses', true],
    ['POST', '/v1/responses/compact', true],
    ['POST', '/v1/responses/resp_1/cancel', true],
    ['GET', '/v1/responses/resp_1', true],
    ['GET', '/v1/responses/resp_1/input_items', false],
    ['DELETE', '/v1/responses/resp_1', false],
    ['POST', '/v1/responses/input_tokens', false],
    ['POST', '/v1/chat/completions', false],
  ])('%s %s: %s', (method, path, expected) => {
    expect(openaiResponses.matches(method, path)).toBe(expected);
  });

  it('says the model, and what it cannot read', () => {
    expect(openaiResponses.model(Buffer.from('{"model":"gpt-x"}'), '/')).toBe('gpt-x');
    expect(openaiResponses.model(Buffer.from('{'), '/')).toBeUndefined();
    expect(openaiResponses.model(undefined, '/')).toBeUndefined();
    expect(openaiResponses.open('application/json', '/')).toBe('body');
    expect(openaiResponses.open('application/x-ndjson', '/')).toBeUndefined();
  });
});

describe('a rewritten response', () => {
  const items = [reasoning('rs').item, call('1', HOSTILE).item, call('2', FINE).item];
  const response = responseOf('resp_rewritten', items);
  const bytes = Buffer.from(JSON.stringify(response));
  const verdict = (key: string, blocked: boolean) => ({
    key,
    name: 'w',
    blocked,
    decision: allowAll(),
    result: 'no',
    note: 'refused',
  });
  const keys = () => {
    const reading = readBody(bytes);
    if (reading.kind !== 'calls') throw new Error(reading.kind);
    return reading.calls.map(({ key }) => key);
  };
  const rewritten = (...verdicts: Parameters<typeof rewriteBody>[1]) =>
    JSON.parse(rewriteBody(bytes, verdicts).toString()) as unknown;

  it('has a message for each blocked call, and each other value as it was', () => {
    const [one = '', two = ''] = keys();
    expect(rewritten(verdict(one, true), verdict(two, false))).toEqual({
      ...response,
      output: [items[0], noteItem('refused', one), items[2]],
    });
    expect(openCalls.of('resp_rewritten')).toEqual([{ type: 'function_call_output', call_id: 'call_1', output: 'no' }]);
  });

  it('has a message for each call without a verdict', () => {
    const [one = '', two = ''] = keys();
    expect(rewritten()).toEqual({
      ...response,
      output: [items[0], noteItem('A tool call was stopped.', one), noteItem('A tool call was stopped.', two)],
    });
    expect(openCalls.of('resp_rewritten')).toEqual(
      ['call_1', 'call_2'].map((call_id) => ({ type: 'function_call_output', call_id, output: '' })),
    );
  });

  it.each(['{', '7', '{"choices":[]}'])('cannot be made of %s', (text) => {
    expect(() => rewriteBody(Buffer.from(text), [])).toThrow('a body is rewritten only after its calls were read');
  });

  it('is plain if it is not an object and has no trace of a call', () => {
    expect(['7', '"x"', '[]'].map((text) => readBody(Buffer.from(text)))).toEqual(Array(3).fill({ kind: 'plain' }));
  });
});

describe('the turn in a reply', () => {
  const items = [text('m', 'a'), call('1', FINE)];
  const turnOf = (...events: readonly Record<string, unknown>[]) =>
    turnIn({ frames: readerOf(new ResponsesReader(), sseOf).frames(...events) });
  const parts = (turn: ReturnType<typeof turnIn>) =>
    turn?.items.map(({ item, call: own }) => [item, own !== undefined]);
  const expected = [
    [items[0]?.item, false],
    [items[1]?.item, true],
  ];

  it('has each item with its call, streamed or in one piece', () => {
    const response = responseOf(
      'r',
      items.map(({ item }) => item),
    );
    const whole = turnIn({ body: Buffer.from(JSON.stringify(response)) });
    expect([whole?.response, parts(whole)]).toEqual([response, expected]);
    const events = eventsOf('r', items);
    const streamed = turnOf(...events, ...events);
    expect([streamed?.response, parts(streamed), streamed?.collector.open]).toEqual([response, expected, false]);
  });

  it('has the items of the stream if the final response has none', () => {
    const events = eventsOf('r', items);
    const last = { type: 'response.completed', response: responseOf('r', []) };
    expect(parts(turnOf(...events.slice(0, -1), last))).toEqual(expected);
  });

  it('is unknown without an end, and for what is not a response', () => {
    expect(turnOf(...eventsOf('r', items).slice(0, -1))).toBeUndefined();
    expect(turnOf()).toBeUndefined();
    for (const body of ['{', '[]', '{"choices":[]}', JSON.stringify(items[1]?.item)])
      expect(turnIn({ body: Buffer.from(body) }), body).toBeUndefined();
  });
});
