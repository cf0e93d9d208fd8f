import type { EventStore } from '@croft/event-log';
import type { RunEvent, Tokens } from '@croft/flow';
import type { StopReason } from './active-attempt.ts';
import type { Attempt } from './engine.ts';
import type { DurableRunEvent } from './run.ts';

/** The events that earlier attempts have stored, in short. */
export interface Replay {
  /** The number of the newest event. */
  readonly newest: number;
  /** Nodes that ended, as `<node>/<path>`. */
  readonly ended: ReadonlySet<string>;
  /** Used by nodes that ended. */
  readonly tokens: Tokens;
}

const NOTHING: Replay = { newest: 0, ended: new Set(), tokens: { input: 0, output: 0 } };

/** Reads the events of the attempts before this one. */
export async function readReplay(store: EventStore, { runId, attempt }: Attempt): Promise<Replay> {
  if (attempt === 1) return NOTHING;
  const ended = new Set<string>();
  const tokens = { input: 0, output: 0 };
  let newest = 0;
  for (;;) {
    const found = await store.read(runId, newest, 5_000);
    if (found === 'gone' || found.entries.length === 0) return { newest, ended, tokens };
    for (const { data } of found.entries) {
      const event = JSON.parse(data) as DurableRunEvent;
      if (event.kind !== 'node_finished' && event.kind !== 'node_failed' && event.kind !== 'node_pruned') continue;
      ended.add(`${event.node}/${event.path}`);
      if (event.kind !== 'node_finished' || event.tokens === undefined) continue;
      tokens.input += event.tokens.input;
      tokens.output += event.tokens.output;
    }
    newest = found.first + found.entries.length - 1;
  }
}

/** Whether readers of the run's events do not know this one yet. A run that only leaves its worker has not ended. */
export function isNews(event: RunEvent, stopped: StopReason | undefined, { newest, ended }: Replay): boolean {
  if (newest > 0 && event.kind === 'run_started') return false;
  if (stopped !== undefined && stopped !== 'cancelled') return false;
  return !('node' in event) || event.node === undefined || !ended.has(`${event.node}/${event.path}`);
}
