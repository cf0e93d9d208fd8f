import { createEventLog } from '@croft/event-log';
import { expect, it, vi } from 'vitest';
import { TestResponse } from '../../../../tests/support/test-response.ts';
import { followRun } from './follow-run.ts';
import type { LiveRun } from './live-runs.ts';

/** A run whose events the test adds. */
function startRun(maxEvents = 100) {
  const log = createEventLog({ maxEvents, maxBytes: 10_000 });
  let isOver = false;
  const run = { id: 'run-1', firstEventId: log.lastId, log, isOver: () => isOver } as unknown as LiveRun;
  const add = (event: string) => log.append({ event, data: `{"kind":"${event}"}` });
  const end = () => {
    isOver = true;
    log.close('over');
  };
  const follow = (lastEventId?: string) => {
    const client = new TestResponse();
    followRun(run, client.response, lastEventId);
    return { client, events: () => client.frames().map(({ event }) => event) };
  };
  return { run, add, end, follow };
}

it('names the run first, gives the events before and after, and ends after the last one', () => {
  const { run, add, follow } = startRun();
  add('run_started');
  const { client, events } = follow();
  expect(client.status).toBe(200);
  expect(client.headers).toMatchObject({
    'Content-Type': 'text/event-stream; charset=utf-8',
    'Cache-Control': 'no-store, no-transform',
    'Croft-Run-Id': 'run-1',
  });
  expect(client.frames()[0]).toEqual({ id: run.firstEventId, event: 'run', data: '{"id":"run-1"}' });
  add('node_started');
  expect([events(), client.writableEnded]).toEqual([['run', 'run_started', 'node_started'], false]);
  add('run_finished');
  expect([events().at(-1), client.writableEnded]).toEqual(['run_finished', true]);
});

it('asks readers to wait two seconds before they come again, and keeps the connection with comments', () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  try {
    const { run, add, end, follow } = startRun();
    const { client } = follow();
    expect(client.headers).toMatchObject({ 'X-Accel-Buffering': 'no' });
    const begin = `retry: 2000\nid: ${run.firstEventId}\nevent: run\ndata: {"id":"run-1"}`;
    expect(client.text.trim().split('\n').sort()).toEqual(begin.split('\n').sort());
    const before = client.text;
    vi.advanceTimersByTime(14_999);
    expect(client.text).toBe(before);
    vi.advanceTimersByTime(1);
    expect(client.text.slice(before.length)).toBe(': \n\n');
    add('run_finished');
    expect([vi.getTimerCount(), client.writableEnded]).toEqual([0, true]);
    end();
  } finally {
    vi.useRealTimers();
  }
});

it('writes to a reader that has a mebibyte to read, and no more', () => {
  const { add, follow } = startRun();
  const { client, events } = follow();
  client.writableLength = 1024 * 1024;
  add('node_started');
  expect([events(), client.closed]).toEqual([['run', 'node_started'], false]);
});

it('goes on after an id', () => {
  const { add, follow } = startRun();
  const { id } = add('run_started');
  add('node_started');
  const { events } = follow(id);
  expect(events()).toEqual(['node_started']);
});

it('says where events before an id are gone', () => {
  const { run, add, follow } = startRun(1);
  const first = add('run_started').id;
  add('a');
  const last = add('b').id;
  expect(follow(first).client.frames()).toEqual([{ id: last, event: 'reset', data: '{"id":"run-1"}' }]);
  expect(follow('other.1').events()).toEqual(['reset']);
  expect(run.log.lastId).toBe(last);
});

it('ends at once for a run that is over, or whose last event is stored', () => {
  const stored = startRun();
  stored.add('run_finished');
  expect(stored.follow().client.writableEnded).toBe(true);
  const over = startRun();
  over.add('run_started');
  over.end();
  expect(over.follow().client.writableEnded).toBe(true);
});

it('disconnects a reader that does not read, which can resume', () => {
  const { add, follow } = startRun();
  const { client } = follow();
  client.writableLength = 1024 * 1024 + 1;
  add('node_started');
  expect([client.closed, client.text.includes('node_started')]).toEqual([true, false]);
});

it('ends the stream with its run, and writes nothing to a reader that left', () => {
  const { add, end, follow } = startRun();
  const { client: gone } = follow();
  const { client } = follow();
  gone.destroy();
  add('node_started');
  end();
  expect([gone.text.includes('node_started'), client.writableEnded]).toEqual([false, true]);
});
