import { READS, type AnyTool } from '@croft/tools';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { collectGarbage } from '../../../../tests/support/collect-garbage.ts';
import type { CallRequest } from './call-request.ts';
import type { DaemonEvent } from './daemon-events.ts';
import { type CallServerOptions, type Delivery, serveCalls } from './serve-calls.ts';

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
    input: z.object({ path: z.string().optional(), pattern: z.string().optional() }),
    annotations: READS,
    paths: ({ path }: { path?: string }) => {
      if (path === 'bad') throw new Error('no path');
      return path === undefined ? [] : [path, 'b'];
    },
    pattern: ({ pattern }: { pattern?: string }) => pattern,
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
    for (const id of ['a', 'b', 'c', 'd']) calls.take(ask(id), 100);
    await settle();
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

  it('are in the log as calls of the gateway, with the host of the server', async () => {
    const actors: unknown[] = [];
    const activity = { begin: ({ actor }: { actor: unknown }) => void actors.push(actor) } as never;
    const { calls, ask, settle } = setUp({ table: { tools: [], activity }, server: 'https://croft.example:8443/sub' });
    calls.take(ask('a'), 100);
    await settle();
    expect(actors).toContainEqual({ userId: null, via: 'gateway', client: 'croft.example:8443' });
  });

  it('beyond what may wait are refused in a sentence, and may be asked again', async () => {
    const { calls, runs, delivered, ask, settle } = setUp({ maxRunning: 1, maxWaiting: 1 });
    for (const id of ['a', 'b', 'c']) calls.take(ask(id), 100);
    await settle();
    expect(delivered).toEqual([['c', expect.stringContaining('Too many calls are waiting')]]);
    runs[0]?.end();
    await settle();
    calls.take(ask('c'), 100);
    await settle();
    runs[1]?.end();
    await settle();
    runs[2]?.end();
    await settle();
    expect(delivered.map(([id]) => id)).toEqual(['c', 'a', 'b', 'c']);
  });

  it('are refused while the arguments of the others are too long together, and one always fits', async () => {
    const { calls, runs, delivered, ask, settle } = setUp({ maxHeldChars: 1_000 });
    calls.take(ask('a'), 5_000);
    calls.take(ask('b'), 100);
    await settle();
    expect(runs).toHaveLength(1);
    expect(delivered).toEqual([['b', expect.stringContaining('Too many calls are waiting')]]);
    runs[0]?.end();
    await settle();
    for (const id of ['c', 'd']) calls.take(ask(id), 500);
    calls.take(ask('e'), 1);
    await settle();
    expect(runs).toHaveLength(3);
    calls.close();
  });

  it('that are refused keep no arguments and are bounded, also when the server does not take the refusals', async () => {
    const inputs: WeakRef<object>[] = [];
    const taken: ((delivery: Delivery) => void)[] = [];
    const deliver = () => new Promise<Delivery>((resolve) => taken.push(resolve));
    const { calls, runs, ask, settle } = setUp({ maxRunning: 1, maxWaiting: 0, maxUnanswered: 4, deliver });
    const take = (id: string) => {
      const input = { content: 'x'.repeat(100) };
      inputs.push(new WeakRef(input));
      calls.take({ ...ask(id), call: { name: 'wait', input } }, 100);
    };
    for (const id of ['a', 'b', 'c', 'd', 'e']) take(id);
    await settle();
    expect([runs.length, taken.length, calls.pending]).toEqual([0, 4, 4]);
    collectGarbage();
    expect(inputs.map((input) => input.deref())).toEqual(inputs.map(() => undefined));
    for (const resolve of taken) resolve('delivered');
    await settle();
    expect(calls.pending).toBe(0);
  });

  it('that come again while they run are run and answered once', async () => {
    const { calls, runs, delivered, ask, settle } = setUp();
    for (let i = 0; i < 3; i++) calls.take(ask('a'), 100);
    await settle();
    runs[0]?.end();
    await settle();
    expect(runs).toHaveLength(1);
    expect(delivered).toHaveLength(1);
  });

  it('whose answer is no longer kept are answered with a sentence, and still not run again', async () => {
    const { calls, runs, delivered, ask, settle } = setUp({ maxKeptBytes: 150 });
    for (const [i, id] of ['a', 'b'].entries()) {
      calls.take(ask(id), 100);
      await settle();
      runs[i]?.end();
      await settle();
    }
    calls.take(ask('b'), 100);
    calls.take(ask('a'), 100);
    await settle();
    expect(runs).toHaveLength(2);
    expect(delivered[2]?.[1]).toContain('"n":2');
    expect(delivered[3]?.[1]).toContain('no longer stored');
  });

  it('leave no arguments in memory, and a bounded number of ids, however they ended', async () => {
    const { calls, runs, ask, settle } = setUp({ maxKnown: 3 });
    const inputs: WeakRef<object>[] = [];
    const take = (id: string) => {
      const input = { content: 'x'.repeat(100) };
      inputs.push(new WeakRef(input));
      const request = ask(id);
      calls.take({ ...request, call: { ...request.call, input } }, 100);
    };
    for (const id of ['a', 'b', 'c', 'd', 'e']) take(id);
    await settle();
    calls.cancel('a');
    runs[1]?.end();
    await settle();
    for (const id of ['c', 'd', 'e']) calls.cancel(id);
    await settle();
    collectGarbage();
    expect(inputs.map((input) => input.deref())).toEqual(inputs.map(() => undefined));
    for (const id of ['c', 'd', 'e']) take(id);
    await settle();
    expect(runs).toHaveLength(5);
    take('a');
    await settle();
    expect(runs).toHaveLength(6);
    calls.close();
    await settle();
  });

  it('are stopped when they are cancelled, take too long or the connection ends', async () => {
    const { calls, runs, delivered, events, ask, settle } = setUp();
    calls.take(ask('a'), 100);
    calls.take(ask('b', 20), 100);
    calls.take(ask('c'), 100);
    await settle();
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
    calls.take(ask('a'), 100);
    calls.take(ask('b'), 100);
    await settle();
    calls.cancel('b');
    runs[0]?.end();
    await settle();
    expect(runs).toHaveLength(1);
    expect(delivered.map(([id]) => id)).toEqual(['a']);
  });

  it('are delivered no longer when the connection ends, also those that are refused or answered again', async () => {
    const delivering: AbortSignal[] = [];
    const { calls, runs, ask, settle } = setUp({
      maxRunning: 1,
      maxWaiting: 1,
      async deliver(id, _, signal) {
        if (id === 'first' && delivering.length === 0) return 'delivered';
        delivering.push(signal);
        return new Promise((resolve) => signal.addEventListener('abort', () => resolve('given_up')));
      },
    });
    calls.take(ask('first'), 100);
    await settle();
    runs[0]?.end();
    await settle();
    for (const id of ['running', 'waiting', 'refused']) calls.take(ask(id), 100);
    calls.take(ask('first'), 100);
    await settle();
    calls.cancel('refused');
    expect(delivering.map(({ aborted }) => aborted)).toEqual([true, false]);
    calls.close();
    expect(delivering.map(({ aborted }) => aborted)).toEqual([true, true]);
    runs[1]?.end();
    await settle();
    expect(calls.pending).toBe(0);
  });

  it('never run when their cancellation is read in the same turn, as on a machine that slept', async () => {
    const { calls, runs, events, delivered, ask, settle } = setUp();
    calls.take(ask('a'), 100);
    calls.cancel('a');
    await settle();
    expect([runs, delivered, calls.pending]).toEqual([[], [], 0]);
    expect(events).toEqual([
      { type: 'unanswered', requestId: 'a', tool: 'wait', about: '', why: 'the server cancelled it' },
    ]);
  });
});

describe('the person at the machine', () => {
  /** Runs one call whose responses are delivered like this, and gives what was sent and shown. */
  async function run(more: Partial<CallRequest>, ...deliveries: Delivery[]) {
    const sent: unknown[] = [];
    let ms = 100;
    const bench = setUp({
      now: () => (ms += 7),
      operations: { tools: [] },
      deliver: (_, body) => {
        sent.push(JSON.parse(body));
        return Promise.resolve(deliveries.shift() ?? 'delivered');
      },
    });
    bench.calls.take({ ...bench.ask('r'), ...more }, 100);
    await bench.settle();
    bench.runs[0]?.end();
    await bench.settle();
    return { ...bench, sent, shown: bench.events };
  }
  const data = { n: 1, filler: 'x'.repeat(100) };
  const input = (given: object) => ({ call: { name: 'wait', input: given } });

  it('sees each call with its paths and pattern, how long it took, and whether it succeeded', async () => {
    const { sent, shown } = await run(input({ path: 'a' }));
    const call = { requestId: 'r', tool: 'wait', about: 'a → b' };
    expect(sent).toEqual([{ data }]);
    expect(shown).toEqual([
      { type: 'called', ...call },
      { type: 'answered', ...call, ok: true, tookMs: 7 },
    ]);
    const about = async (given: object) => {
      const [called] = (await run(input(given))).shown;
      return (called as { about: string }).about;
    };
    expect([
      await about({ pattern: 'p', path: 'a' }),
      await about({}),
      await about({ path: 7 }),
      await about({ path: 'bad' }),
    ]).toEqual(['"p" in a → b', '', '', '']);
    const unknown = await run({ style: 'seed' });
    expect(unknown.shown.at(-1)).toEqual({
      type: 'answered',
      requestId: 'r',
      tool: 'wait',
      about: '',
      ok: false,
      tookMs: 7,
    });
    expect(unknown.sent).toEqual([{ error: expect.stringContaining('wait') }]);
  });

  it('sees why a response did not arrive, and a result that is too large is replaced by a sentence', async () => {
    const why = async (...deliveries: Delivery[]) => {
      const { sent, shown, calls } = await run({}, ...deliveries);
      const last = shown.at(-1) as { type: string; why?: string };
      return [last.type, last.why, sent.length, calls.pending];
    };
    expect([
      await why('unwanted'),
      await why('given_up'),
      await why('too_large', 'too_large'),
      await why('too_large', 'delivered'),
    ]).toEqual([
      ['unanswered', 'the server stopped waiting for it', 1, 0],
      ['unanswered', 'the answer could not be delivered in time', 1, 0],
      ['unanswered', 'the answer is too large for the server', 2, 0],
      ['answered', undefined, 2, 0],
    ]);
    const { sent } = await run({}, 'too_large');
    expect(sent[1]).toEqual({
      data: { error: 'The result is larger than the server accepts. Ask for less, e.g. fewer lines' },
      error: 'The result is larger than the server accepts. Ask for less, e.g. fewer lines',
    });
  });

  it('sees a repeated response that did not arrive either', async () => {
    const { calls, ask, settle, shown, sent } = await run({}, 'delivered', 'given_up', 'unwanted');
    calls.take(ask('r'), 100);
    calls.take(ask('r'), 100);
    await settle();
    expect(shown.slice(2)).toEqual([
      { type: 'unanswered', requestId: 'r', tool: 'wait', about: '', why: 'the answer could not be delivered in time' },
    ]);
    calls.take(ask('r'), 100);
    await settle();
    expect([sent.length, shown.length, calls.pending]).toEqual([3, 3, 0]);
    expect(sent).toEqual([{ data }, { data }, { data }]);
  });
});
