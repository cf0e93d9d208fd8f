/**
 * Asynchronous work of one run. After the run was stopped, work that does not end within `graceMs` is given up: its
 * promise rejects, and the run ends. The work itself goes on, because JavaScript cannot end it from outside.
 */
export class OpenWork {
  readonly #open = new Set<(error: Error) => void>();
  readonly #graceMs: number;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(stop: AbortSignal, graceMs: number) {
    this.#graceMs = graceMs;
    stop.addEventListener('abort', () => this.#startTimer(), { once: true });
  }

  /** Settles as the work does, or rejects when the run gave it up. */
  add<T>(work: Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#open.add(reject);
      const settled = () => {
        this.#open.delete(reject);
        if (this.#open.size === 0) clearTimeout(this.#timer);
      };
      work.then(resolve, reject).finally(settled);
    });
  }

  #startTimer(): void {
    if (this.#open.size === 0) return;
    this.#timer = setTimeout(() => {
      for (const giveUp of this.#open) giveUp(new Error('The component did not stop when the run did.'));
      this.#open.clear();
    }, this.#graceMs);
  }
}
