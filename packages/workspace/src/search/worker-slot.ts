import { existsSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { WorkspaceError } from '../errors.ts';
import { nativeFile } from '../resolve/native.ts';
import type { WorkerData } from './worker-messages.ts';

/** A search thread. */
export interface Slot {
  readonly worker: Worker;
  readonly flag: Int32Array;
  /** Settles when the thread has started, or has ended. Ending it earlier, while koffi loads, ends the process. */
  readonly started: Promise<void>;
  busy: boolean;
  idleTimer: NodeJS.Timeout | undefined;
}

/** The threads that may get a search. */
export const slots: Slot[] = [];

/** Starts a thread. @throws WorkspaceError `io` if its program is missing */
export function startSlot(): Slot {
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
  // Listens between two searches as well: an unhandled error would end the process, and a thread that has ended must
  // not get the next search.
  worker.on('error', () => retireSlot(slot)).on('exit', () => retireSlot(slot));
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

/** Gives the thread no further search. */
export function retireSlot(slot: Slot): void {
  const i = slots.indexOf(slot);
  if (i !== -1) slots.splice(i, 1);
  clearTimeout(slot.idleTimer);
}

/** Ends the thread, when it has started. */
export async function endSlot(slot: Slot): Promise<void> {
  clearTimeout(slot.idleTimer);
  await slot.started;
  await slot.worker.terminate();
}
