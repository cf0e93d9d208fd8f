import { createRegistry, emptyFlow } from '@croft/flow';
import type pg from 'pg';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { testSealer } from '../../../tests/runs/open-test-runs.ts';
import { useSharedDatabase } from '../../../tests/store/use-shared-database.ts';
import { openRuns } from './open-runs.ts';
import type { RunRequest } from './run.ts';
import type { Runs } from './runs.ts';

let config: pg.ClientConfig;
let runs: Runs;
let worker: Runs | undefined;
const GROUP = 'open-runs-test';
useSharedDatabase(async (database) => {
  config = database.connection();
  runs = await openRuns({ database: config, sealer: testSealer, group: GROUP });
});
afterAll(async () => {
  await worker?.close();
  await runs.close();
});
const add = (userId: string, more: Partial<RunRequest> = {}) => runs.enqueue({ userId, flow: emptyFlow('F'), ...more });

describe('a queued run', () => {
  it('is found by its user only', async () => {
    const id = await add('or-ann', { flowId: 'f1' });
    expect(await runs.get(id, 'or-ann')).toMatchObject({ id, status: 'queued', flowId: 'f1', userId: 'or-ann' });
    for (const ask of [
      () => runs.get(id, 'or-eve'),
      () => runs.timeline(id, 'or-eve'),
      () => runs.cancel(id, 'or-eve'),
      () => runs.wait(id, 'or-eve'),
      () => runs.events(id, 'or-eve').next(),
      () => runs.get('none', 'or-ann'),
    ])
      await expect(ask()).rejects.toMatchObject({ code: 'unknown_run', message: 'There is no such run.' });
    await runs.cancel(id, 'or-ann');
  });

  it('is waited for until it has a state, or the signal aborts', async () => {
    const id = await add('or-bob');
    expect((await runs.wait(id, 'or-bob', { statuses: ['queued'] })).status).toBe('queued');
    expect((await runs.wait(id, 'or-bob', { signal: AbortSignal.abort() })).status).toBe('queued');
    const waiting = runs.wait(id, 'or-bob');
    await runs.cancel(id, 'or-bob');
    expect((await waiting).status).toBe('cancelled');
  });

  it('has the events of its own stream only', async () => {
    const id = await add('or-cid');
    await runs.cancel(id, 'or-cid');
    expect(await runs.events(id, 'or-cid', { after: 'other.1' }).next()).toEqual({ done: true, value: 'gone' });
    for await (const events of runs.events(id, 'or-cid')) expect(events).not.toBeUndefined();
  });

  it('is cancelled with all runs of its user, and no others', async () => {
    const own = [await add('or-dan'), await add('or-dan')];
    const other = await add('or-eli');
    await runs.cancelAll('or-dan');
    const states = await Promise.all(own.map((id) => runs.get(id, 'or-dan')));
    expect([...states, await runs.get(other, 'or-eli')].map(({ status }) => status)).toEqual([
      'cancelled',
      'cancelled',
      'queued',
    ]);
    await runs.cancelAll('or-eli');
  });
});

describe('a worker', () => {
  it('runs what is queued, and stops a run that is cancelled', async () => {
    const finished = vi.fn();
    const closed = vi.fn();
    let began = () => {};
    const running = new Promise<void>((resolve) => (began = resolve));
    const waits = {
      descriptor: {
        type: 'Waits',
        label: 'W',
        description: '',
        category: 'x',
        effects: ['none' as const],
        fields: [],
        outputs: [],
      },
      run: ({ signal }: { signal: AbortSignal }) => {
        began();
        return new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('stopped'))));
      },
    };
    worker = await openRuns({
      database: config,
      sealer: testSealer,
      group: GROUP,
      worker: {
        name: 'open-runs-test',
        registry: createRegistry([waits]) as never,
        pollMs: 30,
        services: () => ({ services: {}, finished, close: closed }),
      },
    });
    const first = await add('or-flo');
    expect((await runs.wait(first, 'or-flo')).status).toBe('completed');
    expect(await worker.get(first, 'or-flo')).toMatchObject({ status: 'completed', attempt: 1 });
    const node = { id: 'A', type: 'Waits', position: { x: 0, y: 0 }, values: {} };
    const second = await add('or-flo', { flow: { ...emptyFlow('F'), nodes: [node] } });
    await running;
    await runs.cancel(second, 'or-flo');
    expect((await runs.wait(second, 'or-flo')).status).toBe('cancelled');
    await vi.waitFor(() => expect(closed).toHaveBeenCalledTimes(2));
  });

  it('ends a run that takes longer than it may', async () => {
    const node = { id: 'A', type: 'Waits', position: { x: 0, y: 0 }, values: {} };
    const id = await add('or-gus', { flow: { ...emptyFlow('F'), nodes: [node] }, timeoutMs: 20 });
    expect((await runs.wait(id, 'or-gus')).status).toBe('timed_out');
  });
});

it('cannot be opened without a database, and leaves no connection', async () => {
  await expect(openRuns({ database: { host: '/no-such-directory' }, sealer: testSealer })).rejects.toThrow();
});
