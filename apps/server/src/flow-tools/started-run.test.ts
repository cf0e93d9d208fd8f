import { describe, expect, it } from 'vitest';
import type { LiveRun } from '../flow-runs/live-runs.ts';
import { outcomeOf, runOutput } from './started-run.ts';

const OUTCOME = {
  status: 'completed',
  text: 'hi',
  outputs: { O: 1 },
  metrics: { n: 1 },
  failure: undefined,
  more: 'x',
};

/** A run whose readers get these events. */
function runWith(outcome: object | Promise<object> = OUTCOME, events: readonly object[] = []) {
  const did: string[] = [];
  const run = {
    id: 'run-1',
    outcome: Promise.resolve(outcome),
    cancel: () => void did.push('cancel'),
    log: {
      follow({ take }: { take: (entry: { data: string }) => boolean }) {
        for (const event of events) did.push(`took ${take({ data: JSON.stringify(event) })}`);
        return () => void did.push('left');
      },
    },
  } as unknown as LiveRun;
  return { run, did };
}

describe('the outcome of a run that a tool started', () => {
  it('has outputs only where they are asked for', async () => {
    const { run } = runWith();
    const base = { job_id: 'run-1', status: 'completed', text: 'hi', metrics: { n: 1 } };
    expect(await outcomeOf({} as never, run, false)).toEqual(base);
    expect(await outcomeOf({} as never, run, true)).toEqual({ ...base, outputs: { O: 1 } });
  });

  it('has the failure of a run that failed', async () => {
    const failure = { message: 'broken' };
    expect(await outcomeOf({} as never, runWith({ ...OUTCOME, failure }).run, false)).toMatchObject({ failure });
  });

  it('reports each component that ends', async () => {
    const events = ['node_started', 'node_finished', 'token', 'node_failed'].map((kind, at) => ({
      kind,
      node: `N${at}`,
    }));
    const { run, did } = runWith(OUTCOME, events);
    const progress: unknown[][] = [];
    await outcomeOf({ onProgress: (...of: unknown[]) => void progress.push(of) } as never, run, false);
    expect(progress).toEqual([
      [1, 'N1 finished'],
      [2, 'N3 failed'],
    ]);
    expect(did).toEqual(['took true', 'took true', 'took true', 'took true', 'left']);
  });

  it('is not followed without progress', async () => {
    const { run, did } = runWith(OUTCOME, [{ kind: 'node_finished' }]);
    await outcomeOf({} as never, run, false);
    expect(did).toEqual([]);
  });

  it('stops the run where the call ends first, and not afterwards', async () => {
    const stop = new AbortController();
    let end: (outcome: object) => void = () => {};
    const { run, did } = runWith(new Promise((resolve) => (end = resolve)));
    const waiting = outcomeOf({ signal: stop.signal } as never, run, false);
    stop.abort();
    expect(did).toEqual(['cancel']);
    end({ ...OUTCOME, status: 'cancelled' });
    expect(await waiting).toMatchObject({ status: 'cancelled' });
    const later = new AbortController();
    const done = runWith();
    await outcomeOf({ signal: later.signal } as never, done.run, false);
    later.abort();
    expect(done.did).toEqual([]);
  });

  it('has the fields of the output of tools', () => {
    expect(Object.keys(runOutput)).toEqual(['job_id', 'status', 'text', 'outputs', 'metrics', 'failure']);
    expect(runOutput.text.safeParse(undefined).success).toBe(true);
    expect(runOutput.status.safeParse(undefined).success).toBe(false);
  });
});
