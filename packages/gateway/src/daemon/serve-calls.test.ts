import { READS, type AnyTool } from '@croft/tools';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { CallRequest } from './call-request.ts';
import type { DaemonEvent } from './daemon-events.ts';
import { type CallServerOptions, serveCalls } from './serve-calls.ts';

/** A call server with one tool, which the test ends, and the responses it delivered. */
function setUp(more: Partial<CallServerOptions> = {}) {
  const runs: { n: number; end: () => void; signal: AbortSignal | undefined }[] = [];
  const delivered: [string, string][] = [];
  const events: DaemonEvent[] = [];
  const tool: AnyTool = {
    name: 'wait',
    title: 'Wait',
    description: '',
    tags: ['wait'],
    input: z.object({}),
    annotations: READS,
    run: (_input: unknown, { signal }: { signal?: AbortSignal | undefined }) =>
      new Promise((resolve) => {
        const n = runs.length + 1;
        runs.push({ n, signal, end: () => resolve({ ok: true, data: { n, filler: 'x'.repeat(100) } }) });
      }),
  };
  const table = { tools: [tool] };
  const calls = serveCalls({
    table,
    operations: table,
    deliver: (id, body) => {
      delivered.push([id, body]);
      return Promise.resolve('delivered');
    },
    tell: (event) => events.push(event),
    now: Date.now,
    ...more,
  });
  const ask = (requestId: string, deadlineMs?: number): CallRequest => ({
    requestId,
    call: { name: 'wait', input: {} },
    style: 'croft',
    deadlineMs,
  });
  const settle = () => new Promise((resolve) => setTimeout(resolve, 5));
  return { runs, delivered, events, calls, ask, settle };
}

describe('calls', () => {
  it('run a bounded number at once, the others in their order', async () => {
    const { calls, runs, delivered, ask, settle } = setUp({ maxRunning: 2 });
    for (const id of ['a', 'b', 'c', 'd']) calls.take(ask(id));
    expect(runs).toHaveLength(2);
    runs[1]?.end();
    await settle();
    expect(runs).toHaveLength(3);
    for (const n of [0, 2]) runs[n]?.end();
    await settle();
    runs[3]?.end();
    await settle();
    expect(delivered.map(([id]) => id)).toEqual(['b', 'a', 'c', 'd']);
    expect(calls.pending).toBe(0);
  });

  it('beyond what may wait are refused in a sentence, and may be asked again', async () => {
    const { calls, runs, delivered, ask, settle } = setUp({ maxRunning: 1, maxWaiting: 1 });
    for (const id of ['a', 'b', 'c']) calls.take(ask(id));
    await settle();
    expect(delivered).toEqual([['c', expect.stringContaining('Too many calls are waiting')]]);
    runs[0]?.end();
    await settle();
    calls.take(ask('c'));
    runs[1]?.end();
    await settle();
    runs[2]?.end();
    await settle();
    expect(delivered.map(([id]) => id)).toEqual(['c', 'a', 'b', 'c']);
  });

  it('that come again while they run are run and answered once', async () => {
    const { calls, runs, delivered, ask, settle } = setUp();
    for (let i = 0; i < 3; i++) calls.take(ask('a'));
    runs[0]?.end();
    await settle();
    expect(runs).toHaveLength(1);
    expect(delivered).toHaveLength(1);
  });

  it('whose answer is no longer kept are answered with a sentence, and still not run again', async () => {
    const { calls, runs, delivered, ask, settle } = setUp({ maxKeptBytes: 150 });
    for (const [i, id] of ['a', 'b'].entries()) {
      calls.take(ask(id));
      runs[i]?.end();
      await settle();
    }
    calls.take(ask('b'));
    calls.take(ask('a'));
    await settle();
    expect(runs).toHaveLength(2);
    expect(delivered[2]?.[1]).toContain('"n":2');
    expect(delivered[3]?.[1]).toContain('no longer stored');
  });

  it('are stopped when they are cancelled, take too long or the connection ends', async () => {
    const { calls, runs, delivered, events, ask, settle } = setUp();
    calls.take(ask('a'));
    calls.take(ask('b', 10));
    calls.take(ask('c'));
    calls.cancel('a');
    calls.cancel('nobody');
    await new Promise((resolve) => setTimeout(resolve, 40));
    calls.close();
    await settle();
    expect(runs.map(({ signal }) => signal?.aborted)).toEqual([true, true, true]);
    expect(delivered).toEqual([]);
    expect(events.filter(({ type }) => type === 'unanswered').map((event) => (event as { why: string }).why)).toEqual([
      'the server cancelled it',
      'the deadline of the server passed',
      'the connection ended',
    ]);
  });

  it('that were cancelled before their turn never run', async () => {
    const { calls, runs, delivered, ask, settle } = setUp({ maxRunning: 1 });
    calls.take(ask('a'));
    calls.take(ask('b'));
    calls.cancel('b');
    runs[0]?.end();
    await settle();
    expect(runs).toHaveLength(1);
    expect(delivered.map(([id]) => id)).toEqual(['a']);
  });
});
