import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createDurableLog, type EventStore, type LogEntry, readDurableLog } from './durable.ts';

/** A store in memory that keeps batches as a table does, and can fail. */
function memoryStore() {
  const batches: { first: number; entries: readonly LogEntry[] }[] = [];
  let failures = 0;
  const store: EventStore = {
    async append(_, first, entries) {
      await Promise.resolve();
      if (failures-- > 0) throw new Error('no connection');
      batches.push({ first, entries });
    },
    async read(_, after, limit) {
      await Promise.resolve();
      const found = batches.filter(
        ({ first, entries }) => first + entries.length > after + 1 && first <= after + limit,
      );
      return { first: found[0]?.first ?? after + 1, entries: found.flatMap(({ entries }) => entries) };
    },
  };
  return { store, batches, failNext: (count: number) => (failures = count) };
}

const readAll = async (store: EventStore, after: string, limit?: number) => {
  const found: string[] = [];
  const ids: string[] = [];
  const options = { store, after, isOver: async () => true, changed: async () => {}, ...(limit && { limit }) };
  for await (const events of readDurableLog(options))
    for (const { id, data } of events) {
      found.push(data);
      ids.push(id);
    }
  return { found, ids };
};

describe('a durable log', () => {
  it('stores events in batches and gives them ids without gaps, also for the next writer', async () => {
    const { store, batches } = memoryStore();
    const log = createDurableLog({ name: 'r', store, newest: 0 });
    for (const data of ['a', 'b', 'c']) void log.append({ data });
    await log.flush();
    const next = createDurableLog({ name: 'r', store, newest: 3 });
    void next.append({ data: 'd' });
    await next.flush();
    expect(batches.map(({ first, entries }) => [first, entries.length])).toEqual([
      [1, 3],
      [4, 1],
    ]);
    expect(await readAll(store, 'r.0')).toEqual({ found: ['a', 'b', 'c', 'd'], ids: ['r.1', 'r.2', 'r.3', 'r.4'] });
    expect((await readAll(store, 'r.2')).found).toEqual(['c', 'd']);
  });

  it('keeps events that could not be stored, and stores them in order with the next ones', async () => {
    const { store, failNext } = memoryStore();
    const log = createDurableLog({ name: 'r', store, newest: 0 });
    failNext(1);
    void log.append({ data: 'a' });
    await expect(log.flush()).rejects.toThrow('no connection');
    void log.append({ data: 'b' });
    await log.flush();
    expect((await readAll(store, 'r.0')).found).toEqual(['a', 'b']);
  });

  it('sends a batch again as it was where only the answer of the store was lost', async () => {
    const { store, batches } = memoryStore();
    let isLost = true;
    const lossy: EventStore = {
      ...store,
      async append(name, first, entries) {
        if (batches.every((batch) => batch.first !== first)) await store.append(name, first, entries);
        else expect(entries).toEqual(batches.find((batch) => batch.first === first)?.entries);
        if (isLost) throw new Error('no answer');
      },
    };
    const fold = (a: LogEntry, b: LogEntry) => ({ data: a.data + b.data });
    const log = createDurableLog({ name: 'r', store: lossy, newest: 0, fold });
    void log.append({ data: 'a' });
    await expect(log.flush()).rejects.toThrow('no answer');
    void log.append({ data: 'b' });
    isLost = false;
    await log.flush();
    expect((await readAll(store, 'r.0')).found).toEqual(['a', 'b']);
  });

  it('keeps events that come while others cannot be stored behind them', async () => {
    const { store, failNext } = memoryStore();
    const log = createDurableLog({ name: 'r', store, newest: 0, maxBatch: 2 });
    failNext(1);
    void log.append({ data: 'a' });
    const full = log.append({ data: 'b' });
    const more = log.append({ data: 'c' });
    await expect(full).rejects.toThrow('no connection');
    await more;
    await log.flush();
    expect((await readAll(store, 'r.0')).found).toEqual(['a', 'b', 'c']);
  });

  it('folds neighbours, and asks a writer to wait when the backlog is full', async () => {
    const { store } = memoryStore();
    const fold = (a: LogEntry, b: LogEntry) =>
      a.event === 'token' && b.event === 'token' ? { event: 'token', data: a.data + b.data } : undefined;
    const log = createDurableLog({ name: 'r', store, newest: 0, maxBatch: 2, fold });
    expect(log.append({ event: 'token', data: 'a' })).toBeUndefined();
    expect(log.append({ event: 'token', data: 'b' })).toBeUndefined();
    await log.append({ data: 'c' });
    expect((await readAll(store, 'r.0')).found).toEqual(['ab', 'c']);
  });

  it('gives gone for an id that no event of the log can have', async () => {
    const { store } = memoryStore();
    for (const after of ['', 'r', '.1', 'r.x', 'r.-1', 'r.1x']) {
      const run = readDurableLog({ store, after, isOver: async () => true, changed: async () => {} });
      expect([after, await run.next()]).toEqual([after, { done: true, value: 'gone' }]);
    }
  });

  it('gives gone where events after the id were removed', async () => {
    const answers = ['gone', { first: 4, entries: [{ data: 'd' }] }, { first: 3, entries: [{ data: 'c' }] }] as const;
    const first = async (answer: (typeof answers)[number]) => {
      const store: EventStore = { append: async () => {}, read: async () => answer };
      const run = readDurableLog({ store, after: 'r.2', isOver: async () => true, changed: async () => {} });
      const { done, value } = await run.next();
      return [done, value];
    };
    expect(await Promise.all(answers.map(first))).toEqual([
      [true, 'gone'],
      [true, 'gone'],
      [false, [{ id: 'r.3', data: 'c' }]],
    ]);
  });

  it('follows a log until it is over', async () => {
    const { store } = memoryStore();
    const log = createDurableLog({ name: 'r', store, newest: 0 });
    let isOver = false;
    let wake: () => void = () => {};
    const changed = () => new Promise<void>((resolve) => (wake = resolve));
    const reader = readDurableLog({ store, after: 'r.0', isOver: async () => isOver, changed });
    const first = reader.next();
    void log.append({ data: 'a' });
    await log.flush();
    wake();
    expect((await first).value).toEqual([{ id: 'r.1', data: 'a' }]);
    const end = reader.next();
    isOver = true;
    wake();
    expect(await end).toEqual({ done: true, value: 'over' });
  });

  it('never loses or repeats an event for readers that leave anywhere, for any batches', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.boolean(), { maxLength: 40 }),
        fc.nat(40),
        fc.integer({ min: 1, max: 9 }),
        async (steps, leave, limit) => {
          const { store } = memoryStore();
          const log = createDurableLog({ name: 'r', store, newest: 0, maxBatch: 5 });
          for (const [index, isFlush] of steps.entries()) {
            await log.append({ data: String(index) });
            if (isFlush) await log.flush();
          }
          await log.flush();
          const all = steps.map((_, index) => String(index));
          const at = Math.min(leave, steps.length);
          expect((await readAll(store, `r.${at}`, limit)).found).toEqual(all.slice(at));
        },
      ),
    );
  });
});
