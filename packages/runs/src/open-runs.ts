import { readDurableLog } from '@croft/event-log';
import { randomUUID } from 'node:crypto';
import { ActiveAttempt } from './active-attempt.ts';
import { endLast } from './end-last.ts';
import { type Attempt, type Engine, startEngine, type WorkerOptions } from './engine.ts';
import { RunError } from './errors.ts';
import { eventStore } from './event-store.ts';
import { executeRun } from './execute-run.ts';
import { findRun, listRuns, timelineOf } from './history.ts';
import { oneAtATime } from './one-at-a-time.ts';
import { storeAnswer } from './questions.ts';
import { announceWorker, startReaper } from './reaper.ts';
import { repeatByEffect } from './repeat-policy.ts';
import { pruneRuns, removeRuns } from './retention.ts';
import { RunPool } from './run-pool.ts';
import { FINISHED, firstEventId, type RunRequest } from './run.ts';
import { HAS_NEW_ANSWER, RunStore } from './run-store.ts';
import type { OpenRunsOptions, Runs, WorkerSettings } from './runs.ts';
import { listenToRuns } from './signals.ts';
import { createTables, SCHEMA } from './tables.ts';
import { startScheduler } from './triggers/scheduler.ts';
import { ScheduleStore } from './triggers/schedules.ts';

const DEFAULT_TIMEOUT_MS = 3_600_000;
const MAX_CONNECTIONS = 10;
/** How long a worker that closes waits for attempts that it has stopped. */
const CLOSE_WAIT_MS = 5_000;

/**
 * Opens durable runs on a database, creates their tables, and starts a worker where one is asked for. The worker first
 * continues the runs that the process with its name left.
 *
 * @throws RunError `newer_database`, `second_worker`; what the database throws
 */
export async function openRuns<Services>(options: OpenRunsOptions<Services>): Promise<Runs> {
  const { sealer, worker, group = '', log = () => {} } = options;
  const config = typeof options.database === 'string' ? { connectionString: options.database } : options.database;
  const pool = new RunPool({ ...config, max: MAX_CONNECTIONS, application_name: 'croft-runs' });
  // A connection that breaks fails its statement, or is idle and replaced.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  const store = new RunStore(pool, sealer, group);
  const active = new Map<string, ActiveAttempt>();
  try {
    await createTables(pool);
    return await start();
  } catch (error) {
    await pool.end();
    throw error;
  }

  async function start(): Promise<Runs> {
    let isClosing = false;
    const executor = worker ? `${worker.name}#${randomUUID()}` : '';
    if (worker) await announceWorker(pool, executor, worker.name);
    // The worker takes its first run before its start returns.
    let engineStarted: (engine: Engine) => void = () => {};
    const started = new Promise<Engine>((resolve) => {
      engineStarted = resolve;
    });
    const engine = await oneAtATime(pool, () => startEngine(pool, sealer, log, worker && workerOptions(worker)));
    engineStarted(engine);
    function workerOptions(settings: WorkerSettings<Services>): WorkerOptions {
      return {
        executor,
        group,
        maxRuns: settings.maxRuns ?? 16,
        maxRunsPerUser: settings.maxRunsPerUser ?? 4,
        pollMs: settings.pollMs ?? 100,
        async execute(attempt: Attempt, step) {
          const own = new ActiveAttempt(attempt);
          if (isClosing) own.stop('moved');
          active.set(attempt.runId, own);
          try {
            const policy = settings.policy ?? repeatByEffect;
            await executeRun({ ...settings, policy, executor, store, engine: await started, log }, own, step);
          } finally {
            if (active.get(attempt.runId) === own) active.delete(attempt.runId);
          }
        },
      };
    }
    const reaper = worker
      ? startReaper({
          store,
          engine,
          executor,
          name: worker.name,
          beatMs: worker.beatMs ?? 2_000,
          deadAfterMs: worker.deadAfterMs ?? 8_000,
          active,
          log,
        })
      : undefined;
    const enqueue = (request: RunRequest) =>
      store.add(engine, randomUUID(), request, request.timeoutMs ?? DEFAULT_TIMEOUT_MS);
    const schedules = new ScheduleStore(pool, sealer, group);
    const scheduler = worker?.flowOf
      ? startScheduler({ schedules, flowOf: worker.flowOf.bind(worker), enqueue, now: () => new Date(), log })
      : undefined;
    // A missed notification is found at the next heartbeat.
    const signals = listenToRuns(config, {
      onCancel: (runId) => active.get(runId)?.stop('cancelled'),
      onQueued: (queuedFor = group) => {
        if (queuedFor === group) engine.look();
      },
    });
    const require = async (runId: string, userId: string) => {
      const found = await findRun(store, runId, userId);
      if (found === undefined) throw new RunError('unknown_run', 'There is no such run.');
      return found;
    };
    const cancel = async (runId: string, userId: string) => {
      const before = await store.cancel(runId, userId);
      if (before === undefined) throw new RunError('unknown_run', 'There is no such run.');
      if (before.status === 'queued') await engine.cancel([{ runId, attempt: before.attempt }]);
    };
    let closing: Promise<void> | undefined;
    const close = async () => {
      isClosing = true;
      await scheduler?.stop();
      for (const each of active.values()) each.stop('moved');
      await engine.close(CLOSE_WAIT_MS);
      await reaper?.stop();
      await signals.close();
      await pool.end();
    };
    return {
      enqueue,
      list: (query) => listRuns(store, query),
      get: require,
      async timeline(runId, userId) {
        await require(runId, userId);
        return timelineOf(eventStore(pool, sealer), runId);
      },
      async *events(runId, userId, { after, signal } = {}) {
        await require(runId, userId);
        const from = after ?? firstEventId(runId);
        if (from.slice(0, from.lastIndexOf('.')) !== runId) return 'gone';
        const events = readDurableLog({
          store: eventStore(pool, sealer),
          after: from,
          isOver: async () => {
            const { rows } = await pool.query(`SELECT FROM ${SCHEMA}.run WHERE id = $1 AND finished_at IS NULL`, [
              runId,
            ]);
            return rows.length === 0;
          },
          changed: () => signals.changedOrEvents(runId, signal),
          ...(signal && { signal }),
        });
        return yield* endLast(events);
      },
      async wait(runId, userId, { statuses = [...FINISHED], signal } = {}) {
        for (;;) {
          const changed = signals.changed(runId, signal);
          const found = await require(runId, userId);
          if (statuses.includes(found.status) || signal?.aborted === true) return found;
          await changed;
        }
      },
      cancel,
      async cancelAll(userId) {
        const { rows } = await pool.query<{ id: string }>(
          `SELECT id FROM ${SCHEMA}.run WHERE user_id = $1 AND finished_at IS NULL`,
          [userId],
        );
        for (const { id } of rows) await cancel(id, userId);
      },
      async remove(runId, userId) {
        // Decrypts nothing: a run whose key is lost can be removed.
        const { rows } = await pool.query<{ attempt: number; isOver: boolean }>(
          `SELECT attempt, finished_at IS NOT NULL AS "isOver" FROM ${SCHEMA}.run WHERE id = $1 AND user_id = $2`,
          [runId, userId],
        );
        const [row] = rows;
        if (row === undefined) throw new RunError('unknown_run', 'There is no such run.');
        if (row.isOver) await removeRuns(store, engine, [{ runId, attempt: row.attempt }]);
        return row.isOver;
      },
      async answer(runId, userId, key, answer) {
        await require(runId, userId);
        await storeAnswer(pool, sealer, runId, key, answer);
        await store.continueRun(engine, runId, 'waiting', HAS_NEW_ANSWER);
      },
      async decide(runId, userId, key, decision) {
        const { undecided } = await require(runId, userId);
        if (!undecided.includes(key)) throw new RunError('not_open', 'The run waits for no decision about this step.');
        await pool.query(`UPDATE ${SCHEMA}.intent SET decision = $3 WHERE run_id = $1 AND key = $2`, [
          runId,
          key,
          decision,
        ]);
        await store.continueRun(engine, runId, 'needs_attention');
      },
      schedules: {
        set: (schedule) => schedules.set(schedule, new Date()),
        change: (id, userId, change) => schedules.change(id, userId, change, new Date()),
        remove: (id, userId) => schedules.remove(id, userId),
        list: (userId) => schedules.list(userId),
      },
      prune: (finishedBefore, maxBytesOfUser = Number.MAX_SAFE_INTEGER) =>
        pruneRuns(store, engine, finishedBefore, maxBytesOfUser),
      close: () => (closing ??= close()),
    };
  }
}
