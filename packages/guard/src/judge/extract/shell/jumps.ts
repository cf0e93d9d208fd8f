import { joined, type Outcome, type ShellState } from './state.ts';

/** What `return` ends, and what `break` and `continue` end. */
export type Frame = 'function' | 'loop';

const MAX_ENDS = 16;

/** The functions and loops that are being read, with the states in which a command ended them early. */
export class Jumps {
  #frames: { readonly kind: Frame; readonly ends: ShellState[] }[] = [];

  /** Records the state in which a command ends a function or a loop. The loop may be any of those around it. */
  end(kind: Frame, state: ShellState): void {
    for (const { ends } of this.#frames.filter((frame) => frame.kind === kind)) {
      if (ends.length < MAX_ENDS) ends.push(state.copy());
      else ends.at(-1)?.join(state);
    }
  }

  /** Reads a function or a loop. @returns its result, in which it may have ended early. */
  within<T extends Outcome>(kind: Frame, run: () => T): T {
    const frame = { kind, ends: [] as ShellState[] };
    this.#frames.push(frame);
    const result = run();
    const { success, failure } = result;
    this.#frames.pop();
    const [first, ...others] = frame.ends;
    if (first === undefined) return result;
    for (const end of others) first.join(end);
    if (success === failure) {
      const both = joined(success, first);
      return { ...result, success: both, failure: both };
    }
    return { ...result, success: joined(success, first), failure: joined(failure, first.copy()) };
  }

  /** Reads commands of a process of their own, which end no function and no loop of this one. */
  apart<T>(run: () => T): T {
    const frames = this.#frames;
    this.#frames = [];
    try {
      return run();
    } finally {
      this.#frames = frames;
    }
  }
}
