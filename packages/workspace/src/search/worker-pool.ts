import { existsSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { Worker } from 'node:worker_threads';
import { WorkspaceError, type WorkspaceErrorCode } from '../errors.ts';
import { nativeFile } from '../resolve/native.ts';
import type { ResolverKind } from '../resolve/root.ts';
import { BaseMoved } from './run-search.ts';
import type { SearchOutcome, SearchRequest } from './search-request.ts';

/** The root a worker opens for itself, and the identity it must then have. */
export interface WorkerRoot {
  readonly path: string;
  readonly dev: number;
  readonly ino: number;
  readonly resolver: ResolverKind;
}

export interface WorkerData {
  /** Holds the id of the job that is to stop. */
  readonly flag: SharedArrayBuffer;
  /** koffi's binary, where the main thread has it. */
  readonly nativeFile: string | undefined;
}

/** A thread's first message. */
export type WorkerHail = 'started';

export interface WorkerJob {
  readonly id: number;
  readonly root: WorkerRoot;
  readonly request: SearchRequest;
}

export interface WorkerAnswer {
  readonly id: number;
  progress?: number;
  outcome?: SearchOutcome;
  moved?: boolean;
  error?: { code: WorkspaceErrorCode; message: string };
}

export interface SearchCall {
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs: number;
  readonly onProgress?: ((filesSeen: number) => void) | undefined;
}

const MAX_WORKERS = 2;
const IDLE_MS = 30_000;
/** How long a cancelled search may take to notice before its thread is ended. */
const GRACE_MS = 250;

interface Slot {
  readonly worker: Worker;
  readonly flag: Int32Array;
  /** Settles when the thread has started, or has ended. Ending it earlier, while koffi loads, ends the process. */
  readonly started: Promise<void>;
  busy: boolean;
  idleTimer: NodeJS.Timeout | undefined;
}

// Past 20,000 steps back a pattern is handed to V8's linear engine; look-around and back-references stay bounded by the
// deadline alone. Set before any pattern of a caller's is compiled, in the threads or here.
setFlagsFromString('--enable-experimental-regexp-engine-on-excessive-backtracks');
setFlagsFromString('--regexp-backtracks-before-fallback=20000');

const slots: Slot[] = [];
const waiting: (() => void)[] = [];
let nextId = 1;

/**
 * Runs one search on one of at most two threads, which start on the first search and end after 30 s without one.
 * A search that passes its deadline is told to stop; one that does not notice has its thread ended.
 *
 * @throws WorkspaceError `cancelled`, `deadline`, `invalid`, `io`; BaseMoved when the base must be resolved again
 */
export async function searchInWorker(
  root: WorkerRoot,
  request: SearchRequest,
  call: SearchCall,
): Promise<SearchOutcome> {
  const slot = await takeSlot(call.signal);
  try {
    return await runOn(slot, { id: nextId++, root, request }, call);
  } finally {
    giveBack(slot);
  }
}

/** Ends every search thread now. For tests and shutdown; the next search starts a new one. */
export async function closeSearchWorkers(): Promise<void> {
  await Promise.all(slots.splice(0).map((slot) => end(slot)));
}

function runOn(slot: Slot, job: WorkerJob, call: SearchCall): Promise<SearchOutcome> {
  return new Promise((resolve, reject) => {
    const { worker } = slot;
    let stopped: WorkspaceError | undefined;
    let grace: NodeJS.Timeout | undefined;
    const stop = (reason: WorkspaceError) => {
      if (stopped) return;
      stopped = reason;
      Atomics.store(slot.flag, 0, job.id);
      // The thread may be inside one long regular expression, where it cannot look up.
      grace = setTimeout(() => {
        retire(slot);
        void end(slot);
        finish(() => reject(reason));
      }, GRACE_MS);
    };
    const onAbort = () => stop(cancelled());
    const deadline = setTimeout(() => stop(tooLong(call.timeoutMs)), call.timeoutMs);
    const onMessage = (answer: WorkerAnswer | WorkerHail) => {
      if (answer === 'started' || answer.id !== job.id) return;
      if (answer.progress !== undefined) call.onProgress?.(answer.progress);
      else if (stopped) finish(() => reject(stopped));
      else if (answer.moved) finish(() => reject(new BaseMoved('the searched directory changed')));
      else if (answer.error) {
        const { code, message } = answer.error;
        finish(() => reject(new WorkspaceError(code, message)));
      } else finish(() => resolve(answer.outcome as SearchOutcome));
    };
    const onExit = () => {
      retire(slot);
      finish(() => reject(stopped ?? new WorkspaceError('io', 'The search ended unexpectedly')));
    };
    const finish = (settle: () => void) => {
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

async function takeSlot(signal: AbortSignal | undefined): Promise<Slot> {
  for (;;) {
    if (signal?.aborted) {
      // He may have been woken for a free thread already: the next in line gets it.
      waiting.shift()?.();
      throw cancelled();
    }
    const free = slots.find((slot) => !slot.busy) ?? (slots.length < MAX_WORKERS ? startSlot() : undefined);
    if (free) {
      free.busy = true;
      clearTimeout(free.idleTimer);
      return free;
    }
    await turn(signal);
  }
}

/** Waits in line. Who leaves it early takes his place with him, so that a wake-up is never spent on nobody. */
function turn(signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const wake = () => {
      signal?.removeEventListener('abort', leave);
      resolve();
    };
    const leave = () => {
      const i = waiting.indexOf(wake);
      if (i !== -1) waiting.splice(i, 1);
      reject(cancelled());
    };
    waiting.push(wake);
    signal?.addEventListener('abort', leave, { once: true });
  });
}

function cancelled(): WorkspaceError {
  return new WorkspaceError('cancelled', 'The search was cancelled');
}

function giveBack(slot: Slot): void {
  slot.busy = false;
  if (slots.includes(slot)) {
    slot.idleTimer = setTimeout(() => {
      retire(slot);
      void end(slot);
    }, IDLE_MS);
    slot.idleTimer.unref();
  }
  waiting.shift()?.();
}

function startSlot(): Slot {
  const flag = new SharedArrayBuffer(4);
  const worker = new Worker(workerFile(), {
    workerData: { flag, nativeFile: nativeFile() } satisfies WorkerData,
    // A memory bound for one thread: a search that needs more is a mistake.
    resourceLimits: { maxOldGenerationSizeMb: 512 },
  });
  worker.unref();
  const started = new Promise<void>((resolve) => worker.once('message', () => resolve()).once('exit', () => resolve()));
  const slot: Slot = { worker, flag: new Int32Array(flag), started, busy: false, idleTimer: undefined };
  slots.push(slot);
  // Also between two searches, when nobody else listens: an error unheard would end the process, and a thread that is
  // gone must not be given the next search.
  worker.on('error', () => retire(slot)).on('exit', () => retire(slot));
  return slot;
}

/** The thread's own file: beside this one when built, beside the bundle when bundled. */
function workerFile(): URL {
  for (const name of ['./worker.js', './search-worker.cjs', '../../dist/search/worker.js']) {
    const url = new URL(name, import.meta.url);
    if (existsSync(url)) return url;
  }
  throw new WorkspaceError('io', 'The search program is missing from this installation');
}

function retire(slot: Slot): void {
  const i = slots.indexOf(slot);
  if (i !== -1) slots.splice(i, 1);
  clearTimeout(slot.idleTimer);
}

async function end(slot: Slot): Promise<void> {
  clearTimeout(slot.idleTimer);
  await slot.started;
  await slot.worker.terminate();
}

function tooLong(timeoutMs: number): WorkspaceError {
  return new WorkspaceError(
    'deadline',
    `The search took longer than ${timeoutMs / 1000} s. Narrow path, glob or pattern.`,
  );
}
