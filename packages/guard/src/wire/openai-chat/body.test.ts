import { describe, expect, it } from 'vitest';
import { judgeCalls } from '../../proxy/judge-calls.ts';
import { blockOutside } from '../testing.ts';
import { openaiChat } from './openai-chat.ts';
import { HOSTILE } from './testing.ts';

describe('a reply in one piece', () => {
  const body = (message: object, finishReason = 'tool_calls'): Buffer =>
    Buffer.from(JSON.stringify({ id: 'x', choices: [{ index: 0, message, finish_reason: finishReason }], usage: {} }));
  const entry = (args: string, id = 'c') => ({ id, type: 'function', function: { name: 'w', arguments: args } });
  const rewritten = (bytes: Buffer) => {
    const reading = openaiChat.readBody(bytes);
    if (reading.kind !== 'calls') throw new Error(reading.kind);
    return JSON.parse(openaiChat.rewriteBody(bytes, judgeCalls(reading.calls, blockOutside, true)).toString()) as {
      choices: { message: Record<string, unknown>; finish_reason: string }[];
    };
  };

  it('without calls is plain, and broken where a trace of one cannot be read', () => {
    expect(openaiChat.readBody(body({ content: 'hi "tool_calls"' })).kind).toBe('plain');
    expect(openaiChat.readBody(body({ content: 'hi', tool_calls: null })).kind).toBe('plain');
    expect(openaiChat.readBody(Buffer.from('{"choices":[{"message":{"tool_calls":[{}')).kind).toBe('broken');
    expect(openaiChat.readBody(body({ Tool_Calls: [entry('{}')] })).kind).toBe('broken');
    expect(
      openaiChat.readBody(
        Buffer.from(
          body({ tool_calls: [entry('{}')] })
            .toString()
            .replace('message', 'delta'),
        ),
      ).kind,
    ).toBe('broken');
  });

  it('keeps the allowed calls', () => {
    const { choices } = rewritten(body({ content: 'I do.', tool_calls: [entry(HOSTILE), entry('{"path":"a"}', 'd')] }));
    expect(choices[0]?.message.tool_calls).toEqual([entry('{"path":"a"}', 'd')]);
    expect(choices[0]?.message.content).toMatch(/^I do\.\n\n\[Croft guard: /);
    expect(choices[0]?.finish_reason).toBe('tool_calls');
  });

  it('becomes text where none is left', () => {
    const { choices } = rewritten(body({ content: null, tool_calls: [entry(HOSTILE)] }));
    expect(choices[0]?.message).not.toHaveProperty('tool_calls');
    expect(choices[0]?.finish_reason).toBe('stop');
    const old = rewritten(body({ content: null, function_call: { name: 'w', arguments: HOSTILE } }, 'function_call'));
    expect(old.choices[0]?.message).not.toHaveProperty('function_call');
    expect(old.choices[0]?.finish_reason).toBe('stop');
  });
});
