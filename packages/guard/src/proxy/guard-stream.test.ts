import { describe, expect, it } from 'vitest';
import { openSse } from '../framing/sse.ts';
import { openaiChat } from '../wire/openai-chat/openai-chat.ts';
import { call, finish, HOSTILE, ROLE, sse, text, USAGE } from '../wire/openai-chat/testing.ts';
import { allowAll, blockOutside, openStream } from '../wire/testing.ts';
import type { GuardStreamOptions } from './guard-stream-options.ts';
import { HeldBudget } from './held-budget.ts';

const FINE = '{"path":"a"}';
const open = (options: Partial<GuardStreamOptions> = {}, judge = blockOutside) => {
  const run = openStream(openaiChat, judge, { maxRecorded: 1 << 20, ...options });
  return { ...run, said: () => run.out().toString() };
};

describe('a stream', () => {
  it('passes text at once, and holds from the first fragment of a call on', () => {
    const { guard, said, judged, budget } = open();
    guard.push(sse([ROLE, text('hi')]));
    expect([said(), guard.holding]).toEqual([sse([ROLE, text('hi')]).toString(), false]);
    guard.push(sse([...call(0, 'w', FINE), text('later')]));
    expect([said(), guard.holding, judged]).toEqual([sse([ROLE, text('hi')]).toString(), true, []]);
    guard.push(sse([finish('tool_calls'), '[DONE]']));
    guard.end();
    expect(said()).toBe(
      sse([ROLE, text('hi'), ...call(0, 'w', FINE), text('later'), finish('tool_calls'), '[DONE]']).toString(),
    );
    expect([judged, guard.holding, guard.state, budget.used]).toEqual([
      [{ name: 'w', arguments: FINE }],
      false,
      'over',
      0,
    ]);
  });

  it('counts the bytes of a frame that is not complete', () => {
    const { guard, budget, said } = open({ maxRecorded: 0 });
    guard.push(Buffer.from('data: {"a"'));
    expect([guard.unread, budget.used, said()]).toEqual([10, 10, '']);
    guard.push(Buffer.from(':1}\n\n'));
    expect([guard.unread, budget.used, said()]).toEqual([0, 0, 'data: {"a":1}\n\n']);
  });

  it('sends nothing after its end', () => {
    const { guard, said } = open();
    guard.end();
    guard.push(sse([text('late')]));
    guard.fail('late');
    expect([said(), guard.state]).toEqual(['', 'over']);
  });

  it('ends with an error inside a call, and where bytes are not text', () => {
    const cut = open();
    cut.guard.push(sse([ROLE, ...call(0, 'w', FINE)]));
    cut.guard.end();
    expect(cut.said()).toContain('The reply ended inside a tool call; the call was dropped.');
    expect([cut.said().includes('"w"'), cut.guard.state, cut.budget.used]).toEqual([false, 'over', 0]);
    const odd = open();
    odd.guard.push(Buffer.from([...Buffer.from('data: '), 0xff, ...Buffer.from('\n\n')]));
    expect(odd.said()).toContain('The reply holds a tool call that cannot be read for certain; it was stopped.');
    const dry = open({ enforce: false });
    dry.guard.push(Buffer.from([...Buffer.from('data: '), 0xff, ...Buffer.from('\n\n')]));
    dry.guard.push(sse([text('more')]));
    dry.guard.end();
    expect([dry.out().includes(0xff), dry.said().includes('more'), dry.said().includes('stopped')]).toEqual([
      true,
      true,
      false,
    ]);
  });
});

describe('a call that is too large', () => {
  const large = sse([ROLE, ...call(0, 'w', `{"a":"${'x'.repeat(2_000)}"}`)]);

  it('ends the reply, and what follows is dropped', () => {
    const { guard, said, budget } = open({ maxHeld: 1_000 });
    guard.push(large);
    guard.push(sse([text('later')]));
    expect([
      said().includes('xxx'),
      said().includes('later'),
      said().endsWith('data: [DONE]\n\n'),
      guard.state,
    ]).toEqual([false, false, true, 'over']);
    expect(budget.used).toBe(0);
  });

  it('is one that the budget of all replies does not hold', () => {
    const { guard, said } = open({ budget: new HeldBudget(500), maxRecorded: 0 });
    guard.push(large);
    expect([guard.state, said().includes('xxx')]).toEqual(['over', false]);
    const partial = open({ budget: new HeldBudget(5), maxRecorded: 0 });
    partial.guard.push(Buffer.from('data: {"a'));
    expect(partial.guard.state).toBe('over');
  });

  it('is one frame that never ends', () => {
    const { guard } = open({ maxHeld: 10 });
    guard.push(Buffer.from('data: {"abc"'));
    expect(guard.state).toBe('over');
  });

  it('passes in a dry run, with everything after it', () => {
    const { guard, said, budget } = open({ maxHeld: 1_000, enforce: false });
    guard.push(large);
    guard.push(sse([text('later')]));
    guard.end();
    expect([said(), budget.used]).toEqual([large.toString() + sse([text('later')]).toString(), 0]);
  });
});

describe('a reply whose calls are all blocked', () => {
  const blocked = sse([ROLE, text('I try.'), ...call(0, 'w', HOSTILE), finish('tool_calls'), USAGE, '[DONE]']);

  it('waits for a second one, and keeps what upstream sent', () => {
    const { guard, said } = open();
    guard.push(blocked);
    expect([guard.state, guard.verdicts.map((one) => one.blocked), said().includes('/etc/')]).toEqual([
      'asking',
      [true],
      false,
    ]);
    const bytes = guard.answer.map(({ raw }) => raw.toString()).join('');
    expect(blocked.toString().startsWith(bytes)).toBe(true);
    expect([bytes.includes('I try.'), bytes.includes('/etc/')]).toEqual([true, true]);
    guard.end();
    expect(guard.state).toBe('asking');
  });

  it('continues with the second one', () => {
    const { guard, said, budget } = open();
    guard.push(blocked);
    guard.splice(openSse());
    expect([guard.state, guard.holding, guard.verdicts]).toEqual(['open', false, []]);
    guard.push(sse([ROLE, text('Sorry.'), finish('stop'), '[DONE]']));
    guard.end();
    expect([
      said().includes('Sorry.'),
      said().includes('/etc/'),
      said().match(/\[DONE\]/g)?.length,
      budget.used,
    ]).toEqual([true, false, 1, 0]);
    guard.splice(openSse());
    expect(guard.state).toBe('over');
  });

  it('becomes text if there is none', () => {
    const { guard, said } = open();
    guard.push(blocked);
    guard.refuse();
    expect([said().includes('was refused'), said().includes('[DONE]')]).toEqual([true, true]);
    guard.end();
    guard.refuse();
    expect([guard.state, said().match(/was refused/g)?.length]).toEqual(['over', 1]);
  });

  it('becomes text at once if it was not recorded, or a call is allowed', () => {
    const unrecorded = open({ maxRecorded: 0 });
    unrecorded.guard.push(blocked);
    expect([unrecorded.guard.state, unrecorded.said().includes('was refused')]).toEqual(['open', true]);
    const mixed = open();
    mixed.guard.push(sse([...call(0, 'w', HOSTILE), ...call(1, 'v', FINE), finish('tool_calls')]));
    expect([mixed.guard.state, mixed.said().includes('was refused'), mixed.said().includes('"v"')]).toEqual([
      'open',
      true,
      true,
    ]);
  });

  it('gives all bytes back when it is closed', () => {
    const { guard, budget } = open();
    guard.push(blocked);
    expect(budget.used).toBeGreaterThan(0);
    guard.close();
    expect([guard.state, budget.used, guard.answer]).toEqual(['over', 0, []]);
  });
});

it('asks again only before a call was sent', () => {
  const { guard } = open();
  guard.push(sse([...call(0, 'w', FINE), finish('tool_calls')]));
  guard.push(sse([...call(1, 'w', HOSTILE), finish('tool_calls')]));
  expect(guard.state).toBe('open');
});

it('passes everything unchanged that is allowed', () => {
  const bytes = sse([ROLE, ...call(0, 'w', HOSTILE), finish('tool_calls'), '[DONE]']);
  const { guard, out } = open({}, allowAll);
  guard.push(bytes);
  guard.end();
  expect(out().equals(bytes)).toBe(true);
});

it('gives the reader the held frames, and not the runs that it did not read', () => {
  const released: unknown[] = [];
  const reader = () => {
    const own = openaiChat.reader();
    const release = own.release.bind(own);
    own.release = (held, verdicts) => {
      released.push(...held.map((frame) => Buffer.isBuffer(frame) || frame.data?.includes('tool_calls')));
      return release(held, verdicts);
    };
    return own;
  };
  const { guard, said } = open({ wire: { ...openaiChat, reader } });
  const bytes = sse([...call(0, 'w', FINE, 1), text('later'), finish('tool_calls')]);
  guard.push(bytes);
  expect([released, said()]).toEqual([[true, true, true], bytes.toString()]);
});
