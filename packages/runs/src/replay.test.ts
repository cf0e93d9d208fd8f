import type { EventStore } from '@croft/event-log';
import type { RunEvent } from '@croft/flow';
import { describe, expect, it } from 'vitest';
import { isNews, readReplay } from './replay.ts';

const tokens = (input: number, output: number) => ({ tokens: { input, output } });
const finished = (node: string, more: object = {}) => ({ kind: 'node_finished', node, path: '', ...more });

/** A store that gives its events two at a time. */
function storeOf(events: readonly object[], end: 'end' | 'gone' = 'end'): EventStore {
  return {
    read: async (_: string, after: number) => {
      const entries = events.slice(after, after + 2).map((event) => ({ data: JSON.stringify(event) }));
      return entries.length === 0 && end === 'gone' ? 'gone' : { first: after + 1, entries };
    },
  } as unknown as EventStore;
}

describe('what earlier attempts have stored', () => {
  const EVENTS = [
    { kind: 'run_started' },
    finished('A', tokens(3, 1)),
    { kind: 'node_started', node: 'B', path: '' },
    { kind: 'node_failed', node: 'B', path: '1' },
    { kind: 'node_pruned', node: 'C', path: '' },
    finished('D', tokens(10, 20)),
    finished('E'),
  ];

  it('is read to its end: the nodes that ended, and the tokens of those that finished', async () => {
    for (const end of ['end', 'gone'] as const)
      expect(await readReplay(storeOf(EVENTS, end), { runId: 'r', attempt: 2 })).toEqual({
        newest: 7,
        ended: new Set(['A/', 'B/1', 'C/', 'D/', 'E/']),
        tokens: { input: 13, output: 21 },
      });
  });

  it('is not read by the first attempt', async () => {
    const store = { read: () => Promise.reject(new Error('read')) } as unknown as EventStore;
    expect(await readReplay(store, { runId: 'r', attempt: 1 })).toMatchObject({ newest: 0, tokens: { input: 0 } });
  });
});

describe('an event that readers do not know', () => {
  const replay = { newest: 4, ended: new Set(['A/', 'B/1']), tokens: { input: 0, output: 0 } };
  const news = (event: object, stopped?: Parameters<typeof isNews>[1], before = replay) =>
    isNews(event as RunEvent, stopped, before);

  it('is one of a node that did not end before', () => {
    expect(news(finished('A'))).toBe(false);
    expect(news({ kind: 'log', node: 'B', path: '1', text: 'x' })).toBe(false);
    expect(news({ kind: 'log', node: 'B', path: '2', text: 'x' })).toBe(true);
    expect(news(finished('C'))).toBe(true);
    expect(news({ kind: 'run_finished', status: 'completed' })).toBe(true);
  });

  it('is the start of a run only where no event was stored', () => {
    expect(news({ kind: 'run_started' })).toBe(false);
    expect(news({ kind: 'run_started' }, undefined, { ...replay, newest: 0 })).toBe(true);
  });

  it('does not come from a run that only leaves its worker', () => {
    expect(news({ kind: 'run_finished', status: 'cancelled' }, 'cancelled')).toBe(true);
    expect(news({ kind: 'run_finished', status: 'cancelled' }, 'shutdown' as never)).toBe(false);
  });
});
