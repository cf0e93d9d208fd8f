import type { Json } from '../document.ts';

/** Which rounds of loops and cycles a node runs in: `Loop-a1b2c[3]` is the fourth round. Empty outside of them. */
export type RunPath = string;

/** News of a run. Plain JSON, bounded, without secrets: safe to store and to show. */
export type RunEvent =
  | { readonly kind: 'run_started'; readonly nodes: number }
  | { readonly kind: 'node_started'; readonly node: string; readonly path: RunPath; readonly inputs: Json }
  | { readonly kind: 'token'; readonly node: string; readonly path: RunPath; readonly text: string }
  | {
      readonly kind: 'progress';
      readonly node: string;
      readonly path: RunPath;
      readonly done: number;
      readonly total?: number;
      readonly text?: string;
    }
  | { readonly kind: 'log'; readonly node: string; readonly path: RunPath; readonly text: string }
  | {
      readonly kind: 'node_retrying';
      readonly node: string;
      readonly path: RunPath;
      readonly attempt: number;
      readonly error: string;
    }
  | {
      readonly kind: 'node_finished';
      readonly node: string;
      readonly path: RunPath;
      readonly ms: number;
      /** Where the outputs are from: computed now, fixed by hand, or stored by an earlier run. */
      readonly source: 'computed' | 'pinned' | 'stored';
      readonly outputs: Json;
      readonly tokens?: Tokens;
    }
  | { readonly kind: 'node_pruned'; readonly node: string; readonly path: RunPath }
  | {
      readonly kind: 'node_failed';
      readonly node: string;
      readonly path: RunPath;
      readonly ms: number;
      readonly failure: Failure;
      /** Whether the run goes on. */
      readonly handled: boolean;
    }
  | { readonly kind: 'node_cancelled'; readonly node: string; readonly path: RunPath }
  | {
      readonly kind: 'run_finished';
      readonly status: RunStatus;
      readonly text: string;
      readonly metrics: Metrics;
      readonly failure?: Failure;
    };

export type RunStatus = 'completed' | 'failed' | 'cancelled' | 'timed_out';

/** A failure with its place and what to do. */
export interface Failure {
  readonly node?: string;
  readonly field?: string;
  readonly message: string;
  readonly fix?: string;
}

export interface Tokens {
  readonly input: number;
  readonly output: number;
}

/** The cost of a run. Seconds are rounded to milliseconds; tokens are summed over all nodes and rounds. */
export interface Metrics {
  readonly duration_seconds: number;
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly total_tokens: number;
}
