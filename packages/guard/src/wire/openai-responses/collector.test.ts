import { describe, expect, it } from 'vitest';
import { CallCollector } from './collector.ts';
import { readEvent } from './payload.ts';
import { call, eventsOf, PASSING, text } from './testing.ts';

/** The readings of the calls in these events, or `-` where an event contradicts those before. */
function collect(...events: readonly Record<string, unknown>[]) {
  const collector = new CallCollector();
  const taken = events.map((payload) => {
    const event = readEvent({ raw: Buffer.alloc(0), data: JSON.stringify(payload), event: undefined, unclear: false });
    return event && collector.take(event);
  });
  return { collector, taken, last: taken.at(-1) };
}
const seen = (collector: CallCollector) =>
  collector
    .takeFresh()
    .map(({ key, readings, fault }) => [key, ...readings.map((one) => one.arguments), ...(fault ? [fault] : [])]);
const FN = { type: 'function_call', id: 'f', call_id: 'c', name: 'w' };
const added = (item: object, output_index?: number) => ({ type: 'response.output_item.added', output_index, item });
const done = (item: object, output_index?: number) => ({ type: 'response.output_item.done', output_index, item });
const delta = (text: string, more: object = {}) => ({
  type: 'response.function_call_arguments.delta',
  output_index: 0,
  delta: text,
  ...more,
});
const whole = (text: string) => ({ type: 'response.function_call_arguments.done', output_index: 0, arguments: text });
const completed = (...output: readonly object[]) => ({ type: 'response.completed', response: { output } });

describe('the calls of a response', () => {
  it('are each one call, however often they arrive', () => {
    const { collector, last } = collect(
      ...eventsOf('r', [text('m', 'hi'), call('1', '{}'), call('2', '[]'), ...PASSING]),
    );
    expect(collector.open).toBe(false);
    expect(collector.hasFresh).toBe(true);
    expect(seen(collector)).toEqual([
      ['0', '{}'],
      ['1', '[]'],
    ]);
    expect(collector.hasFresh).toBe(false);
    expect(last?.outputs?.map((one) => one?.key)).toEqual([undefined, '0', '1', ...PASSING.map(() => undefined)]);
  });

  it('are open from their start to their end', () => {
    const { collector, taken } = collect(added(FN, 0), delta('{}'));
    expect([collector.open, collector.hasFresh]).toEqual([true, false]);
    expect(taken[1]?.slot).toBe(taken[0]?.slot);
    collector.end();
    expect([collector.open, seen(collector)]).toEqual([false, [['0', '{}']]]);
    expect(collector.calls[0]).toMatchObject({ key: '0', item: FN, outcome: 'pending', replacement: undefined });
  });

  it('have a further reading where the parts differ', () => {
    expect(seen(collect(added(FN, 0), delta('{"a":1}'), done({ ...FN, arguments: '{}' }, 0)).collector)).toEqual([
      ['0', '{}', '{"a":1}'],
    ]);
    expect(seen(collect(done({ ...FN, arguments: '{}' }, 0), completed({ ...FN, arguments: '[]' })).collector)).toEqual(
      [
        ['0', '{}'],
        ['1', '[]'],
      ],
    );
  });

  it('are found in the last snapshot alone, and by position or id there', () => {
    expect(seen(collect(completed({ ...FN, arguments: '{}' })).collector)).toEqual([['0', '{}']]);
    expect(seen(collect(added(FN, 0), delta('{}'), completed({ ...FN, arguments: '{}' })).collector)).toEqual([
      ['0', '{}'],
    ]);
    expect(
      seen(collect(added(FN, 4), delta('{}', { output_index: 4 }), completed({ ...FN, arguments: '{}' })).collector),
    ).toEqual([['0', '{}']]);
  });

  it('are not ended by a snapshot that is not the last one', () => {
    const { collector } = collect(added(FN, 0), { type: 'response.in_progress', response: { output: [] } });
    expect(collector.open).toBe(true);
  });

  it('are known again when they are done twice', () => {
    const item = { ...FN, arguments: '{}' };
    const { collector, taken } = collect(added(FN, 0), done(item, 0), done({ ...item, status: 'completed' }, 0));
    expect(seen(collector)).toHaveLength(1);
    expect(taken[2]).toMatchObject({ call: { key: '0' }, slot: taken[1]?.slot });
  });

  it('are ambiguous without a reading, and with too many', () => {
    const many = Array.from({ length: 17 }, (_, n) => whole(`[${n}]`));
    expect(seen(collect(added(FN, 0), ...many, done({ ...FN, arguments: '{}' }, 0)).collector)).toEqual([
      ['0', 'ambiguous-arguments'],
    ]);
  });
});

describe('a fragment', () => {
  it('belongs to the item at its position, else to the one with its id', () => {
    expect(
      seen(
        collect(added(FN), delta('{}', { output_index: undefined, item_id: 'f' }), done({ ...FN, arguments: '{}' }))
          .collector,
      ),
    ).toEqual([['0', '{}']]);
    expect(collect(added(FN, 0), delta('{}', { output_index: undefined, item_id: 'f' })).collector.calls).toEqual([]);
  });

  it('begins a call if its start was missed', () => {
    const { collector } = collect(delta('{}'), { ...delta(''), name: 'w' });
    expect(collector.open).toBe(true);
    collector.end();
    expect(collector.takeFresh()).toEqual([{ key: '0', readings: [{ name: 'w', arguments: '{}' }] }]);
  });

  it('after the end of a call must repeat it', () => {
    const before = [added(FN, 0), done({ ...FN, arguments: '{}' }, 0)];
    expect(collect(...before, whole('{}')).last?.slot).toBeDefined();
    expect(collect(...before, whole('[]')).last).toBeUndefined();
    expect(collect(...before, delta('{}')).last).toBeUndefined();
  });

  it('contradicts the events before if it belongs to text, or to two calls', () => {
    expect(collect(added({ type: 'message', id: 'm' }, 0), delta('x')).last).toBeUndefined();
    expect(
      collect(added({ type: 'message', id: 'm' }, 0), { type: 'response.x_call.delta', output_index: 0 }).last,
    ).toEqual({});
    expect(collect(added(FN, 0), added({ ...FN, id: 'g' }, 1), delta('x', { item_id: 'g' })).last).toBeUndefined();
  });
});

describe('an item', () => {
  it('contradicts the events before if it is a call there and is text now', () => {
    const message = { type: 'message', id: 'f' };
    expect(collect(added(FN, 0), done(message, 0)).last).toBeUndefined();
    expect(collect(delta('x'), added(message, 0)).last).toBeUndefined();
    expect(collect(added(message, 0), done({ ...FN, arguments: '{}' }, 0)).last).toBeUndefined();
  });

  it('that begins twice with another content is another call', () => {
    const { collector } = collect(added(FN, 0), added({ ...FN, id: 'g' }, 0));
    collector.end();
    expect(collector.calls).toHaveLength(2);
    const same = collect(added(FN, 0), added(FN, 0)).collector;
    same.end();
    expect(same.calls).toHaveLength(1);
  });

  it('is marked in other events while it is open', () => {
    const other = { type: 'response.output_text.delta', output_index: 0 };
    expect(collect(added(FN, 0), other).last?.slot).toBeDefined();
    expect(collect(added(FN, 0), done({ ...FN, arguments: '{}' }, 0), other).last).toEqual({});
    expect(collect(added({ type: 'message', id: 'm' }, 0), other).last).toEqual({});
  });
});
