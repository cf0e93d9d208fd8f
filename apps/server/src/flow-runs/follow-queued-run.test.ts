import type { LoggedEvent } from '@croft/event-log';
import type { Runs } from '@croft/runs';
import { describe, expect, it, vi } from 'vitest';
import { TestResponse } from '../../../../tests/support/test-response.ts';
import { KEEP_ALIVE_MS } from '../event-stream.ts';
import { followQueuedRun } from './follow-queued-run.ts';

const event = (number: number, kind: string): LoggedEvent => ({ id: `r.${number}`, data: `{"kind":"${kind}"}` });
type End = 'over' | 'left' | 'gone';

/** Follows a run with these events. The frames, as `id event`. */
async function follow(
  batches: readonly (readonly LoggedEvent[])[],
  end: End = 'over',
  more: { lastEventId?: string; run?: object; isStopping?: boolean } = {},
) {
  const asked: unknown[] = [];
  const runs = {
    async *events(id: string, userId: string, { after }: { after?: string }) {
      asked.push([id, userId, after]);
      if (after === 'gone.1') return 'gone';
      yield* batches;
      return end;
    },
    get: async () => ({ status: 'cancelled', failure: null, ...more.run }),
  } as unknown as Runs;
  const client = new TestResponse();
  const stopping = more.isStopping ? AbortSignal.abort() : new AbortController().signal;
  await followQueuedRun(runs, client.response, { id: 'r', userId: 'ann', lastEventId: more.lastEventId, stopping });
  return { client, asked, frames: client.frames().map(({ id, event: name }) => `${id ?? ''} ${name}`) };
}

it('names the run first and gives its events under their kinds', async () => {
  const { client, frames, asked } = await follow([
    [event(1, 'run_started'), event(2, 'log')],
    [event(3, 'run_finished')],
  ]);
  expect(client.headers).toMatchObject({ 'Croft-Run-Id': 'r', 'Content-Type': 'text/event-stream; charset=utf-8' });
  expect(frames).toEqual(['r.0 run', 'r.1 run_started', 'r.2 log', 'r.3 run_finished']);
  expect(client.text.split('\n\n')[0]).toContain('retry: 2000');
  expect(client.frames()[0]).toEqual({ id: 'r.0', event: 'run', data: '{"id":"r"}' });
  expect([asked, client.writableEnded]).toEqual([[['r', 'ann', undefined]], true]);
});

it('goes on after an id', async () => {
  const { frames, asked } = await follow([[event(3, 'run_finished')]], 'over', { lastEventId: 'r.2' });
  expect([frames, asked]).toEqual([['r.3 run_finished'], [['r', 'ann', 'r.2']]]);
});

it('begins again where the id is of no event of the run', async () => {
  const { frames, asked } = await follow([[event(1, 'run_finished')]], 'over', { lastEventId: 'gone.1' });
  expect(frames).toEqual(['r.0 reset', 'r.1 run_finished']);
  expect(asked).toHaveLength(2);
});

it('ends a run that stored no end', async () => {
  const cancelled = await follow([[event(1, 'run_started')]]);
  expect(cancelled.client.frames().at(-1)).toEqual({
    event: 'run_finished',
    data: '{"kind":"run_finished","status":"cancelled","text":"The run was cancelled."}',
  });
  const failed = await follow([], 'over', { run: { status: 'failed', failure: { message: 'no key' } } });
  expect(failed.client.frames().at(-1)?.data).toBe('{"kind":"run_finished","status":"failed","text":"no key"}');
});

it('writes no end where the reader left or the server stops', async () => {
  expect((await follow([[event(1, 'run_started')]], 'left')).frames).toEqual(['r.0 run', 'r.1 run_started']);
  const stopped = await follow([[event(1, 'run_started')]], 'over', { isStopping: true });
  expect([stopped.frames, stopped.client.writableEnded, stopped.asked]).toEqual([[], true, []]);
});

describe('a stream that a run does not end', () => {
  /** A run that has no events until its reader leaves. */
  function waiting(stopping = new AbortController()) {
    let signal: AbortSignal | undefined;
    const runs = {
      async *events(_id: string, _userId: string, options: { signal: AbortSignal }) {
        ({ signal } = options);
        await new Promise((resolve) => options.signal.addEventListener('abort', resolve));
        yield [];
        return 'left';
      },
    } as unknown as Runs;
    const client = new TestResponse();
    const over = followQueuedRun(runs, client.response, {
      id: 'r',
      userId: 'ann',
      lastEventId: undefined,
      stopping: stopping.signal,
    });
    return { client, stopping, over, signalOf: () => signal };
  }

  it('ends where the server stops', async () => {
    const { client, stopping, over, signalOf } = waiting();
    await vi.waitFor(() => expect(signalOf()).toBeDefined());
    stopping.abort();
    await over;
    expect([signalOf()?.aborted, client.writableEnded]).toEqual([true, true]);
    expect(client.frames().map(({ event: name }) => name)).toEqual(['run']);
  });

  it('ends where the reader leaves, and no longer waits for the server to stop', async () => {
    const stopping = new AbortController();
    const remove = vi.spyOn(stopping.signal, 'removeEventListener');
    const { client, over, signalOf } = waiting(stopping);
    await vi.waitFor(() => expect(signalOf()).toBeDefined());
    client.response.emit('close');
    await over;
    expect(signalOf()?.aborted).toBe(true);
    expect(remove).toHaveBeenCalledOnce();
  });

  it('gets an empty comment to keep the connection, until it ends', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    try {
      const { client, stopping, over, signalOf } = waiting();
      while (signalOf() === undefined) await new Promise((resolve) => setImmediate(resolve));
      const before = client.text;
      vi.advanceTimersByTime(KEEP_ALIVE_MS);
      expect(client.text.slice(before.length)).toBe(': \n\n');
      stopping.abort();
      await over;
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });
});
