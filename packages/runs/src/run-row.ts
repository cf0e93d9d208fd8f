import type { Failure, Metrics } from '@croft/flow';
import type { DurableRunStatus, RunSummary } from './run.ts';
import type { Sealer } from './sealer.ts';

export interface RunRow {
  id: string;
  user_id: string;
  flow_id: string | null;
  flow_name: string;
  source: string;
  status: DurableRunStatus;
  attempt: number;
  created_at: Date;
  started_at: Date | null;
  finished_at: Date | null;
  /** Encrypted, as `failure` is. */
  input: string | null;
  failure: string | null;
  metrics: Metrics | null;
}

export const SUMMARY_COLUMNS =
  'id, user_id, flow_id, flow_name, source, status, attempt, created_at, started_at, finished_at, input, failure, metrics';

export function toSummary(row: RunRow, sealer: Sealer): RunSummary {
  return {
    id: row.id,
    userId: row.user_id,
    flowId: row.flow_id,
    flowName: row.flow_name,
    source: row.source,
    input: row.input === null ? null : openInput(row.input, sealer),
    status: row.status,
    attempt: row.attempt,
    createdAt: row.created_at,
    startedAt: row.started_at,
    finishedAt: row.finished_at,
    failure: row.failure === null ? null : openFailure(row.failure, sealer),
    metrics: row.metrics,
  };
}

function openInput(sealed: string, sealer: Sealer): string | null {
  try {
    return sealer.open(sealed);
  } catch {
    return null;
  }
}

/** A failure that cannot be read says so: the list of the other runs is still of use. */
function openFailure(sealed: string, sealer: Sealer): Failure {
  try {
    return JSON.parse(sealer.open(sealed)) as Failure;
  } catch (error) {
    return { message: error instanceof Error ? error.message : String(error) };
  }
}
