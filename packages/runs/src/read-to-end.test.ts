import type { RunEvent, RunResult } from '@croft/flow';
import { expect, it } from 'vitest';
import { ActiveAttempt } from './active-attempt.ts';
import { LostRun } from './event-store.ts';
import { readToEnd, type Reading } from './read-to-end.ts';
import { readReplay } from './replay.ts';
import type { DurableRunEvent } from './run.ts';
import type { ClaimedRun } from './run-store.ts';

const NO_METRICS = { duration_seconds: 0, input_tokens: 0, output_tokens: 0, total_tokens: 0 };
const RESULT: RunResult = { status: 'completed', text: 'done', outputs: {}, metrics: NO_METRICS } as never;
const started = { kind: 'run_started', nodes: 1 } as unknown as RunEvent;
const log = { kind: 'log', node: 'A', path: '', text: 'one' } as unknown as RunEvent;
const finished = { kind: 'run_finished', status: 'completed', text: 'done', metrics: NO_METRICS } as RunEvent;

/** Reads a run with these batches; tells what happened, in order. */
async function read(batches: readonly (readonly RunEvent[])[], over: Partial<Reading> = {}) {
  const active = new ActiveAttempt({ runId: 'r', attempt: 1 });
  const did: string[] = [];
  let isLeft = false;
  async function* run(): AsyncGenerator<readonly RunEvent[], RunResult, void> {
    try {
      yield* batches;
      return RESULT;
    } finally {
      isLeft = true;
    }
  }
  const reading: Reading = {
    active,
    claimed: { startedAt: new Date() } as ClaimedRun,
    replay: await readReplay({ read: async () => ({ first: 1, entries: [] }) } as never, { runId: 'r', attempt: 1 }),
    built: {
      finished: async ({ text }) => void did.push(`handed over: ${text}`),
    },
    waits: { keys: ['q'], see: ({ kind }: RunEvent) => void did.push(`seen: ${kind}`) } as never,
    log: (line) => void did.push(line),
    emit: (event: DurableRunEvent) => void did.push(`emitted: ${event.kind}`),
    store: async () => void did.push('stored'),
    ...over,
  };
  const outcome = await readToEnd(run(), reading).catch((error: unknown) => error);
  return { outcome, did, active, isLeft: () => isLeft };
}

it('hands the result over before a reader sees the end, and stores the end last', async () => {
  const { outcome, did } = await read([[started], [log, finished]]);
  expect(did).toEqual([
    'seen: run_started',
    'emitted: run_started',
    'seen: log',
    'emitted: log',
    'seen: run_finished',
    'stored',
    'handed over: done',
    'emitted: run_finished',
    'stored',
  ]);
  expect(outcome).toMatchObject({ status: 'completed' });
});

it('says for which questions a run waits, and does not end it', async () => {
  const active = new ActiveAttempt({ runId: 'r', attempt: 1 });
  active.stop('waiting');
  const emitted: DurableRunEvent[] = [];
  const { outcome, did } = await read([[started]], { active, emit: (event) => void emitted.push(event) });
  expect(outcome).toBeUndefined();
  expect(emitted.at(-1)).toEqual({ kind: 'run_waiting', keys: ['q'] });
  expect(did).toEqual(['seen: run_started', 'stored']);
});

it('stores nothing for a run that another worker has', async () => {
  const active = new ActiveAttempt({ runId: 'r', attempt: 1 });
  active.stop('lost');
  const { outcome, did } = await read([[started]], { active });
  expect([outcome, did.includes('stored')]).toEqual([undefined, false]);
});

it('ends the run also where its result could not be handed over, and says so', async () => {
  const built = { finished: () => Promise.reject(new Error('disk full')) };
  const { outcome, did } = await read([[finished]], { built });
  expect(outcome).toMatchObject({ status: 'completed' });
  expect(did).toContain('The result of run r could not be handed over: Error: disk full');
});

it('waits for room before it goes on', async () => {
  let isFree = false;
  const order: boolean[] = [];
  const emit = () => {
    order.push(isFree);
    return new Promise<void>((free) => setImmediate(() => free(void (isFree = true))));
  };
  await read([[started, log]], { emit });
  expect(order).toEqual([false, true]);
});

it('stops all nodes before it fails', async () => {
  const { outcome, active, isLeft } = await read([[started, log]], { emit: () => Promise.reject(new LostRun()) });
  expect(outcome).toBeInstanceOf(LostRun);
  expect([active.reason, isLeft()]).toEqual(['lost', true]);
});
