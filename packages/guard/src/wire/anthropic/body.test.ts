import { describe, expect, it } from 'vitest';
import { blockOutside } from '../testing.ts';
import { judgeCalls } from '../../proxy/judge-calls.ts';
import { anthropic } from './anthropic.ts';

const HOSTILE = { type: 'tool_use', id: 'x', name: 'w', input: { path: '/etc/x' } };
const FINE = { type: 'tool_use', id: 'y', name: 'w', input: { path: 'a.ts' } };
const message = (content: unknown, stop_reason = 'tool_use') =>
  JSON.stringify({ id: 'msg', type: 'message', role: 'assistant', content, stop_reason, usage: { output_tokens: 5 } });
const kindOf = (body: string) => anthropic.readBody(Buffer.from(body)).kind;

function rewritten(body: string): string {
  const bytes = Buffer.from(body);
  const reading = anthropic.readBody(bytes);
  if (reading.kind !== 'calls') throw new Error(reading.kind);
  return anthropic.rewriteBody(bytes, judgeCalls(reading.calls, blockOutside, true)).toString();
}

describe('a message in one piece', () => {
  it('without calls is plain, whatever words and server tools are in it', () => {
    expect(kindOf(message([{ type: 'text', text: '"tool_use" \\u00e9' }]))).toBe('plain');
    expect(kindOf(message([{ type: 'server_tool_use', id: 's', name: 'bash', input: { command: 'x' } }]))).toBe(
      'plain',
    );
    expect(kindOf('{"type":"error","error":{"type":"invalid_request_error","message":"tool_use"}}')).toBe('plain');
    expect(kindOf('no JSON')).toBe('plain');
  });

  it('has its calls judged by the text of their input', () => {
    const reading = anthropic.readBody(Buffer.from(message([{ type: 'text', text: 'x' }, FINE])));
    expect(reading).toEqual({
      kind: 'calls',
      calls: [{ key: '1', readings: [{ name: 'w', arguments: '{"path":"a.ts"}' }] }],
    });
  });

  it('keeps all bytes but those of the blocked call', () => {
    const body = `{ "id":"m", "content":[ {"type":"text","text":"t"},${JSON.stringify(HOSTILE)}, {"type":"tool_use","id":"y","name":"w","input":{"n":12345678901234567890}} ], "stop_reason":"tool_use" }`;
    const out = rewritten(body);
    expect(out).toContain(
      ', {"type":"tool_use","id":"y","name":"w","input":{"n":12345678901234567890}} ], "stop_reason":"tool_use" }',
    );
    expect(out).not.toContain('/etc/');
    expect(JSON.parse(out)).toMatchObject({
      content: [{ type: 'text', text: 't' }, { type: 'text' }, { type: 'tool_use' }],
    });
  });

  it('says no longer that a call follows when none is left', () => {
    expect(JSON.parse(rewritten(message([HOSTILE])))).toMatchObject({
      content: [{ type: 'text', text: expect.stringContaining('was refused and not run') as string }],
      stop_reason: 'end_turn',
      usage: { output_tokens: 5 },
    });
    expect(JSON.parse(rewritten(message([HOSTILE], 'max_tokens')))).toMatchObject({ stop_reason: 'max_tokens' });
  });

  const raw = message([HOSTILE]);
  it.each(
    Object.entries({
      'two contents': raw.replace('"content":', '"content":[],"content":'),
      'two types': raw.replace('"type":"tool_use"', '"type":"text","type":"tool_use"'),
      'two types the other way round': raw.replace('"type":"tool_use"', '"type":"tool_use","type":"text"'),
      'two names': raw.replace('"name":', '"name":"r","name":'),
      'two inputs': raw.replace('"input":', '"input":{},"input":'),
      'other case': raw.replace('"content":', '"Content":'),
      'an input in other case': raw.replace('"input":', '"Input":'),
      'other case beside': raw.replace('"content":', '"Content":[],"content":'),
      'no list': raw.replace('[{', '{').replace('}]', '}'),
      'a deeper place': message([{ type: 'mcp_tool_result', content: [HOSTILE] }]),
      'beside the content': raw.replace('"content":', '"content":[],"more":'),
      'a list of messages': `[${raw}]`,
      'cut off': raw.slice(0, -9),
      'a name that is a list': message([{ ...HOSTILE, name: ['w'] }]),
    }),
  )('is broken where no certain reading is: %s', (_, body) => {
    expect(kindOf(body)).toBe('broken');
  });

  it.each(
    Object.entries({
      'an escaped type': raw.replace('"tool_use"', '"tool\\u005fuse"'),
      'an escaped content': raw.replace('"content"', '"c\\u006fntent"'),
      'a type in other case': raw.replace('"tool_use"', '"TOOL_USE"'),
      'an unknown type': raw.replace('"tool_use"', '"run"'),
      'a BOM': `\uFEFF${raw}`,
      'text in a string': message([{ ...HOSTILE, input: '{"path":"/etc/x"}' }]),
      'a key twice in its input': raw.replace('"path":', '"path":"a","path":'),
    }),
  )('has its call found written with %s', (_, body) => {
    expect(kindOf(body)).toBe('calls');
    expect(rewritten(body)).not.toContain('/etc/');
  });
});

describe('the wire', () => {
  it.each([
    ['/v1/messages', true],
    ['/messages', true],
    ['/api/anthropic/v1/messages', true],
    ['/v1/projects/p/locations/l/publishers/anthropic/models/claude-x:streamrawpredict', true],
    ['/v1/messages/count_tokens', false],
    ['/v1/messages/batches', false],
    ['/v1/threads/t/messages', false],
  ])('takes %s: %s', (path, taken) => {
    expect(anthropic.matches('POST', path)).toBe(taken);
    expect(anthropic.matches('GET', path)).toBe(false);
  });

  it('knows the model from the request, else from the URL', () => {
    expect(anthropic.model(Buffer.from('{"messages":[{"model":"no"}],"m\\u006fdel":"claude-x"}'), '/v1/messages')).toBe(
      'claude-x',
    );
    expect(anthropic.model(Buffer.from('{"model":"a","model":"b"}'), '/v1/messages')).toBeUndefined();
    for (const garbage of ['', '{', '{"model":', '[1]', '{"model":3}', '{"model":"\\x"}'])
      expect(anthropic.model(Buffer.from(garbage), '/v1/messages')).toBeUndefined();
    const vertex = '/v1/publishers/anthropic/models/claude-x%40001:rawPredict';
    expect(anthropic.model(undefined, vertex)).toBe('claude-x@001');
  });

  it('reads streams and JSON and nothing else', () => {
    expect(anthropic.open('application/json', '/')).toBe('body');
    expect(anthropic.open('text/event-stream', '/')).toBeTypeOf('object');
    expect(anthropic.open('application/vnd.amazon.eventstream', '/')).toBeUndefined();
  });
});
