/**
 * Runs tasks with the same name one after another. Connecting and revoking a user's machine exclude each other, so that
 * a request accepted earlier cannot restore a key that was revoked meanwhile.
 */
export class OneAtATime {
  readonly #last = new Map<string, Promise<unknown>>();

  run<T>(name: string, task: () => Promise<T>): Promise<T> {
    const before = this.#last.get(name) ?? Promise.resolve();
    const mine = before.then(task, task);
    this.#last.set(name, mine);
    const tidy = (): void => {
      if (this.#last.get(name) === mine) this.#last.delete(name);
    };
    mine.then(tidy, tidy);
    return mine;
  }
}
