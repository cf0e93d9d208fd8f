/**
 * Runs tasks of one name one after another. What connects and what revokes a user's machine waits for each other, so
 * that a key revoked in between cannot come back by a request that had already been let in.
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
