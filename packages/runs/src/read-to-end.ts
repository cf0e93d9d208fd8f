import type { RunEvent, RunResult } from '@croft/flow';
import type { ActiveAttempt } from './active-attempt.ts';
import { throughOutage } from './outage.ts';
import { isNews, type Replay } from './replay.ts';
import type { DurableRunEvent } from './run.ts';
import { type Outcome, outcomeOf } from './run-outcome.ts';
import type { ClaimedRun } from './run-store.ts';
import type { WaitWatch } from './wait-watch.ts';

/** The parts that a reader of a run uses. */
export interface Reading {
  readonly active: ActiveAttempt;
  readonly claimed: ClaimedRun;
  readonly replay: Replay;
  /** The services of the run. */
  readonly built: {
    readonly secrets?: ReadonlySet<string>;
    finished?(result: RunResult): Promise<void>;
  };
  readonly waits: WaitWatch;
  log(line: string): void;
  emit(event: DurableRunEvent): Promise<void> | undefined;
  /** Stores the events that were emitted. */
  store(): Promise<void>;
}

/**
 * Stores the events of a run. Returns its outcome; undefined where the run does not end with this attempt. When it throws,
 * no node of the run is under way.
 */
export async function readToEnd(
  run: AsyncGenerator<readonly RunEvent[], RunResult, void>,
  reading: Reading,
): Promise<Outcome | undefined> {
  const { active, claimed, replay, built, waits, emit, store } = reading;
  let last: Extract<RunEvent, { kind: 'run_finished' }> | undefined;
  try {
    for (;;) {
      const { done, value } = await run.next();
      if (done === true) {
        if (active.reason === 'waiting') await emit({ kind: 'run_waiting', keys: waits.keys });
        // Fails where another attempt has the run.
        if (active.reason !== 'lost') await store();
        const outcome = outcomeOf(active.reason, claimed, replay, value, built.secrets);
        if (outcome === undefined) return undefined;
        const result = { ...value, metrics: outcome.metrics };
        await throughOutage(async () => built.finished?.(result), active.signal).catch((error: unknown) => {
          reading.log(`The result of run ${active.attempt.runId} could not be handed over: ${String(error)}`);
        });
        if (last) await emit({ ...last, metrics: outcome.metrics });
        await store();
        return outcome;
      }
      for (const event of value) {
        waits.see(event);
        if (!isNews(event, active.reason, replay)) continue;
        if (event.kind === 'run_finished') {
          last = event;
          continue;
        }
        const room = emit(event);
        if (room) await room;
      }
    }
  } catch (error) {
    // The next attempt must not begin beside an effect of this one.
    active.stop('lost');
    await run.return(undefined as never);
    throw error;
  }
}
