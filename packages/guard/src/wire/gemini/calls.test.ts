import { describe, expect, it } from 'vitest';
import { CallCollector } from './calls.ts';
import type { TestCall } from './testing.ts';

/** Adds calls of candidate 0, and returns the collector. False where one cannot be read. */
function collected(...calls: readonly (TestCall & Readonly<Record<string, unknown>>)[]) {
  const collector = new CallCollector();
  const added = calls.map(
    (call) => collector.add('0', { part: {}, call: { ...call }, signature: undefined }) !== undefined,
  );
  return { collector, added };
}
const seen = (...calls: readonly (TestCall & Readonly<Record<string, unknown>>)[]) => {
  const { collector } = collected(...calls);
  collector.finish();
  return collector.takeComplete().map((call) => call.seen());
};
const x = (value: string, more: object = {}) => ({ jsonPath: '$.x', stringValue: value, ...more });

describe('a call in one part', () => {
  it('is complete, with its arguments', () => {
    const { collector } = collected({ name: 'a', args: { x: 1 } }, { name: 'b' });
    expect(collector.open).toBe(false);
    expect(collector.takeComplete().map((call) => call.seen())).toEqual([
      { key: '0', readings: [{ name: 'a', arguments: { x: 1 } }] },
      { key: '1', readings: [{ name: 'b', arguments: {} }] },
    ]);
    expect(collector.calls).toEqual([]);
  });

  it('has no name if the part has none', () => {
    expect(seen({ args: { x: 1 } })).toEqual([{ key: '0', readings: [{ name: '', arguments: { x: 1 } }] }]);
  });

  it('has a further reading for each unknown member that could hold arguments', () => {
    expect(seen({ name: 'a', args: {}, other: { y: 1 }, more: 'z', flag: true })[0]?.readings).toEqual([
      { name: 'a', arguments: {} },
      { name: 'a', arguments: { y: 1 } },
      { name: 'a', arguments: 'z' },
    ]);
  });

  it.each([[{ name: 7 }], [{ name: 'a', willContinue: 'yes' }], [{ Name: 'a' }], [{ name: 'a', partialArgs: 'x' }]])(
    'cannot be read: %j',
    (call) => {
      expect(collected(call as never).added).toEqual([false]);
    },
  );
});

describe('a call with streamed arguments', () => {
  it('is complete with the part that does not continue', () => {
    const { collector } = collected(
      { name: 'a', willContinue: true },
      { partialArgs: [x('he', { willContinue: true })], willContinue: true },
      { partialArgs: [x('y')], willContinue: true },
    );
    expect([collector.open, collector.takeComplete()]).toEqual([true, []]);
    collector.add('0', { part: {}, call: {}, signature: 's' });
    expect(collector.open).toBe(false);
    const [call] = collector.takeComplete();
    expect(call?.seen()).toEqual({ key: '0', readings: [{ name: 'a', arguments: { x: 'hey' } }] });
    expect([call?.signature, call?.wholeArgs()]).toEqual(['s', { x: 'hey' }]);
  });

  it('is judged as well by what it has where a client could take it for finished', () => {
    expect(seen({ name: 'a', partialArgs: [x('he', { willContinue: true })] }, { partialArgs: [x('y')] })[0]).toEqual({
      key: '0',
      readings: [
        { name: 'a', arguments: { x: 'hey' } },
        { name: 'a', arguments: { x: 'he' } },
      ],
    });
  });

  it('is ambiguous after sixteen such places', () => {
    const parts = (count: number) => [
      { name: 'a', willContinue: true },
      ...Array.from({ length: count }, () => ({ partialArgs: [x('a', { willContinue: true })] })),
      { partialArgs: [x('a')] },
    ];
    expect(seen(...parts(16))[0]?.fault).toBeUndefined();
    expect(seen(...parts(17))[0]?.fault).toBe('ambiguous-arguments');
  });

  it('is ambiguous with arguments in one piece beside, or with another call inside', () => {
    expect(seen({ name: 'a', args: { y: 1 }, partialArgs: [x('a')] })[0]?.fault).toBe('ambiguous-arguments');
    expect(seen({ name: 'a', args: {}, partialArgs: [x('a')] })[0]?.fault).toBeUndefined();
    expect(seen({ name: 'a', willContinue: true }, { name: 'b', args: {} }).map((one) => one.fault)).toEqual([
      'ambiguous-arguments',
      'ambiguous-arguments',
    ]);
  });

  it('is ambiguous if a part has another id or belongs to another candidate', () => {
    const second = (first: Readonly<Record<string, unknown>>, call: TestCall, candidate = '0') => {
      const { collector } = collected(first);
      const target = collector.add(candidate, { part: {}, call: { ...call }, signature: undefined });
      return target?.fault;
    };
    expect(second({ name: 'a', id: '1', willContinue: true }, { id: '2' })).toBe('ambiguous-arguments');
    expect(second({ name: 'a', id: '1', willContinue: true }, { id: '1' })).toBeUndefined();
    expect(second({ name: 'a', id: '1', willContinue: true }, {})).toBeUndefined();
    expect(second({ name: 'a', willContinue: true }, {}, '1')).toBe('ambiguous-arguments');
  });

  it('is invalid if the turn ends before it', () => {
    expect(seen({ name: 'a', willContinue: true })).toMatchObject([{ key: '0', fault: 'invalid-arguments' }]);
  });

  it('cannot begin without a name', () => {
    expect(collected({ partialArgs: [x('a')] }).added).toEqual([false]);
    expect(collected({ willContinue: true }).added).toEqual([false]);
  });
});

it('keeps the first id and the first signature of a call', () => {
  const collector = new CallCollector();
  const add = (call: object, signature: unknown) => collector.add('0', { part: {}, call: { ...call }, signature });
  const call = add({ name: 'a', willContinue: true }, undefined);
  add({ id: '1', willContinue: true }, 's1');
  add({}, 's2');
  expect([call?.id, call?.signature, call?.candidate]).toEqual(['1', 's1', '0']);
});
