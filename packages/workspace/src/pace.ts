import { setImmediate as nextTurn } from 'node:timers/promises';
import { throwIfCancelled } from './errors.ts';

/** How long one slice of a bulk operation may hold the event loop. */
const SLICE_MS = 0.25;

/** Turns of the event loop between two slices: a request of another caller is read, answered and sent in up to three. */
const TURNS_BETWEEN = 3;

/** Cuts a long operation into slices, between which other calls of the process run. */
export interface Pace {
  /**
   * Call between two entries or chunks, and await what it returns: nothing while the slice lasts.
   *
   * @throws WorkspaceError `cancelled`
   */
  pause(): Promise<void> | undefined;
  /** Call before the step that cannot be taken back. @throws WorkspaceError `cancelled` */
  check(): void;
}

/** @param signals any of them cancels the operation at its next pause */
export function createPace(signals: readonly (AbortSignal | undefined)[] = []): Pace {
  let began = performance.now();
  const rest = async () => {
    for (let turn = 0; turn < TURNS_BETWEEN; turn++) await nextTurn();
    began = performance.now();
  };
  const check = () => {
    for (const signal of signals) throwIfCancelled(signal);
  };
  return {
    check,
    pause() {
      check();
      return performance.now() - began < SLICE_MS ? undefined : rest();
    },
  };
}
