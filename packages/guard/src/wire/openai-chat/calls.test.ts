import { describe, expect, it } from 'vitest';
import { CallCollector } from './calls.ts';

function collect(...entries: readonly unknown[]) {
  const collector = new CallCollector('0');
  const added = entries.map((entry) => collector.addToolCall(entry)?.key);
  return { added, seen: collector.seen(collector.calls), calls: collector.calls };
}
const fn = (args?: unknown, name?: unknown, more: object = {}) => ({ function: { name, arguments: args }, ...more });

describe('the fragments of calls', () => {
  it('belong together by their index', () => {
    const { added, seen } = collect(
      { index: 0, id: 'a', ...fn('{"x"', 'w') },
      { index: 1, id: 'b', ...fn('{}', 'v') },
      { index: 0, ...fn(':1}') },
    );
    expect(added).toEqual(['0/0', '0/1', '0/0']);
    expect(seen).toEqual([
      { key: '0/0', readings: [{ name: 'w', arguments: '{"x":1}' }] },
      { key: '0/1', readings: [{ name: 'v', arguments: '{}' }] },
    ]);
  });

  it('belong together by their id where the index is missing', () => {
    const { added } = collect({ id: 'a', ...fn('', 'w') }, { id: 'b', ...fn('', 'v') }, { id: 'a', ...fn('{}') });
    expect(added).toEqual(['0/0', '0/1', '0/0']);
  });

  it('are calls of their own with other ids under one index', () => {
    expect(collect({ index: 0, id: 'a', ...fn('', 'w') }, { index: 0, id: 'b', ...fn('{}') }).added).toEqual([
      '0/0',
      '0/1',
    ]);
    expect(collect({ index: 0, id: 'a', ...fn('') }, { index: 0, id: '', ...fn('{}') }).added).toEqual(['0/0', '0/0']);
  });

  it('without index and id begin a call with each name, once the one before has content', () => {
    expect(collect(fn('{}', 'w'), fn('{}', 'v')).added).toEqual(['0/0', '0/1']);
    expect(collect(fn('', 'w'), fn('{}', 'w')).added).toEqual(['0/0', '0/0']);
    expect(collect(fn('{}', 'w'), fn('{}')).added).toEqual(['0/0', '0/0']);
    expect(collect({ custom: { name: 'p', input: 'x' } }, { custom: { name: 'p', input: 'y' } }).added).toEqual([
      '0/0',
      '0/1',
    ]);
    expect(collect({ index: 0, ...fn('{}', 'w') }, { index: 0, ...fn('{}', 'v') }).added).toEqual(['0/0', '0/0']);
  });

  it.each([
    [null],
    ['x'],
    [{ index: {} }],
    [fn('{}', 7)],
    [fn(7, 'w')],
    [{ function: 'x' }],
    [{ custom: [] }],
    [{ custom: { name: 'p', input: 7 } }],
  ])('cannot be read: %j', (entry) => {
    expect(collect(entry).added).toEqual([undefined]);
  });

  it('may have null for what is missing', () => {
    const { added, seen } = collect(
      { index: null, id: null, ...fn(null, null), custom: null },
      { index: '0', ...fn('{}', 'w') },
    );
    expect(added).toEqual(['0/0', '0/1']);
    expect(seen[0]).toEqual({ key: '0/0', readings: [{ name: '', arguments: '' }] });
  });
});

describe('the readings of a call', () => {
  it('have each name that a client could take from pieces', () => {
    const names = (...pieces: readonly string[]) =>
      collect(...pieces.map((name) => ({ index: 0, ...fn('', name) }))).seen[0]?.readings.map((one) => one.name);
    expect(names('read_', 'file')).toEqual(['read_', 'file', 'read_file']);
    expect(names('w', 'w')).toEqual(['w']);
    expect(names('', 'w')).toEqual(['w']);
  });

  it('have the joined text of calls with one index', () => {
    const { seen } = collect({ index: 0, id: 'a', ...fn('{"x":', 'w') }, { index: 0, id: 'b', ...fn('1}', 'v') });
    expect(seen[0]?.readings).toEqual([
      { name: 'w', arguments: '{"x":' },
      { name: 'w', arguments: '{"x":1}' },
      { name: 'v', arguments: '{"x":1}' },
    ]);
    expect(
      collect({ index: 0, id: 'a', ...fn('{}', 'w') }, { index: 0, id: 'b', ...fn('{}', 'v') }).seen[0]?.readings,
    ).toEqual([{ name: 'w', arguments: '{}' }]);
  });

  it('have a custom input as text, and arguments that are an object', () => {
    expect(collect({ custom: { name: 'p', input: 'a' } }).seen[0]?.readings).toEqual([
      { name: 'p', arguments: 'a', isText: true },
    ]);
    expect(collect(fn({ x: 1 }, 'w')).seen).toEqual([{ key: '0/0', readings: [{ name: 'w', arguments: { x: 1 } }] }]);
  });

  it('are ambiguous for an object beside text or another object, and without any', () => {
    const fault = (...entries: readonly object[]) =>
      collect(...entries.map((one) => ({ index: 0, ...one }))).seen[0]?.fault;
    expect(fault(fn({}, 'w'), fn('{}'))).toBe('ambiguous-arguments');
    expect(fault(fn('{}', 'w'), fn({}))).toBe('ambiguous-arguments');
    expect(fault(fn({}, 'w'), fn({}))).toBe('ambiguous-arguments');
    expect(fault(fn({}, 'w'), fn(''))).toBeUndefined();
    expect(fault({ id: 'a' })).toBe('ambiguous-arguments');
    expect(fault({ custom: { name: 'p', input: {} } }, { custom: { input: 'x' } })).toBe('ambiguous-arguments');
  });
});

it('keeps the first id and type, and members outside of the protocol', () => {
  const { calls } = collect(
    { index: 0, id: '', type: 'function', ...fn('', 'w'), signature: 's' },
    { index: 0, id: 'a', type: 'custom', extra: 1 },
  );
  expect(calls[0]).toMatchObject({ id: 'a', type: 'function', extra: { signature: 's', extra: 1 }, legacy: false });
});

it('has one old function call for a choice', () => {
  const collector = new CallCollector('1');
  expect(collector.addFunctionCall({ name: 'w', arguments: '{"x"' })?.key).toBe('1/0');
  expect(collector.addFunctionCall({ arguments: ':1}', type: 'x' })?.key).toBe('1/0');
  expect(collector.seen(collector.calls)).toEqual([{ key: '1/0', readings: [{ name: 'w', arguments: '{"x":1}' }] }]);
  expect(collector.calls[0]).toMatchObject({ legacy: true, extra: {}, type: undefined });
  expect(collector.addFunctionCall('x')).toBeUndefined();
  collector.calls[0]?.addArguments(' ');
  expect(collector.calls[0]?.readings()).toEqual([{ name: 'w', arguments: '{"x":1} ' }]);
});
