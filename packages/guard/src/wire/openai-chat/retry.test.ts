import { describe, expect, it } from 'vitest';
import { judgeCalls } from '../../proxy/judge-calls.ts';
import { blockOutside, everyCut, openStream, play, sseData } from '../testing.ts';
import { openaiChat } from './openai-chat.ts';
import { call, choicesOf, finish, HOSTILE, ROLE, sse, text, USAGE } from './testing.ts';

describe('asking again', () => {
  const first = sse([ROLE, text('I try.'), ...call(0, 'w', HOSTILE), finish('tool_calls'), USAGE, '[DONE]']);
  const request = Buffer.from(
    '{"model":"gpt-x","seed":12345678901234567890,"stream":true,"messages":[{"role":"user","content":"go"}]}',
  );

  it('carries the turn and a result for each call, and leaves the request as it was', () => {
    const run = openStream(openaiChat, blockOutside, { maxRecorded: 1 << 20 });
    run.guard.push(first);
    expect(run.guard.state).toBe('asking');
    const again = openaiChat.retryRequest(request, { frames: run.guard.answer }, run.guard.verdicts)?.toString() ?? '';
    expect(again).toContain('"seed":12345678901234567890');
    const { messages } = JSON.parse(again) as { messages: Record<string, unknown>[] };
    expect(messages[1]).toEqual({
      role: 'assistant',
      content: 'I try.',
      tool_calls: [{ id: 'call_0', type: 'function', function: { name: 'w', arguments: HOSTILE } }],
    });
    expect(messages[2]).toMatchObject({ role: 'tool', tool_call_id: 'call_0' });
    expect(messages[2]?.content).toContain('Use a path inside /home/u/proj.');
  });

  it('continues the first reply with the second answer: its ids, no second role, its calls', () => {
    const second = sse([
      ROLE,
      text('Sorry.'),
      ...call(0, 'w', '{"path":"ok.ts"}'),
      finish('tool_calls'),
      USAGE,
      '[DONE]',
    ])
      .toString()
      .replaceAll('chatcmpl-1', 'chatcmpl-2');
    for (const pieces of everyCut(Buffer.from(second))) {
      const run = openStream(openaiChat, blockOutside, { maxRecorded: 1 << 20 });
      run.guard.push(first);
      run.guard.splice(openaiChat.open('text/event-stream', '/') as never);
      const out = play(run, pieces);
      expect(new Set(sseData(out).map((data) => data.id))).toEqual(new Set(['chatcmpl-1']));
      const choices = choicesOf(out);
      expect(choices.filter((choice) => choice.delta.role !== undefined)).toHaveLength(1);
      expect(choices.map((choice) => choice.delta.content ?? '').join('')).toBe('I try.\n\nSorry.');
      expect(
        choices
          .flatMap((choice) => choice.delta.tool_calls ?? [])
          .map((entry) => entry.function.arguments)
          .join(''),
      ).toBe('{"path":"ok.ts"}');
      expect(out.includes('SECRET')).toBe(false);
      expect(out.toString().match(/\[DONE\]/g)).toHaveLength(1);
      expect(run.budget.used).toBe(0);
    }
  });

  it('carries a call in the older form, with the reasoning before it', () => {
    const run = openStream(openaiChat, blockOutside, { maxRecorded: 1 << 20 });
    run.guard.push(
      sse([
        { delta: { role: 'assistant', reasoning_content: 'h' } },
        { delta: { reasoning_content: 'm' } },
        { delta: { function_call: { name: 'w', arguments: HOSTILE.slice(0, 9) } } },
        { delta: { function_call: { arguments: HOSTILE.slice(9) } } },
        finish('function_call'),
        '[DONE]',
      ]),
    );
    expect(run.guard.state).toBe('asking');
    const again = openaiChat.retryRequest(request, { frames: run.guard.answer }, run.guard.verdicts)?.toString() ?? '';
    const { messages } = JSON.parse(again) as { messages: Record<string, unknown>[] };
    expect(messages.slice(1)).toEqual([
      {
        role: 'assistant',
        content: null,
        reasoning_content: 'hm',
        function_call: { name: 'w', arguments: HOSTILE },
      },
      { role: 'function', name: 'w', content: expect.stringContaining('Use a path inside /home/u/proj.') },
    ]);
  });

  it('is not done if another call is allowed, or the record was given up', () => {
    const run = openStream(openaiChat, blockOutside, { maxRecorded: 1 << 20 });
    run.guard.push(sse([...call(0, 'w', HOSTILE), ...call(1, 'w', '{}'), finish('tool_calls')]));
    expect(run.guard.state).toBe('open');
    const small = openStream(openaiChat, blockOutside, { maxRecorded: 10 });
    small.guard.push(first);
    expect(small.guard.state).toBe('open');
  });

  it('becomes text when it is refused, and the rest of the first answer follows', () => {
    const run = openStream(openaiChat, blockOutside, { maxRecorded: 1 << 20 });
    run.guard.push(first);
    run.guard.refuse();
    run.guard.end();
    expect(choicesOf(run.out()).at(-1)?.finish_reason).toBe('stop');
    expect(run.out().includes('"prompt_tokens":1')).toBe(true);
  });
});

describe('a reply in one piece', () => {
  const body = (message: object, finishReason = 'tool_calls'): Buffer =>
    Buffer.from(JSON.stringify({ id: 'x', choices: [{ index: 0, message, finish_reason: finishReason }], usage: {} }));
  const entry = (args: string, id = 'c') => ({ id, type: 'function', function: { name: 'w', arguments: args } });

  it('is asked again with the turn as it was', () => {
    const bytes = body({ role: 'assistant', content: null, reasoning_content: 'hm', tool_calls: [entry(HOSTILE)] });
    const reading = openaiChat.readBody(bytes);
    const verdicts = judgeCalls(reading.kind === 'calls' ? reading.calls : [], blockOutside, true);
    const again = openaiChat.retryRequest(Buffer.from('{"messages":[]}'), { body: bytes }, verdicts);
    const { messages } = JSON.parse(again?.toString() ?? '{}') as { messages: Record<string, unknown>[] };
    expect(messages[0]).toEqual({
      role: 'assistant',
      content: null,
      reasoning_content: 'hm',
      tool_calls: [entry(HOSTILE)],
    });
    expect(messages[1]).toMatchObject({ role: 'tool', tool_call_id: 'c' });
    expect(openaiChat.retryRequest(Buffer.from('{"n":2,"messages":[]}'), { body: bytes }, verdicts)).toBeUndefined();
    expect(openaiChat.retryRequest(Buffer.from('no json'), { body: bytes }, verdicts)).toBeUndefined();
  });
});
