import { libraryOf } from '../editable/sources.ts';
import type { ReadComponent, RowLimits, RowOutcome } from './sandbox/messages.ts';
import { SandboxFailure, type SandboxThread } from './sandbox-thread.ts';
import { giveThread, isThreadWanted, takeThread } from './sandbox-threads.ts';

/** Bounds of one row unless given. */
export const ROW_LIMITS: RowLimits = {
  timeMs: 5_000,
  memoryBytes: 64 * 1024 * 1024,
  resultChars: 8 * 1024 * 1024,
  logLines: 100,
};

/** QuickJS notices the end of its time itself, nearly always. After this, the thread is ended. */
const GRACE_MS = 200;
/** A session between two rows keeps its thread and module this long. */
const IDLE_MS = 1_000;

let nextSession = 1;

export interface SessionOptions {
  readonly limits?: RowLimits;
  readonly user?: string | undefined;
}

/** The rows of one node in one run: they share a module, and no other node or run ever uses it. */
export class SandboxSession {
  readonly #component: ReadComponent;
  readonly #limits: RowLimits;
  readonly #library: string;
  readonly #user: string | undefined;
  readonly #number = nextSession++;
  #thread: SandboxThread | undefined;
  /** The thread has the module. */
  #isOpen = false;
  /** A row runs, or waits for a thread. */
  #isBusy = false;
  /** Closed while a row ran. */
  #closesNext = false;
  #timer: NodeJS.Timeout | undefined;
  #last: Promise<unknown> = Promise.resolve();

  /** The rows use the share of the threads of `user`. */
  constructor(component: ReadComponent, { limits = ROW_LIMITS, user }: SessionOptions = {}) {
    this.#component = component;
    this.#limits = limits;
    this.#library = libraryOf(component.imports);
    this.#user = user;
  }

  /**
   * Runs one row, after the rows before it. Never blocks this thread.
   *
   * @throws what `signal` was aborted with; the row's thread is ended then
   */
  run(
    inputs: string,
    outputs: readonly { readonly name: string; readonly method?: string }[],
    signal?: AbortSignal,
  ): Promise<RowOutcome> {
    const row = this.#last.then(() => this.#run(inputs, outputs, signal));
    this.#last = row.catch(() => {});
    return row;
  }

  /** Gives the thread back, after the row that uses it. Call it when the run has ended. */
  close(): void {
    // Another caller may have a row on the thread: the next owner of the thread would end that row with its own.
    this.#closesNext = this.#isBusy;
    if (this.#isBusy) return;
    clearTimeout(this.#timer);
    const thread = this.#thread;
    this.#thread = undefined;
    this.#isOpen = false;
    if (thread) giveThread(thread, this.#user);
  }

  async #run(
    inputs: string,
    outputs: readonly { readonly name: string; readonly method?: string }[],
    signal: AbortSignal | undefined,
  ): Promise<RowOutcome> {
    signal?.throwIfAborted();
    clearTimeout(this.#timer);
    const { className, js } = this.#component;
    const limits = this.#limits;
    this.#isBusy = true;
    try {
      this.#thread ??= await takeThread(this.#user, signal);
      const isOpen = this.#isOpen;
      const row = { className, js, library: this.#library, inputs, outputs, limits };
      const job = { ...row, kind: 'row', session: this.#number, isOpen } as const;
      this.#isOpen = false;
      const answer = await this.#thread.ask(job, limits.timeMs + GRACE_MS, signal);
      if ('row' in answer) {
        this.#isOpen = answer.row.ok;
        return answer.row;
      }
      throw new SandboxFailure('ended');
    } catch (error) {
      if (!(error instanceof SandboxFailure)) throw error;
      return failed(error.reason, limits);
    } finally {
      this.#rest(signal);
    }
  }

  #rest(signal: AbortSignal | undefined): void {
    this.#isBusy = false;
    const isGone = this.#thread?.isGone === true;
    if (this.#closesNext || isGone || isThreadWanted(this.#user) || signal?.aborted === true) this.close();
    else {
      this.#timer = setTimeout(() => this.close(), IDLE_MS);
      this.#timer.unref();
    }
  }
}

function failed(reason: SandboxFailure['reason'], { timeMs }: RowLimits): RowOutcome {
  const message =
    reason === 'time'
      ? `The component did not end within ${timeMs} ms. Check its loops and regular expressions.`
      : reason === 'memory'
        ? 'The component needs more memory than it may have.'
        : 'The sandbox ended unexpectedly.';
  return { ok: false, reason: reason === 'time' ? 'time' : 'memory', message, line: 0, logs: [] };
}
