import type { EventStore } from '@croft/event-log';
import { expect, it } from 'vitest';
import { timelineOf } from './history.ts';

/** A store with these events of a run. */
const storeOf = (events: readonly object[]): EventStore =>
  ({
    read: async (_name: string, after: number, limit: number) => ({
      first: after + 1,
      entries: events.slice(after, after + limit).map((event) => ({ data: JSON.stringify(event) })),
    }),
  }) as Partial<EventStore> as EventStore;

const rounds = (count: number, lines: readonly string[]) =>
  Array.from({ length: count }, (_, round) => {
    const at = { node: 'N', path: `${round}` };
    return [
      { kind: 'node_started', ...at, inputs: {}, at: 1 },
      ...lines.map((text) => ({ kind: 'log', ...at, text })),
      { kind: 'node_finished', ...at, ms: 1, outputs: {} },
    ];
  }).flat();

it('has the lines of the log of each node', async () => {
  const { entries, isCut } = await timelineOf(storeOf(rounds(2, ['one', 'two'])), 'run');
  expect([entries.map(({ log }) => log), isCut]).toEqual([
    [
      ['one', 'two'],
      ['one', 'two'],
    ],
    false,
  ]);
});

it('keeps a million characters of all logs, of which a loop can have two hundred times as many', async () => {
  const lines = Array.from({ length: 100 }, () => 'x'.repeat(1_000));
  const { entries, isCut } = await timelineOf(storeOf(rounds(20, lines)), 'run');
  expect(isCut).toBe(true);
  expect(entries.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 'finished'));
  const characters = entries.flatMap(({ log }) => log ?? []).reduce((sum, { length }) => sum + length, 0);
  expect(characters).toBe(1_000_000);
});
