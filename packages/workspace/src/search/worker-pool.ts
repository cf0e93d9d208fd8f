import { WorkspaceError } from '../errors.ts';
import { BaseMoved } from './run-search.ts';
import { PartialGrep } from './partial-grep.ts';
import type { SearchOutcome, SearchRequest } from './search-request.ts';
import { type SearchOwner, Turns } from './turns.ts';
import type { WorkerAnswer, WorkerHail, WorkerJob, WorkerRoot } from './worker-messages.ts';
import { type Slot, slots, startSlot, retireSlot, endSlot } from './worker-slot.ts';

export interface SearchCall {
  readonly signal?: AbortSignal | undefined;
  readonly owner: SearchOwner;
  /** For waiting and running together. */
  readonly timeoutMs: number;
  /** For running, where that is less. */
  readonly runMs?: number;
  readonly onProgress?: ((filesSeen: number) => void) | undefined;
}

const MAX_WORKERS = 3;
/** Threads one owner may have at once: one is left for the others. */
const MAX_PER_OWNER = 2;
const IDLE_MS = 30_000;
/** How long a cancelled search may take to notice before its thread is ended. */
const GRACE_MS = 250;
const waiting = new Turns<(slot: Slot) => void>();
/** Searches at work, by owner. */
const running = new Map<string, number>();
let nextId = 1;

/**
 * Runs one search on one of at most three threads, which start when they are needed and end after 30 s without a
 * search. Waiting searches are served in turns of their owners, and one owner has at most two threads.
 *
 * A search that passes its deadline is stopped, and gives what it found by then with `stoppedAfterMs`. One that does not
 * notice has its thread ended.
 *
 * @throws WorkspaceError `cancelled`, `deadline` (before a thread was free, or without anything to give), `invalid`,
 *   `io`; BaseMoved when the base must be resolved again
 */
export async function searchInWorker(
  root: WorkerRoot,
  request: SearchRequest,
  call: SearchCall,
): Promise<SearchOutcome> {
  const askedAt = performance.now();
  const slot = await takeSlot(call);
  const leftMs = Math.max(1, call.timeoutMs - (performance.now() - askedAt));
  try {
    return await runOn(slot, { id: nextId++, root, request }, call, leftMs);
  } finally {
    giveBack(slot, call.owner);
  }
}

/** Ends every search thread now. For tests and shutdown; the next search starts a new one. */
export async function closeSearchWorkers(): Promise<void> {
  await Promise.all(slots.splice(0).map((slot) => endSlot(slot)));
}

function runOn(slot: Slot, job: WorkerJob, call: SearchCall, leftMs: number): Promise<SearchOutcome> {
  return new Promise((resolve, reject) => {
    const { worker } = slot;
    const partial = new PartialGrep(job.request);
    let stopped: WorkspaceError | undefined;
    let isSettled = false;
    let limitMs = leftMs;
    let grace: NodeJS.Timeout | undefined;
    const settleStopped = (reason: WorkspaceError, outcome: SearchOutcome | undefined): void => {
      if (reason.code === 'deadline' && outcome) resolve({ ...outcome, stoppedAfterMs: limitMs });
      else reject(reason);
    };
    const stop = (reason: WorkspaceError) => {
      if (stopped) return;
      stopped = reason;
      Atomics.store(slot.flag, 0, job.id);
      // The thread may be inside one long regular expression, where it cannot look up.
      grace = setTimeout(() => {
        retireSlot(slot);
        void endSlot(slot);
        finish(() => settleStopped(reason, partial.outcome()));
      }, GRACE_MS);
    };
    const onAbort = () => stop(cancelled());
    let deadline = setTimeout(() => stop(tooLong(limitMs)), limitMs);
    // Running begins when the thread has loaded its program.
    const { runMs } = call;
    if (runMs !== undefined && runMs < leftMs)
      void slot.started.then(() => {
        if (isSettled || stopped) return;
        clearTimeout(deadline);
        limitMs = runMs;
        deadline = setTimeout(() => stop(tooLong(limitMs)), limitMs);
      });
    const onMessage = (answer: WorkerAnswer | WorkerHail) => {
      if (answer === 'started' || answer.id !== job.id) return;
      const { outcome } = answer;
      if (answer.found) {
        partial.add(answer.found);
        call.onProgress?.(answer.found.files);
      } else if (answer.progress !== undefined) {
        partial.files = answer.progress;
        call.onProgress?.(answer.progress);
      } else if (stopped) finish(() => settleStopped(stopped as WorkspaceError, outcome));
      else if (answer.moved) finish(() => reject(new BaseMoved('the searched directory changed')));
      else if (answer.error) {
        const { code, message } = answer.error;
        finish(() => reject(new WorkspaceError(code, message)));
      } else finish(() => resolve(outcome as SearchOutcome));
    };
    const onExit = () => {
      retireSlot(slot);
      finish(() =>
        stopped
          ? settleStopped(stopped, partial.outcome())
          : reject(new WorkspaceError('io', 'The search ended unexpectedly')),
      );
    };
    const finish = (settle: () => void) => {
      isSettled = true;
      clearTimeout(deadline);
      clearTimeout(grace);
      call.signal?.removeEventListener('abort', onAbort);
      worker.off('message', onMessage).off('exit', onExit).off('error', onExit);
      settle();
    };
    worker.on('message', onMessage).on('exit', onExit).on('error', onExit);
    call.signal?.addEventListener('abort', onAbort, { once: true });
    worker.postMessage(job);
    if (call.signal?.aborted) onAbort();
  });
}

function mayRun(owner: SearchOwner): boolean {
  return (running.get(keyOf(owner)) ?? 0) < MAX_PER_OWNER;
}

function keyOf({ workspace, caller }: SearchOwner): string {
  return JSON.stringify([workspace, caller]);
}

/** A free thread, at once or in the owner's turn. */
function takeSlot({ signal, owner, timeoutMs }: SearchCall): Promise<Slot> {
  if (signal?.aborted) return Promise.reject(cancelled());
  return new Promise((resolve, reject) => {
    const leave = (reason: WorkspaceError) => {
      waiting.remove(owner, take);
      settle(() => reject(reason));
    };
    const onAbort = () => leave(cancelled());
    const timer = setTimeout(() => leave(tooBusy(timeoutMs)), timeoutMs);
    const settle = (then: () => void) => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
      then();
    };
    const take = (slot: Slot) => {
      slot.busy = true;
      clearTimeout(slot.idleTimer);
      running.set(keyOf(owner), (running.get(keyOf(owner)) ?? 0) + 1);
      settle(() => resolve(slot));
    };
    signal?.addEventListener('abort', onAbort, { once: true });
    waiting.add(owner, take);
    try {
      advance();
    } catch (error) {
      waiting.remove(owner, take);
      settle(() => reject(error as Error));
    }
  });
}

/** Gives free threads to those whose turn it is. */
function advance(): void {
  for (;;) {
    const free = slots.find((slot) => !slot.busy);
    if (!free && slots.length >= MAX_WORKERS) return;
    const take = waiting.next(mayRun);
    if (!take) return;
    take(free ?? startSlot());
  }
}

function cancelled(): WorkspaceError {
  return new WorkspaceError('cancelled', 'The search was cancelled');
}

function giveBack(slot: Slot, owner: SearchOwner): void {
  slot.busy = false;
  const left = (running.get(keyOf(owner)) ?? 1) - 1;
  if (left > 0) running.set(keyOf(owner), left);
  else running.delete(keyOf(owner));
  if (slots.includes(slot)) {
    slot.idleTimer = setTimeout(() => {
      retireSlot(slot);
      void endSlot(slot);
    }, IDLE_MS);
    slot.idleTimer.unref();
  }
  advance();
}

function tooLong(timeoutMs: number): WorkspaceError {
  return new WorkspaceError(
    'deadline',
    `The search took longer than ${Math.round(timeoutMs) / 1000} s. Narrow path, glob or pattern.`,
  );
}

function tooBusy(timeoutMs: number): WorkspaceError {
  return new WorkspaceError(
    'deadline',
    `Other searches kept this one waiting for ${timeoutMs / 1000} s. Try again in a moment.`,
  );
}
