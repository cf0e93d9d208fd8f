import { closeSync, fstatSync, openSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { WorkspaceError } from '../errors.ts';
import { O_DIRECTORY, O_PATH } from '../resolve/native.ts';
import { chooseEngine } from './choose-engine.ts';
import type { CompileRe2 } from './line-matcher.ts';
import { BaseMoved, runSearch } from './run-search.ts';
import type { SearchRequest } from './search-request.ts';
import { standApart } from './thread-place.ts';
import type { WorkerAnswer, WorkerData, WorkerHail, WorkerJob } from './worker-messages.ts';

/**
 * A search thread. It opens every workspace root by itself: a descriptor has one owner, the thread that opened it, so
 * that ending this thread can close what it held and nothing else.
 */
const port = parentPort as NonNullable<typeof parentPort>;
const { flag: shared, nativeFile } = workerData as WorkerData;
const flag = new Int32Array(shared);
const place = nativeFile === undefined ? {} : standApart(nativeFile);
const top = place.stand && openTop();
/** Least recently used first. A server has many users, and each root held is a descriptor. */
const roots = new Map<string, number>();
const MAX_ROOTS = 64;

port.postMessage('started' satisfies WorkerHail);
port.on('message', (job: WorkerJob) => void run(job));

async function run(job: WorkerJob): Promise<void> {
  const answer: WorkerAnswer = { id: job.id };
  try {
    const compileRe2 = needsRe2(job.request) ? await loadRe2() : undefined;
    answer.outcome = runSearch(rootSelf(job), job.request, {
      place: job.root.resolver === 'openat2' ? place : undefined,
      compileRe2,
      cancelled: () => Atomics.load(flag, 0) === job.id,
      progress: (files) => port.postMessage({ id: job.id, progress: files } satisfies WorkerAnswer),
      found: (matches, files, skipped) =>
        port.postMessage({ id: job.id, found: { matches, files, skipped } } satisfies WorkerAnswer),
    });
  } catch (error) {
    if (error instanceof BaseMoved) answer.moved = true;
    else if (error instanceof WorkspaceError) answer.error = { code: error.code, message: error.message };
    else answer.error = { code: 'io', message: 'The search failed' };
  }
  // Not in the directory searched last, which could then not be unmounted while this thread idles.
  if (top !== undefined) place.stand?.(top);
  port.postMessage(answer);
}

function needsRe2(request: SearchRequest): boolean {
  return request.kind === 'grep' && chooseEngine(request).kind === 're2';
}

async function loadRe2(): Promise<CompileRe2> {
  const { RE2JS } = await import('re2js');
  return (expression) => RE2JS.compile(expression);
}

/** This thread's own handle of the job's root; opened again when the directory was replaced. */
function rootSelf(job: WorkerJob): string {
  const { path, dev, ino, resolver } = job.root;
  if (resolver === 'portable') return path;
  const known = roots.get(path);
  roots.delete(path);
  if (known !== undefined) {
    if (isRoot(known, dev, ino)) {
      roots.set(path, known);
      return `/proc/self/fd/${known}`;
    }
    closeSync(known);
  }
  const fd = openAt(path);
  if (!isRoot(fd, dev, ino)) {
    closeSync(fd);
    throw new BaseMoved('the workspace directory changed');
  }
  roots.set(path, fd);
  for (const [oldest, held] of roots) {
    if (roots.size <= MAX_ROOTS) break;
    roots.delete(oldest);
    closeSync(held);
  }
  return `/proc/self/fd/${fd}`;
}

/** Opens the file system's root, the working directory between searches. */
function openTop(): number | undefined {
  try {
    return openSync('/', O_PATH | O_DIRECTORY);
  } catch {
    return undefined;
  }
}

function openAt(path: string): number {
  try {
    return openSync(path, O_PATH | O_DIRECTORY);
  } catch {
    throw new BaseMoved('the workspace directory changed');
  }
}

function isRoot(fd: number, dev: number, ino: number): boolean {
  try {
    const stat = fstatSync(fd);
    return stat.dev === dev && stat.ino === ino && stat.nlink > 0;
  } catch {
    return false;
  }
}
