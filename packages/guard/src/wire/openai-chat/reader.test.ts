import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { allowAll, blockOutside, everyCut, openStream, play, sseData } from '../testing.ts';
import { cutAt, PLACES, dataOf, readerOf, repliesWithout, verdictOn } from '../testing-reader.ts';
import type { Frame } from '../../framing/framing.ts';
import { openaiChat } from './openai-chat.ts';
import { ChatReader } from './reader.ts';
import { call, choicesOf, chunk, type Delta, finish, HOSTILE, ROLE, sse, text, USAGE } from './testing.ts';

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
    for (const out of repliesWithout('call_0', openaiChat, two)) {
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
      fc.property(fc.array(part, { maxLength: 8 }), fc.boolean(), PLACES, (parts, done, places) => {
        const bytes = sse([...parts.flat(), ...(done ? ['[DONE]'] : [])]);
        const pieces = cutAt(bytes, places);
        const out = play(openStream(openaiChat, blockOutside), pieces);
        const clean = Buffer.from(out.toString().replaceAll(/"content":"(?:[^"\\]|\\.)*"/g, ''));
        expect(clean.includes('/etc/cron')).toBe(false);
        sseData(out);
      }),
      { numRuns: 1500 },
    );
  });
});

describe('the frames of a completion', () => {
  const reader = () => readerOf(new ChatReader(), (parts: readonly (Delta | string)[]) => sse(parts));
  const verdict = (key: string, blocked: boolean) => verdictOn(key, blocked ? `no ${key}` : '');

  it('pass as text, are held from a call on, and finish with its choice or at the end', () => {
    const { read, made } = reader();
    expect(read(ROLE, text('a'), ...call(0, 'w', '{"a":1}', 2), text('b'))).toEqual([
      'pass',
      'pass',
      'hold',
      'hold',
      'hold',
      'hold',
    ]);
    expect(read(finish('tool_calls'))).toEqual(['finish']);
    expect(made.complete()).toEqual([{ key: '0/0', readings: [{ name: 'w', arguments: '{"a":1}' }] }]);
    const cut = reader();
    expect(cut.read(...call(0, 'w', '{}', 1), '[DONE]').at(-1)).toBe('finish');
    expect([cut.made.ended, cut.made.interesting, ...cut.read(text('late'))]).toEqual([true, undefined, 'drop']);
    expect(reader().read(finish('stop'), '[DONE]')).toEqual(['pass', 'pass']);
  });

  it('wait for every choice with a call', () => {
    const { read } = reader();
    const second = {
      delta: { tool_calls: [{ index: 0, id: 'x', function: { name: 'v', arguments: '{}' } }] },
      index: 1,
    };
    expect(read(...call(0, 'w', '{}', 1), second, finish('tool_calls'), finish('tool_calls', 1)).slice(-2)).toEqual([
      'hold',
      'finish',
    ]);
  });

  it.each([
    '{"tool_calls"',
    '[{"tool_calls":1}]',
    '{"choices":[{"message":{"tool_calls":[{}]}}]}',
    '{"choices":[{"delta":{"tool_calls":[7]}}]}',
  ])('are broken by a trace of a call that cannot be read: %s', (data) => {
    expect(reader().read(data)).toEqual(['broken']);
  });

  it('pass if they cannot be read and have no such trace', () => {
    expect(reader().read('{', '[]', '{"choices":7}')).toEqual(['pass', 'pass', 'pass']);
    expect(reader().made.read({ raw: Buffer.from('tool_calls'), data: 'x', event: undefined, unclear: true })).toBe(
      'broken',
    );
    expect(reader().made.read({ raw: Buffer.from(': x'), data: undefined, event: undefined, unclear: false })).toBe(
      'pass',
    );
  });

  it('are the same objects if nothing is blocked', () => {
    const { made, frames } = reader();
    const held = frames(...call(0, 'w', '{}', 1), finish('tool_calls'));
    for (const frame of held) made.read(frame);
    made.complete();
    expect(made.release(held, [verdict('0/0', false)])).toBe(held);
    expect(made.interesting?.test('"tool_calls"')).toBe(true);
  });

  it('lose a blocked call, whose note comes once, and renumber the others', () => {
    const { made, frames } = reader();
    const held = frames(...call(0, 'w', '{"a":1}', 2), ...call(1, 'v', '{}', 1), finish('tool_calls'));
    for (const frame of held) made.read(frame);
    made.complete();
    const choices = dataOf(made.release(held, [verdict('0/0', true), verdict('0/1', false)])).map(
      (piece) => piece['choices'][0],
    );
    expect(choices[0]).toEqual({ index: 0, delta: { content: 'no 0/0' }, finish_reason: null });
    expect(
      choices
        .slice(1, -1)
        .flatMap((choice) => choice.delta.tool_calls)
        .map((entry) => entry.index),
    ).toEqual([0, 0]);
    expect(choices.at(-1).finish_reason).toBe('tool_calls');
    expect(made.interesting).toBeUndefined();
  });

  const ENVELOPE = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1_700_000_000, model: 'gpt-x' };
  const chunkOf = (delta: object, finish_reason: string | null = null, more: object = { logprobs: null }) => ({
    ...ENVELOPE,
    choices: [{ index: 0, delta, ...more, finish_reason }],
  });

  it('are whole chunks with the note and the role of a blocked call', () => {
    const { made, frames } = reader();
    const entry = (index: number) => ({
      index,
      id: `c${index}`,
      type: 'function',
      function: { name: 'w', arguments: '{}' },
    });
    const held = frames(
      { delta: { role: 'assistant', content: 'a', tool_calls: [entry(0), entry(1)] } },
      text('b'),
      finish('tool_calls'),
    );
    for (const frame of held) made.read(frame);
    made.complete();
    expect(dataOf(made.release(held, [verdict('0/0', true), verdict('0/1', true)]))).toEqual([
      chunkOf({ role: 'assistant', content: 'no 0/0\n\nno 0/1' }, null, {}),
      chunkOf({ role: 'assistant', content: 'a' }),
      chunkOf({ content: 'b' }),
      chunkOf({}, 'stop'),
    ]);
  });

  it('that are only fragments are learned, and added to their call', () => {
    const { made, read } = reader();
    const [begin, one, two] = call(0, 'w', '{"a":"bc"}', 2) as [Delta, Delta, Delta];
    expect(read(begin, one, two, finish('tool_calls'))).toEqual(['hold', 'hold', 'hold', 'finish']);
    expect(made.complete()).toEqual([{ key: '0/0', readings: [{ name: 'w', arguments: '{"a":"bc"}' }] }]);
  });

  it('of a second reply have the members of the first that identify it', () => {
    const { made, frames } = reader();
    const own = { ...ENVELOPE, system_fingerprint: 'fp', other: 1 };
    const [first, other] = frames(
      JSON.stringify({ ...own, choices: [{ index: 0, delta: { content: ' ' }, finish_reason: null }] }),
      JSON.stringify({
        ...own,
        id: 'second',
        model: 'x',
        choices: [{ index: 0, delta: { content: 'a' }, finish_reason: null }],
      }),
    ) as [Frame, Frame];
    const { other: _, ...identity } = own;
    expect(dataOf(made.splice([first], 1).rewrite(other))).toEqual([
      { ...own, ...identity, choices: [{ index: 0, delta: { content: 'a' }, finish_reason: null }] },
    ]);
    expect(dataOf(made.splice([], 0).rewrite(other))).toEqual([
      { ...own, id: 'second', model: 'x', choices: [{ index: 0, delta: { content: 'a' }, finish_reason: null }] },
    ]);
    expect(made.splice([first], 1).rewrite(frames('{"error":1}')[0] as Frame)).toEqual(frames('{"error":1}'));
    const begun = made.splice(frames(text('a'), text('b')), 1);
    expect(begun.rewrite(frames({ delta: { content: '' } })[0] as Frame)).toEqual([]);
    expect(dataOf(begun.rewrite(other))[0]).toMatchObject({ choices: [{ delta: { content: '\n\na' } }] });
    expect(dataOf(begun.rewrite(other))[0]).toMatchObject({ choices: [{ delta: { content: 'a' } }] });
  });

  it('of a second reply continue the first: its id, one role, the sum of the usage, and a gap before its text', () => {
    const { made, frames } = reader();
    const first = frames(ROLE, text('I try.'), ...call(0, 'w', HOSTILE, 1), finish('tool_calls'), USAGE);
    for (const frame of first) made.read(frame);
    const next = made.splice(first, 2);
    const second = frames(ROLE, text('Sorry.'), text('More.'), USAGE);
    expect(second.map((frame) => next.read(frame))).toEqual(['rewrite', 'rewrite', 'rewrite', 'rewrite']);
    const pieces = dataOf(second.flatMap((frame) => next.rewrite(frame)));
    const deltas = pieces.flatMap((piece) => piece['choices'].map((choice: { delta: object }) => choice.delta)) as {
      role?: string;
      content?: string;
    }[];
    expect(deltas.some(({ role }) => role !== undefined)).toBe(false);
    expect(deltas.map(({ content }) => content ?? '').join('')).toBe('\n\nSorry.More.');
    expect(pieces.at(-1)?.['usage']).toEqual({ prompt_tokens: 2, completion_tokens: 4 });
    const silent = dataOf(made.splice(first, 0).rewrite(frames(text('Sorry.'))[0] as Frame));
    expect(silent[0]?.['choices'][0].delta.content).toBe('Sorry.');
  });

  it('end with a note or an error', () => {
    const { made, read } = reader();
    read(ROLE);
    const pieces = made.conclude('no');
    expect(pieces.at(-1)).toEqual({ data: '[DONE]' });
    expect(
      dataOf(pieces.slice(0, 2)).map((piece) => [
        piece['id'],
        piece['choices'][0].delta,
        piece['choices'][0].finish_reason,
      ]),
    ).toEqual([
      ['chatcmpl-1', { role: 'assistant', content: 'no' }, null],
      ['chatcmpl-1', {}, 'stop'],
    ]);
    expect(dataOf(reader().made.conclude('no').slice(0, 1))[0]).toMatchObject({
      id: 'chatcmpl-croft-guard',
      created: 0,
      model: '',
    });
    const failing = reader().made;
    expect([dataOf(failing.fail('broken')), failing.ended]).toEqual([
      [{ error: { message: 'broken', type: 'croft_guard', param: null, code: 'croft_guard' } }],
      true,
    ]);
  });
});
