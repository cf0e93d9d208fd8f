import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { allowAll, blockOutside, everyCut, firstChange, openStream, play, sseData } from '../testing.ts';
import { judgeCalls } from '../../proxy/judge-calls.ts';
import { openaiChat } from './openai-chat.ts';

const HOSTILE = '{"path":"/etc/cron.d/x","content":"SECRET"}';

interface Delta {
  readonly delta: Record<string, unknown>;
  readonly finish?: string;
  readonly index?: number;
  readonly usage?: object;
}

const chunk = ({ delta, finish, index = 0, usage }: Delta): string =>
  JSON.stringify({
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    created: 1_700_000_000,
    model: 'gpt-x',
    choices: usage ? [] : [{ index, delta, logprobs: null, finish_reason: finish ?? null }],
    ...(usage && { usage }),
  });

const sse = (parts: readonly (Delta | string)[], eol = '\n'): Buffer =>
  Buffer.from(parts.map((part) => `data: ${typeof part === 'string' ? part : chunk(part)}${eol}${eol}`).join(''));

const text = (content: string): Delta => ({ delta: { content } });
const call = (index: number, name: string, args: string, pieces = 3): Delta[] => [
  { delta: { tool_calls: [{ index, id: `call_${index}`, type: 'function', function: { name, arguments: '' } }] } },
  ...Array.from({ length: pieces }, (_, at): Delta => {
    const size = Math.ceil(args.length / pieces);
    const part = args.slice(at * size, (at + 1) * size);
    return { delta: { tool_calls: [{ index, function: { arguments: part } }] } };
  }),
];
const finish = (reason: string, index = 0): Delta => ({ delta: {}, finish: reason, index });
const ROLE: Delta = { delta: { role: 'assistant', content: '' } };
const USAGE: Delta = { delta: {}, usage: { prompt_tokens: 1, completion_tokens: 2 } };

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

interface Choice {
  readonly index: number;
  readonly delta: {
    content?: string;
    role?: string;
    tool_calls?: { index: number; id?: string; function: { name?: string; arguments?: string } }[];
  };
  readonly finish_reason: string | null;
}
const choicesOf = (out: Buffer): Choice[] => sseData(out).flatMap((data) => (data.choices ?? []) as Choice[]);

describe('a blocked call', () => {
  const two = sse([
    ROLE,
    ...call(0, 'write_file', HOSTILE),
    ...call(1, 'write_file', '{"path":"b.ts"}'),
    finish('tool_calls'),
    USAGE,
    '[DONE]',
  ]);

  it('leaves no byte at any cut, and the allowed one beside it goes through renumbered', () => {
    for (const pieces of everyCut(two)) {
      const out = play(openStream(openaiChat, blockOutside), pieces);
      expect(out.includes('/etc/')).toBe(false);
      expect(out.includes('SECRET')).toBe(false);
      expect(out.includes('call_0')).toBe(false);
      const choices = choicesOf(out);
      const entries = choices.flatMap((choice) => choice.delta.tool_calls ?? []);
      expect(new Set(entries.map((entry) => entry.index))).toEqual(new Set([0]));
      expect(entries.map((entry) => entry.function.arguments).join('')).toBe('{"path":"b.ts"}');
      expect(choices.map((choice) => choice.delta.content ?? '').join('')).toContain('Refused'.toLowerCase());
      expect(choices.at(-1)?.finish_reason).toBe('tool_calls');
      expect(out.includes('"prompt_tokens":1')).toBe(true);
      expect(out.toString().endsWith('data: [DONE]\n\n')).toBe(true);
    }
  });

  it.each(['tool_calls', 'stop', 'function_call'])(
    'alone becomes text that ends with stop, whatever the reason was (%s)',
    (reason) => {
      const out = play(openStream(openaiChat, blockOutside), [
        sse([ROLE, ...call(0, 'w', HOSTILE), finish(reason), '[DONE]']),
      ]);
      const choices = choicesOf(out);
      expect(choices.every((choice) => choice.delta.tool_calls === undefined)).toBe(true);
      expect(choices.at(-1)?.finish_reason).toBe('stop');
      expect(out.includes('It writes outside the project directory. Use a path inside /home/u/proj.')).toBe(true);
    },
  );

  it.each(
    Object.entries({
      'an escaped key':
        sse([]).toString() +
        `data: ${chunk(call(0, 'w', HOSTILE, 1)[1] as Delta).replace('"tool_calls"', '"\\u0074ool_calls"')}\n\ndata: [DONE]\n\n`,
      function_call: sse([
        { delta: { function_call: { name: 'w', arguments: HOSTILE } }, finish: 'function_call' },
        '[DONE]',
      ]).toString(),
      'no index': sse([
        { delta: { tool_calls: [{ id: 'c', function: { name: 'w', arguments: HOSTILE } }] }, finish: 'stop' },
        '[DONE]',
      ]).toString(),
      'an object': sse([
        { delta: { tool_calls: [{ index: 0, function: { name: 'w', arguments: JSON.parse(HOSTILE) } }] } },
        '[DONE]',
      ]).toString(),
      'the second choice': sse([
        text('x'),
        { delta: { tool_calls: [{ index: 0, function: { name: 'w', arguments: HOSTILE } }] }, index: 1 },
        finish('stop'),
        finish('tool_calls', 1),
        '[DONE]',
      ]).toString(),
      'after the end': sse([finish('stop'), ...call(0, 'w', HOSTILE), '[DONE]']).toString(),
      'after [DONE]': sse([finish('stop'), '[DONE]', ...call(0, 'w', HOSTILE), finish('tool_calls')]).toString(),
      'other letter case': sse([...call(0, 'w', HOSTILE), finish('tool_calls')])
        .toString()
        .replaceAll('tool_calls"', 'Tool_Calls"'),
      'a key twice': `data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"name":"w","arguments":"/etc/"}}],"tool_calls":[]}}]}\n\n`,
      'message instead of delta': sse([...call(0, 'w', HOSTILE), finish('tool_calls')])
        .toString()
        .replaceAll('"delta"', '"message"'),
      'cut off JSON':
        sse(call(0, 'w', HOSTILE, 1))
          .toString()
          .slice(0, -9) + '\n\n',
      'no blank line at the end': sse(call(0, 'w', HOSTILE, 1))
        .toString()
        .slice(0, -2),
      'hidden from readers of CR': `data: {"choices":[{"delta":{\r\r"tool_calls":[{"index":0,"function":{"name":"w","arguments":"/etc/"}}]}}]}\n\n`,
      'hidden in what is a comment to some': `data: {"choices"\r:[{"delta":{"tool_calls":[{"index":0,"function":{"name":"w","arguments":"/etc/"}}]}}]}\n\n`,
      'hidden between two lines of data': `data: [\ndata: {"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"name":"w","arguments":"/etc/"}}]}}]}\ndata: ]\n\n`,
      'split by id under one index': sse([
        { delta: { tool_calls: [{ index: 0, id: 'a', function: { name: 'w', arguments: '{"path":' } }] } },
        { delta: { tool_calls: [{ index: 0, id: 'b', function: { arguments: '"/etc/x"}' } }] }, finish: 'tool_calls' },
      ]).toString(),
    }),
  )('does not get out written as: %s', (_, stream) => {
    for (const pieces of everyCut(Buffer.from(stream))) {
      const out = play(openStream(openaiChat, blockOutside), pieces);
      expect(out.includes('/etc/')).toBe(false);
    }
  });

  it('is dropped when upstream ends inside it, and the reply ends with an error', () => {
    const out = play(openStream(openaiChat, allowAll), [sse([ROLE, text('hi'), ...call(0, 'w', '{"path":"a"}')])]);
    expect(out.includes('"w"')).toBe(false);
    expect(sseData(out).at(-1)?.error).toMatchObject({ type: 'croft_guard' });
  });

  it('ends the reply with words when it is larger than what may be held', () => {
    const run = openStream(openaiChat, allowAll, { maxHeld: 4096 });
    for (let round = 0; round < 100; round++) run.guard.push(sse(call(0, 'w', 'x'.repeat(100), 1)));
    expect(run.guard.state).toBe('over');
    expect(run.budget.used).toBe(0);
    const choices = choicesOf(run.out());
    expect(choices.at(-1)?.finish_reason).toBe('stop');
    expect(run.out().includes('too large')).toBe(true);
    expect(run.out().includes('xxx')).toBe(false);
  });

  it('ends the reply as well when one frame alone is larger', () => {
    const run = openStream(openaiChat, allowAll, { maxHeld: 4096 });
    for (let round = 0; round < 100; round++) run.guard.push(Buffer.from(`data: ${'x'.repeat(100)}`));
    expect(run.guard.state).toBe('over');
    expect(run.budget.used).toBe(0);
  });

  it('passes all the same in dry-run, byte for byte', () => {
    for (const pieces of everyCut(two)) {
      const run = openStream(openaiChat, blockOutside, { enforce: false });
      expect(play(run, pieces).equals(two)).toBe(true);
    }
  });

  it('is blocked when the judge throws', () => {
    const out = play(
      openStream(openaiChat, () => {
        throw new Error('/home/u/secret');
      }),
      [two],
    );
    expect(choicesOf(out).some((choice) => choice.delta.tool_calls)).toBe(false);
    expect(out.includes('secret')).toBe(false);
  });

  it('never leaves a byte, whatever surrounds it and however it is cut', () => {
    const part = fc.oneof(
      fc.string().map((content): Delta[] => [text(content)]),
      fc
        .constantFrom('{"path":"a"}', HOSTILE, '')
        .chain((args) =>
          fc.tuple(fc.nat(2), fc.integer({ min: 1, max: 3 })).map(([index, pieces]) => call(index, 'w', args, pieces)),
        ),
      fc.constant([finish('tool_calls')]),
      fc.constant([finish('stop', 1)]),
      fc.constant([{ delta: { tool_calls: [{ index: 1, function: { arguments: HOSTILE } }] }, index: 1 }]),
    );
    fc.assert(
      fc.property(
        fc.array(part, { maxLength: 8 }),
        fc.boolean(),
        fc.array(fc.nat(3000), { maxLength: 6 }),
        (parts, done, places) => {
          const bytes = sse([...parts.flat(), ...(done ? ['[DONE]'] : [])]);
          const ends = [...places.map((place) => Math.min(place, bytes.length)).sort((a, b) => a - b), bytes.length];
          const pieces = ends.map((end, at) => bytes.subarray(ends[at - 1] ?? 0, end));
          const out = play(openStream(openaiChat, blockOutside), pieces);
          const clean = Buffer.from(out.toString().replaceAll(/"content":"(?:[^"\\]|\\.)*"/g, ''));
          expect(clean.includes('/etc/cron')).toBe(false);
          sseData(out);
        },
      ),
      { numRuns: 1500 },
    );
  });
});

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
