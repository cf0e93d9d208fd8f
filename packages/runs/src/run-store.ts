import { setImmediate as nextTurn } from 'node:timers/promises';
import { DOCUMENT_VERSION, parseFlow, type Failure, type FlowDocument, type Metrics } from '@croft/flow';
import type pg from 'pg';
import type { Attempt, Engine } from './engine.ts';
import { RunError } from './errors.ts';
import type { DurableRunStatus, RunRequest } from './run.ts';
import type { RunRow } from './run-row.ts';
import type { Sealer } from './sealer.ts';
import { SCHEMA } from './tables.ts';

/** The channel on which new events of a run are announced, with the run's id. */
export const EVENT_CHANNEL = 'croft_runs_events';
/** The channel on which a change of a run's state is announced, with the run's id. */
export const CHANNEL = 'croft_runs';
/** The channel on which workers hear that a run is to be cancelled. */
export const CANCEL_CHANNEL = 'croft_runs_cancelled';

/** In SQL, on the run `r`: whether it has an answer that no attempt has read. */
export const HAS_NEW_ANSWER = `EXISTS (
  SELECT 1 FROM ${SCHEMA}.question q WHERE q.run_id = r.id AND q.answer IS NOT NULL AND NOT q.is_read)`;

/** A run as a worker starts it. */
export interface ClaimedRun {
  readonly userId: string;
  readonly flowId: string | null;
  readonly source: string;
  readonly key?: string | undefined;
  readonly flow: FlowDocument;
  readonly inputs: NonNullable<RunRequest['inputs']>;
  readonly timeoutMs: number;
  readonly startedAt: Date;
}

/** The columns of a run that a worker has taken and not read yet. */
export type ClaimedRow = Pick<RunRow, 'user_id' | 'flow_id' | 'source'> & {
  flow: string;
  request: string;
  started_at: Date;
};

/** The rows of runs and their state changes. Each change names the attempt that it ends, so that a late one does nothing. */
export class RunStore {
  readonly pool: pg.Pool;
  readonly sealer: Sealer;
  /** Of new runs. */
  readonly group: string;

  constructor(pool: pg.Pool, sealer: Sealer, group: string) {
    this.pool = pool;
    this.sealer = sealer;
    this.group = group;
  }

  /** Runs statements in one transaction. */
  async transaction<Result>(work: (client: pg.PoolClient) => Promise<Result>): Promise<Result> {
    const client = await this.pool.connect();
    let broken: Error | undefined;
    try {
      await client.query('BEGIN');
      const result = await work(client);
      await client.query('COMMIT');
      return result;
    } catch (error) {
      await client.query('ROLLBACK').catch((failure: Error) => {
        broken = failure;
      });
      throw error;
    } finally {
      client.release(broken);
    }
  }

  /** Adds a queued run with its first attempt; gives the earlier run where the trigger key was used before. */
  async add(engine: Engine, id: string, request: RunRequest, timeoutMs: number): Promise<string> {
    const { userId, flow, flowId, source = 'api', inputs = {}, input, key, triggerKey } = request;
    // Others get their turn between the steps of a large flow, and no transaction waits for it.
    const printed = JSON.stringify(flow);
    await nextTurn();
    const sealedFlow = this.sealer.seal(printed);
    await nextTurn();
    return this.transaction(async (client) => {
      const { rowCount } = await client.query(
        `INSERT INTO ${SCHEMA}.run (id, user_id, flow_id, flow_name, source, status, flow, request, trigger_key, worker_group, input)
         VALUES ($1, $2, $3, $4, $5, 'queued', $6, $7, $8, $9, $10) ON CONFLICT (trigger_key) DO NOTHING`,
        [
          id,
          userId,
          flowId ?? null,
          flow.name,
          source,
          sealedFlow,
          this.sealer.seal(JSON.stringify({ inputs, timeoutMs, key })),
          triggerKey ?? null,
          this.group,
          input === undefined ? null : this.sealer.seal(input),
        ],
      );
      if (rowCount === 0) {
        const { rows } = await client.query<{ id: string; user_id: string }>(
          `SELECT id, user_id FROM ${SCHEMA}.run WHERE trigger_key = $1`,
          [triggerKey],
        );
        if (rows[0]?.user_id === userId) return rows[0].id;
        throw new RunError('invalid_request', 'Another run has this trigger key: use one per trigger and occasion.');
      }
      await engine.enqueue(client, { runId: id, attempt: 1 }, userId, this.group);
      return id;
    });
  }

  /** Takes an attempt for a worker. Undefined where the run was cancelled or taken over meanwhile. */
  async claim({ runId, attempt }: Attempt, executor: string): Promise<ClaimedRow | undefined> {
    const { rows } = await this.pool.query<ClaimedRow>(
      `UPDATE ${SCHEMA}.run SET status = 'running', executor = $3, failure = NULL, started_at = coalesce(started_at, now())
       WHERE id = $1 AND attempt = $2 AND status = 'queued'
       RETURNING user_id, flow_id, source, flow, request, started_at`,
      [runId, attempt, executor],
    );
    return rows[0];
  }

  /** Decrypts a run. @throws RunError `unreadable`; FlowError for a flow that this build does not understand */
  async read(row: ClaimedRow): Promise<ClaimedRun> {
    const request = JSON.parse(this.sealer.open(row.request)) as Pick<ClaimedRun, 'inputs' | 'timeoutMs' | 'key'>;
    const text = this.sealer.open(row.flow);
    await nextTurn();
    return {
      userId: row.user_id,
      flowId: row.flow_id,
      source: row.source,
      flow: readFlow(JSON.parse(text) as FlowDocument),
      ...request,
      startedAt: row.started_at,
    };
  }

  /** Keeps the reason why an attempt ended without a result, for the case that all further ones do. */
  async noteFailure({ runId, attempt }: Attempt, failure: Failure): Promise<void> {
    await this.pool.query(
      `UPDATE ${SCHEMA}.run SET failure = $3 WHERE id = $1 AND attempt = $2 AND status = 'running'`,
      [runId, attempt, this.sealFailure(failure)],
    );
  }

  sealFailure(failure: Failure): string {
    return this.sealer.seal(JSON.stringify(failure));
  }

  /** Ends a run with its result. Returns false where another attempt has begun. */
  async finish(
    { runId, attempt }: Attempt,
    end: { status: DurableRunStatus; result: unknown; failure: Failure | undefined; metrics: Metrics },
  ): Promise<boolean> {
    const { rowCount } = await this.pool.query(
      `WITH done AS (
         UPDATE ${SCHEMA}.run SET status = $3, result = $4, failure = $5, metrics = $6, finished_at = now(), executor = NULL
         WHERE id = $1 AND attempt = $2 AND status = 'running' RETURNING id
       ) SELECT pg_notify('${CHANNEL}', id) FROM done`,
      [
        runId,
        attempt,
        end.status,
        this.sealer.seal(JSON.stringify(end.result)),
        end.failure ? this.sealFailure(end.failure) : null,
        JSON.stringify(end.metrics),
      ],
    );
    return rowCount === 1;
  }

  /**
   * Leaves a running run without a worker; cancels it where that was asked for while it was leaving. Returns false where another
   * attempt has begun.
   */
  async leave(
    { runId, attempt }: Attempt,
    status: 'waiting' | 'needs_attention',
    undecided?: string,
  ): Promise<boolean> {
    const { rowCount } = await this.pool.query(
      `WITH done AS (
         UPDATE ${SCHEMA}.run SET status = ${unlessCancelled('$3')}, finished_at = ${CANCELLED_AT}, undecided = $4, executor = NULL
         WHERE id = $1 AND attempt = $2 AND status = 'running' RETURNING id
       ) SELECT pg_notify('${CHANNEL}', id) FROM done`,
      [runId, attempt, status, undecided ?? null],
    );
    return rowCount === 1;
  }

  /**
   * Queues the next attempt of a run that has this status and fulfils a condition in SQL on the run `r`; cancels the run where
   * that was asked for. Returns false where it does neither.
   */
  continueRun(engine: Engine, runId: string, from: DurableRunStatus, onlyIf = 'true'): Promise<boolean> {
    return this.transaction(async (client) => {
      const { rows } = await client.query<{ status: string; user_id: string; attempt: number; worker_group: string }>(
        `UPDATE ${SCHEMA}.run r SET status = ${unlessCancelled("'queued'")}, finished_at = ${CANCELLED_AT},
           attempt = attempt + 1, executor = NULL, undecided = NULL
         WHERE id = $1 AND status = $2 AND ${onlyIf} RETURNING status, user_id, attempt, worker_group`,
        [runId, from],
      );
      const [row] = rows;
      if (row === undefined) return false;
      if (row.status === 'queued')
        await engine.enqueue(client, { runId, attempt: row.attempt }, row.user_id, row.worker_group);
      await client.query('SELECT pg_notify($1, $2)', [CHANNEL, runId]);
      return true;
    });
  }

  /**
   * Cancels a run that no worker has, or asks its worker to. Returns the status before; `undefined` if the user has no such
   * run.
   */
  async cancel(runId: string, userId: string): Promise<{ status: DurableRunStatus; attempt: number } | undefined> {
    const { rows } = await this.pool.query<{ status: DurableRunStatus; attempt: number }>(
      `WITH old AS (SELECT id, status, attempt FROM ${SCHEMA}.run WHERE id = $1 AND user_id = $2 FOR UPDATE),
       changed AS (
         UPDATE ${SCHEMA}.run r SET cancel_requested = true,
           status = CASE WHEN r.status = 'running' THEN r.status ELSE 'cancelled' END,
           finished_at = CASE WHEN r.status = 'running' THEN NULL ELSE now() END
         FROM old WHERE r.id = old.id AND old.status IN ('queued', 'waiting', 'needs_attention', 'running')
         RETURNING r.id
       )
       SELECT old.status, old.attempt, (SELECT pg_notify('${CHANNEL}', id) FROM changed),
         (SELECT pg_notify('${CANCEL_CHANNEL}', id) FROM changed) FROM old`,
      [runId, userId],
    );
    return rows[0];
  }
}

/** A status in SQL, for a run whose cancellation may have been asked for meanwhile. */
const unlessCancelled = (status: string): string => `CASE WHEN cancel_requested THEN 'cancelled' ELSE ${status} END`;
/** The end of such a run; the others are open. */
const CANCELLED_AT = 'CASE WHEN cancel_requested THEN now() END';

/** A stored document, which was checked before. Lifts one that an older build stored. */
const readFlow = (flow: FlowDocument): FlowDocument => (flow.version === DOCUMENT_VERSION ? flow : parseFlow(flow));
