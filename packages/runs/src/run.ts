import type { Failure, FlowDocument, Json, Metrics, RunEvent } from '@croft/flow';

/**
 * Where a run is. `waiting` waits for a person's answer and needs no worker. `needs_attention` stopped at an effect of which
 * Croft cannot tell whether it happened; a person decides.
 */
export type DurableRunStatus =
  | 'queued'
  | 'running'
  | 'waiting'
  | 'needs_attention'
  | 'completed'
  | 'failed'
  | 'cancelled'
  | 'timed_out';

/** A run as lists show it. */
export interface RunSummary {
  readonly id: string;
  readonly userId: string;
  readonly flowId: string | null;
  readonly flowName: string;
  /** The origin of the run, such as `api`, `webhook` or `schedule`. */
  readonly source: string;
  /** As its request gave it; null for an older run. */
  readonly input: string | null;
  readonly status: DurableRunStatus;
  /** Starts of the run: more than one after a lost worker or an answer. */
  readonly attempt: number;
  readonly createdAt: Date;
  readonly startedAt: Date | null;
  readonly finishedAt: Date | null;
  readonly failure: Failure | null;
  readonly metrics: Metrics | null;
}

/** A run with its result and its open questions. */
export interface RunDetails extends RunSummary {
  /** The result's text and outputs, bounded and redacted; null while the run is not finished. */
  readonly result: { readonly text: string; readonly outputs: Json } | null;
  readonly questions: readonly Question[];
  /** Effects that a person has to decide about. */
  readonly undecided: readonly string[];
}

/** A question of a run to a person. */
export interface Question {
  /** Identifies the question within the run. */
  readonly key: string;
  readonly node: string;
  readonly text: string;
  readonly options: readonly string[];
  /** The value in question, bounded. */
  readonly context: Json;
  readonly askedAt: Date;
  readonly answer: Answer | null;
}

export interface Answer {
  readonly choice: string;
  readonly comment: string;
  /** The person's name or id. */
  readonly by: string;
}

/** A run to queue. */
export interface RunRequest {
  readonly userId: string;
  /** The stored flow. The run keeps this snapshot: later edits of the flow do not change it. */
  readonly flow: FlowDocument;
  readonly flowId?: string;
  readonly source?: string;
  /** The API key that asks for it, by its name: for logs of what the run changes. */
  readonly key?: string | undefined;
  /** Values for nodes at the flow's boundary, by node id and then field. Secrets are names, never values. */
  readonly inputs?: Readonly<Record<string, Readonly<Record<string, Json>>>>;
  /** The inputs as lists show them: a short line without secrets. Stored encrypted. */
  readonly input?: string;
  /** Of each attempt, in milliseconds, without the time for which the run waits for a person. An hour unless given. */
  readonly timeoutMs?: number;
  /** A second request with the same key queues nothing and gives the first run. Use one per trigger and occasion. */
  readonly triggerKey?: string;
}

/** News of a durable run: those of the flow engine, and those of its life between workers. */
export type DurableRunEvent =
  | RunEvent
  /** Stored with the time of the start, in milliseconds since 1970. */
  | (Extract<RunEvent, { readonly kind: 'node_started' }> & { readonly at: number })
  /** The run continues in another attempt. A node that had started before may start again, from its beginning. */
  | { readonly kind: 'run_resumed'; readonly attempt: number }
  /** An interrupted step runs again: its effect, such as a paid model call, may have happened twice. */
  | { readonly kind: 'step_repeated'; readonly node: string; readonly key: string }
  | { readonly kind: 'run_waiting'; readonly keys: readonly string[] }
  | { readonly kind: 'run_needs_attention'; readonly node: string; readonly key: string; readonly message: string };

export const FINISHED: ReadonlySet<DurableRunStatus> = new Set(['completed', 'failed', 'cancelled', 'timed_out']);

/** The name of a run's event stream ends with this id: `<run>.0` is before its first event. */
export const firstEventId = (runId: string): string => `${runId}.0`;
