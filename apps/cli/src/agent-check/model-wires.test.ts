import { describe, expect, it } from 'vitest';
import { type ScriptedCall, wireOf } from './model-wires.ts';

const CALL_ID = 'call_croft_check';
const CALL: ScriptedCall = { name: 'Bash', arguments: { command: 'ls' } };
const ARGS = '{"command":"ls"}';
const reply = (path: string, call?: ScriptedCall) => {
  const wire = wireOf(path);
  if (wire === undefined) throw new Error(`no wire for ${path}`);
  return wire('m', call);
};
const types = (path: string) =>
  reply(path, CALL).events.map(({ event, data }) => [event, (data as { type: string }).type]);

it('knows four protocols by the end of the path', () => {
  for (const path of ['/v1/messages', '/v1/responses', '/v1/chat/completions', '/v1beta/models/x:generateContent'])
    expect(wireOf(path)).toBeTypeOf('function');
  expect(wireOf('/models/x:streamGenerateContent')).toBe(wireOf('/models/x:generateContent'));
  for (const path of [
    '/messages/count',
    '/v1/completions',
    '/v1/models',
    '/generateContent',
    '/responses/1',
    '/x:generateContent/y',
  ])
    expect(wireOf(path)).toBeUndefined();
  expect(new Set(['/messages', '/responses', '/chat/completions', '/x:generateContent'].map(wireOf)).size).toBe(4);
});

describe('Anthropic Messages', () => {
  const message = {
    id: 'croft_check',
    type: 'message',
    role: 'assistant',
    model: 'm',
    usage: { input_tokens: 1, output_tokens: 1 },
  };
  it('calls a tool', () => {
    const block = { type: 'tool_use', id: CALL_ID, name: 'Bash' };
    const stop = { stop_reason: 'tool_use', stop_sequence: null };
    const { events, whole, endsWithDone } = reply('/messages', CALL);
    expect(whole).toEqual({ ...message, content: [{ ...block, input: { command: 'ls' } }], ...stop });
    expect(events.map(({ data }) => data)).toEqual([
      { type: 'message_start', message: { ...message, content: [], stop_reason: null, stop_sequence: null } },
      { type: 'content_block_start', index: 0, content_block: { ...block, input: {} } },
      { type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json: ARGS } },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: stop, usage: message.usage },
      { type: 'message_stop' },
    ]);
    expect(types('/messages').every(([event, type]) => event === type)).toBe(true);
    expect(endsWithDone).toBeUndefined();
  });

  it('ends with text', () => {
    const { events, whole } = reply('/messages');
    const stop = { stop_reason: 'end_turn', stop_sequence: null };
    expect(whole).toEqual({ ...message, content: [{ type: 'text', text: 'Done.' }], ...stop });
    expect(events.map(({ data }) => data)).toEqual([
      { type: 'message_start', message: { ...message, content: [], stop_reason: null, stop_sequence: null } },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Done.' } },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: stop, usage: message.usage },
      { type: 'message_stop' },
    ]);
  });
});

describe('OpenAI Responses', () => {
  const response = {
    id: 'croft_check',
    object: 'response',
    created_at: 0,
    model: 'm',
    status: 'completed',
    usage: { input_tokens: 1, output_tokens: 1, total_tokens: 2 },
  };
  const item = { id: 'croft_check', call_id: CALL_ID, name: 'Bash', status: 'completed' };

  it('calls a function', () => {
    const call = { ...item, type: 'function_call', arguments: ARGS };
    const { events, whole, endsWithDone } = reply('/responses', CALL);
    expect(whole).toEqual({ ...response, output: [call] });
    expect(events.map(({ data }) => data)).toEqual([
      { type: 'response.created', response: { ...response, status: 'in_progress', output: [] }, sequence_number: 0 },
      {
        type: 'response.output_item.added',
        output_index: 0,
        item: { ...call, status: 'in_progress' },
        sequence_number: 1,
      },
      { type: 'response.output_item.done', output_index: 0, item: call, sequence_number: 2 },
      { type: 'response.completed', response: { ...response, output: [call] }, sequence_number: 3 },
    ]);
    expect(types('/responses').every(([event, type]) => event === type)).toBe(true);
    expect(endsWithDone).toBeUndefined();
  });

  it('calls a tool that takes text', () => {
    const { whole, events } = reply('/responses', { name: 'Bash', input: 'text()' });
    const call = { ...item, type: 'custom_tool_call', input: 'text()' };
    expect(whole).toEqual({ ...response, output: [call] });
    expect(events[2]?.data).toEqual({
      type: 'response.output_item.done',
      output_index: 0,
      item: call,
      sequence_number: 2,
    });
  });

  it('ends with text', () => {
    expect(reply('/responses').whole).toEqual({
      ...response,
      output: [
        {
          id: 'croft_check',
          type: 'message',
          role: 'assistant',
          status: 'completed',
          content: [{ type: 'output_text', text: 'Done.', annotations: [] }],
        },
      ],
    });
  });
});

describe('OpenAI Chat Completions', () => {
  const about = { id: 'croft_check', created: 0, model: 'm' };
  const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
  const chunk = { ...about, object: 'chat.completion.chunk' };

  it('calls a function', () => {
    const tool = { id: CALL_ID, type: 'function', function: { name: 'Bash', arguments: ARGS } };
    const message = { role: 'assistant', content: null };
    const delta = { ...message, tool_calls: [{ index: 0, ...tool }] };
    expect(reply('/chat/completions', CALL)).toEqual({
      events: [
        { data: { ...chunk, choices: [{ index: 0, delta, finish_reason: null }] } },
        { data: { ...chunk, choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }], usage } },
      ],
      whole: {
        ...about,
        object: 'chat.completion',
        choices: [{ index: 0, message: { ...message, tool_calls: [tool] }, finish_reason: 'tool_calls' }],
        usage,
      },
      endsWithDone: true,
    });
  });

  it('ends with text', () => {
    const message = { role: 'assistant', content: 'Done.' };
    expect(reply('/chat/completions')).toEqual({
      events: [
        { data: { ...chunk, choices: [{ index: 0, delta: message, finish_reason: null }] } },
        { data: { ...chunk, choices: [{ index: 0, delta: {}, finish_reason: 'stop' }], usage } },
      ],
      whole: {
        ...about,
        object: 'chat.completion',
        choices: [{ index: 0, message, finish_reason: 'stop' }],
        usage,
      },
      endsWithDone: true,
    });
  });
});

describe('Gemini', () => {
  const whole = (part: object) => ({
    candidates: [{ index: 0, content: { role: 'model', parts: [part] }, finishReason: 'STOP' }],
    usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
    modelVersion: 'm',
    responseId: 'croft_check',
  });

  it('calls a function, or ends with text', () => {
    const called = whole({ functionCall: { id: CALL_ID, name: 'Bash', args: { command: 'ls' } } });
    expect(reply('/x:generateContent', CALL)).toEqual({ events: [{ data: called }], whole: called });
    expect(reply('/x:streamGenerateContent').whole).toEqual(whole({ text: 'Done.' }));
  });
});
