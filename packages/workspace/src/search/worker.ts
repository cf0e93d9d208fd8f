import { fstatSync, openSync, readlinkSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { WorkspaceError } from '../errors.ts';
import { O_DIRECTORY, O_PATH } from '../resolve/native.ts';
import { BaseMoved, runSearch } from './run-search.ts';
import type { WorkerAnswer, WorkerJob } from './worker-pool.ts';

/**
 * A search thread. It opens every workspace root by itself: a descriptor has one owner, the thread that opened it, so
 * that ending this thread can close what it held and nothing else.
 */
const port = parentPort as NonNullable<typeof parentPort>;
const flag = new Int32Array((workerData as { flag: SharedArrayBuffer }).flag);
const roots = new Map<string, string>();

port.on('message', (job: WorkerJob) => {
  const answer: WorkerAnswer = { id: job.id };
  try {
    answer.outcome = runSearch(rootSelf(job), job.request, {
      cancelled: () => Atomics.load(flag, 0) === job.id,
      progress: (files) => port.postMessage({ id: job.id, progress: files } satisfies WorkerAnswer),
    });
  } catch (error) {
    if (error instanceof BaseMoved) answer.moved = true;
    else if (error instanceof WorkspaceError) answer.error = { code: error.code, message: error.message };
    else answer.error = { code: 'io', message: 'The search failed' };
  }
  port.postMessage(answer);
});

/** This thread's own handle of the job's root; opened again when the directory was replaced. */
function rootSelf(job: WorkerJob): string {
  const { path, dev, ino, byPath } = job.root;
  if (byPath) return path;
  const known = roots.get(path);
  if (known !== undefined && isRoot(known, dev, ino)) return known;
  const self = `/proc/self/fd/${openSync(path, O_PATH | O_DIRECTORY)}`;
  if (!isRoot(self, dev, ino) || readlinkSync(self) !== path) throw new BaseMoved('the workspace directory changed');
  roots.set(path, self);
  return self;
}

function isRoot(self: string, dev: number, ino: number): boolean {
  try {
    const stat = fstatSync(Number(self.slice(self.lastIndexOf('/') + 1)));
    return stat.dev === dev && stat.ino === ino && stat.nlink > 0;
  } catch {
    return false;
  }
}
