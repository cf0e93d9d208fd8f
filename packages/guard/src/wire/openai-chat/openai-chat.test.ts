import { describe, expect, it } from 'vitest';
import { allowAll, firstChange, openStream, play } from '../testing.ts';
import { openaiChat } from './openai-chat.ts';
import { call, finish, ROLE, sse, text, USAGE } from './testing.ts';

const STREAMS: Record<string, Buffer> = {
  text: sse([ROLE, text('Hel\u00e9 "tool_calls" lo'), text(' wörld'), finish('stop'), USAGE, '[DONE]']),
  'one call': sse([
    ROLE,
    text('I write.'),
    ...call(0, 'write_file', '{"path":"a.ts"}'),
    finish('tool_calls'),
    USAGE,
    '[DONE]',
  ]),
  'CRLF, text between calls': sse(
    [...call(0, 'a', '{"path":"a"}'), text('x'), ...call(1, 'b', '{"path":"b"}'), finish('tool_calls'), '[DONE]'],
    '\r\n',
  ),
  'CR line ends': sse([...call(0, 'a', '{"path":"a"}'), finish('stop'), '[DONE]'], '\r'),
  'no [DONE]': sse([...call(0, 'a', '{"path":"a"}'), finish('tool_calls')]),
  'no finish reason': sse([...call(0, 'a', '{"path":"a"}'), '[DONE]']),
  'two choices': sse([
    ...call(0, 'a', '{"path":"a"}'),
    { delta: { content: 'second' }, index: 1 },
    finish('tool_calls'),
    finish('stop', 1),
    '[DONE]',
  ]),
  'all in one frame': sse([
    {
      delta: { role: 'assistant', tool_calls: [{ index: 0, id: 'c', function: { name: 'a', arguments: '{}' } }] },
      finish: 'stop',
    },
    '[DONE]',
  ]),
  function_call: sse([
    { delta: { function_call: { name: 'a', arguments: '{"pa' } } },
    { delta: { function_call: { arguments: 'th":"b"}' } } },
    finish('function_call'),
    '[DONE]',
  ]),
  'custom tool': sse([
    {
      delta: { tool_calls: [{ index: 0, id: 'c', type: 'custom', custom: { name: 'apply_patch', input: '*** Be' } }] },
    },
    { delta: { tool_calls: [{ index: 0, custom: { input: 'gin Patch' } }] } },
    finish('tool_calls'),
    '[DONE]',
  ]),
  'comments and white space': Buffer.concat([
    Buffer.from(': OPENROUTER PROCESSING\n\n\n'),
    sse([...call(0, 'a', '{}'), finish('tool_calls'), '[DONE]']),
    Buffer.from('\n: end\n\n'),
  ]),
};

describe('a stream of which nothing is blocked', () => {
  it.each(Object.entries(STREAMS))('leaves byte for byte at every cut: %s', (_, bytes) =>
    expect(firstChange(() => openStream(openaiChat, allowAll), bytes)).toBeUndefined(),
  );

  it('passes text before its end, and holds a call until its end', () => {
    const run = openStream(openaiChat, allowAll);
    const head = sse([ROLE, text('Hello')]);
    run.guard.push(head);
    expect(run.out().equals(head)).toBe(true);
    run.guard.push(sse(call(0, 'a', '{}')));
    run.guard.push(sse([text('later')]));
    expect(run.out().equals(head)).toBe(true);
    expect(run.guard.holding).toBe(true);
    run.guard.push(sse([finish('tool_calls')]));
    expect(run.guard.holding).toBe(false);
  });

  it('is what was judged', () => {
    const run = openStream(openaiChat, allowAll);
    play(run, [STREAMS['one call'] as Buffer]);
    expect(run.judged).toEqual([{ name: 'write_file', arguments: '{"path":"a.ts"}' }]);
    const custom = openStream(openaiChat, allowAll);
    play(custom, [STREAMS['custom tool'] as Buffer]);
    expect(custom.judged).toEqual([{ name: 'apply_patch', arguments: '*** Begin Patch', isText: true }]);
  });
});
