import type { RunEvent } from '@croft/flow';

/** How long nothing but waiting nodes may be under way before the run leaves its worker. */
const QUIET_MS = 30;

/** Notices when a run can only wait: every node that has started and not ended waits for a person. */
export class WaitWatch {
  readonly #onQuiet: () => void;
  readonly #waiting = new Set<string>();
  /** Nodes under way, by their rounds. */
  readonly #running = new Set<string>();
  #timer: NodeJS.Timeout | undefined;

  constructor(onQuiet: () => void) {
    this.#onQuiet = onQuiet;
  }

  /** The questions without an answer. */
  get keys(): readonly string[] {
    return [...this.#waiting];
  }

  /** Notes started and ended nodes. One that is pinned or that fails by its inputs ends without a start. */
  see(event: RunEvent): void {
    if (event.kind === 'node_started') this.#running.add(`${event.node}/${event.path}`);
    else if (event.kind === 'node_finished' || event.kind === 'node_failed' || event.kind === 'node_cancelled')
      this.#running.delete(`${event.node}/${event.path}`);
    else return;
    this.#check();
  }

  /** Never resolves: rejects when the run is stopped, which is how a wait of this attempt ends. */
  wait(key: string, signal: AbortSignal): Promise<never> {
    this.#waiting.add(key);
    this.#check();
    return new Promise((_, reject) => {
      const onAbort = () => {
        clearTimeout(this.#timer);
        reject(new Error('The run waits for an answer.'));
      };
      if (signal.aborted) onAbort();
      else signal.addEventListener('abort', onAbort, { once: true });
    });
  }

  #check(): void {
    clearTimeout(this.#timer);
    if (this.#waiting.size > 0 && this.#running.size <= this.#waiting.size)
      this.#timer = setTimeout(this.#onQuiet, QUIET_MS);
  }
}
