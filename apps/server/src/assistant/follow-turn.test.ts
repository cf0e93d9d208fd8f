import { createEventLog } from '@croft/event-log';
import { expect, it, onTestFinished, vi } from 'vitest';
import { TestResponse } from '../../../../tests/support/test-response.ts';
import { EVENT_STREAM_HEADERS, KEEP_ALIVE_MS } from '../event-stream.ts';
import { followTurn } from './follow-turn.ts';
import type { LiveTurn } from './live-turns.ts';

/** A turn whose events the test adds. */
function startTurn(maxEvents = 100) {
  const log = createEventLog({ maxEvents, maxBytes: 10_000 });
  let isOver = false;
  let readers = 0;
  let settle: () => void = () => {};
  const turn = {
    id: 'turn-1',
    firstEventId: log.lastId,
    log,
    isOver: () => isOver,
    ended: new Promise<void>((resolve) => (settle = resolve)),
    attend() {
      readers++;
      return () => void readers--;
    },
  } as unknown as LiveTurn;
  const end = async () => {
    isOver = true;
    settle();
    await turn.ended;
  };
  const follow = (lastEventId?: string, shown?: (data: string) => string, client = new TestResponse()) => {
    followTurn(turn, client.response, lastEventId, shown);
    return client;
  };
  return { add: (data: string) => log.append({ data }), end, follow, readers: () => readers };
}

it('gives the events before and after, as data without a name, and ends with the turn', async () => {
  const { add, end, follow, readers } = startTurn();
  const { id } = add('one');
  const client = follow();
  expect([client.status, client.headers]).toEqual([200, { ...EVENT_STREAM_HEADERS, 'Croft-Turn-Id': 'turn-1' }]);
  expect(client.text).toMatch(/^retry: 2000\n\n/);
  add('two');
  expect(client.frames().map(({ data }) => data)).toEqual(['one', 'two']);
  expect(client.frames()[0]).toEqual({ id, data: 'one' });
  expect([readers(), client.writableEnded]).toEqual([1, false]);
  await end();
  expect([readers(), client.writableEnded]).toEqual([0, true]);
});

it('goes on after an id, and shows the data as its reader may see it', () => {
  const { add, follow } = startTurn();
  const { id } = add('one');
  add('two');
  const client = follow(id, (data) => data.toUpperCase());
  add('three');
  expect(client.frames().map(({ data }) => data)).toEqual(['TWO', 'THREE']);
});

it('says where events before an id are gone', () => {
  const { add, follow } = startTurn(1);
  const { id } = add('one');
  add('two');
  const last = add('three').id;
  expect(follow(id).frames()).toEqual([{ id: last, data: '{"event":"reset"}' }]);
});

it('ends at once for a turn that is over', async () => {
  const { add, end, follow, readers } = startTurn();
  add('one');
  await end();
  const client = follow();
  expect([client.frames().length, client.writableEnded, readers()]).toEqual([1, true, 0]);
});

it('counts no reader that left or does not read', () => {
  const { add, follow, readers } = startTurn();
  follow().destroy();
  const slow = follow();
  slow.writableLength = 8 * 1024 * 1024;
  add('zero');
  expect([slow.closed, slow.frames().length]).toEqual([false, 1]);
  slow.writableLength = 8 * 1024 * 1024 + 1;
  add('one');
  expect([slow.closed, slow.text.includes('one'), readers()]).toEqual([true, false, 0]);
});

it('writes a comment at times, until its reader leaves', () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const { follow } = startTurn();
  const client = follow();
  vi.advanceTimersByTime(KEEP_ALIVE_MS - 1);
  expect(client.text).toBe('retry: 2000\n\n');
  vi.advanceTimersByTime(1);
  expect(client.text).toBe('retry: 2000\n\n: \n\n');
  client.destroy();
  expect([vi.getTimerCount(), client.writableEnded]).toEqual([0, true]);
});

it('does not count a reader that left before', () => {
  const { follow, readers } = startTurn();
  follow(undefined, undefined, new TestResponse().destroy());
  expect(readers()).toBe(0);
});
