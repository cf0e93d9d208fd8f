import { describe, expect, it } from 'vitest';
import { allowAll } from '../testing.ts';
import { openaiResponses } from './openai-responses.ts';
import { BLOCKED, call, HOSTILE, PASSING, reasoning, responseOf, type TestItem, text } from './testing.ts';

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
