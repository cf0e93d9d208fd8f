import type { makeFolder } from '../api/files.ts';
import { upload } from '../api/upload.ts';
import { ApiError } from '../api/request.ts';
import { folderOf, freeName, joinPath, nameOf } from './paths.ts';
import type { Picked } from './picked-files.ts';

/** What becomes of a file whose name is taken. */
export type WhenTaken = 'replace' | 'keep-both' | 'skip';

/** One file on its way. `asking`: its name is taken, and somebody must decide. */
export interface Upload {
  readonly id: number;
  readonly path: string;
  /** Absent for a folder that has nothing in it. */
  readonly file: File | undefined;
  readonly state: 'waiting' | 'sending' | 'asking' | 'done' | 'failed' | 'cancelled' | 'skipped';
  readonly sentBytes: number;
  readonly problem?: string | undefined;
}

/** What a queue does outside of itself. */
export interface QueueDeeds {
  send: typeof upload;
  makeFolder: typeof makeFolder;
  /** Called after each stored file. */
  onStored: () => void;
}

const AT_ONCE = 2;
/** A name may be taken again between the question and the answer; not for ever. */
const MAX_COPIES = 200;
/** Of thousands of files each says often how far it is: a page that draws all of that does nothing else. */
const TELL_EVERY_MS = 60;
/** What one file met all that wait would meet: they are not sent. */
const ENDS_ALL = new Set(['quota_exceeded', 'offline', 'not_signed_in']);

/** Whether it still has to come to an end. */
export const isOpen = ({ state }: Upload): boolean => state === 'waiting' || state === 'sending' || state === 'asking';

/** Files on their way to the server, two at once. Views subscribe; nothing in it knows of React. */
export function createUploadQueue({ send, makeFolder: make, onStored }: QueueDeeds) {
  const all = new Map<number, Upload>();
  let snapshot: readonly Upload[] | undefined = [];
  let lastId = 0;
  let always: WhenTaken | undefined;
  let waiting: number[] = [];
  const taken = new Map<number, Set<string>>();
  const stops = new Map<number, AbortController>();
  const overwrites = new Set<number>();
  const listeners = new Set<() => void>();
  let telling: ReturnType<typeof setTimeout> | undefined;

  function tell() {
    telling ??= setTimeout(() => {
      telling = undefined;
      for (const listener of listeners) listener();
    }, TELL_EVERY_MS);
  }

  function set(id: number, change: Partial<Upload>) {
    const item = all.get(id);
    if (!item) return;
    all.set(id, { ...item, ...change });
    snapshot = undefined;
    if (change.state === 'waiting') waiting.push(id);
    tell();
  }

  function next() {
    while (stops.size < AT_ONCE) {
      const id = waiting.shift();
      if (id === undefined) return;
      const item = all.get(id);
      if (item?.state === 'waiting') void start(item);
    }
  }

  async function start({ id, path, file }: Upload) {
    const stop = new AbortController();
    stops.set(id, stop);
    set(id, { state: 'sending', sentBytes: 0 });
    try {
      const onProgress = (sentBytes: number) => set(id, { sentBytes });
      const { signal } = stop;
      if (file) await send({ path, body: file, overwrite: overwrites.has(id), onProgress, signal });
      else await makeOnce(path);
      set(id, { state: 'done', sentBytes: file?.size ?? 0 });
      onStored();
    } catch (error) {
      const code = error instanceof ApiError ? error.code : undefined;
      const problem = error instanceof Error ? error.message : 'It did not work.';
      if (stop.signal.aborted) set(id, { state: 'cancelled' });
      else if (code === 'exists') ask(id, path);
      else set(id, { state: 'failed', problem });
      if (code !== undefined && ENDS_ALL.has(code)) endWaiting(problem);
    } finally {
      stops.delete(id);
      next();
    }
  }

  async function makeOnce(path: string) {
    try {
      await make(path);
    } catch (error) {
      // It is there, as it was to be.
      if (!(error instanceof ApiError && error.code === 'exists')) throw error;
    }
  }

  function endWaiting(problem: string) {
    for (const id of waiting) if (all.get(id)?.state === 'waiting') set(id, { state: 'failed', problem });
    waiting = [];
  }

  function ask(id: number, path: string) {
    const names = taken.get(id) ?? new Set<string>();
    taken.set(id, names.add(nameOf(path)));
    // Somebody who wanted both copies wants the third name too, when the second is taken as well.
    const copying = names.size > 1 && names.size < MAX_COPIES;
    set(id, { state: 'asking' });
    if (copying) decide(id, 'keep-both');
    else if (always) decide(id, always);
  }

  function settle(id: number, choice: WhenTaken) {
    const item = all.get(id);
    if (item?.state !== 'asking') return;
    if (choice === 'skip') set(id, { state: 'skipped' });
    else if (choice === 'replace') {
      overwrites.add(id);
      set(id, { state: 'waiting' });
    } else {
      const name = freeName(item.file?.name ?? nameOf(item.path), taken.get(id) ?? new Set());
      set(id, { state: 'waiting', path: joinPath(folderOf(item.path), name) });
    }
  }

  function decide(id: number, choice: WhenTaken, forAll = false) {
    settle(id, choice);
    if (forAll) {
      always = choice;
      for (const other of all.keys()) settle(other, choice);
    }
    next();
  }

  function cancel(id: number) {
    stops.get(id)?.abort(new DOMException('Cancelled', 'AbortError'));
    const item = all.get(id);
    if (item?.state === 'waiting' || item?.state === 'asking') set(id, { state: 'cancelled' });
  }

  const items = (): readonly Upload[] => (snapshot ??= [...all.values()]);
  return {
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    items,
    /** Puts files behind those already waiting. A new batch asks anew what to do with taken names. */
    add(folder: string, picked: readonly Picked[]) {
      if (!items().some(isOpen)) {
        always = undefined;
        all.clear();
      }
      for (const { file, path } of picked) {
        const id = ++lastId;
        all.set(id, { id, path: joinPath(folder, path), file, state: 'waiting', sentBytes: 0 });
        waiting.push(id);
      }
      snapshot = undefined;
      next();
      tell();
    },
    decide,
    cancel(id: number) {
      cancel(id);
      next();
    },
    /** Stops what is sent and forgets what waits; what is stored stays. */
    cancelAll() {
      waiting = [];
      for (const id of all.keys()) cancel(id);
    },
    retry(id: number) {
      set(id, { state: 'waiting', problem: undefined });
      next();
    },
    /** Tries again all that failed. */
    retryAll() {
      for (const { id, state } of items()) if (state === 'failed') set(id, { state: 'waiting', problem: undefined });
      next();
    },
    /** Forgets what has ended. */
    clear() {
      for (const item of items()) if (!isOpen(item)) all.delete(item.id);
      snapshot = undefined;
      tell();
    },
  };
}

/** A queue as views use it. */
export type UploadQueue = ReturnType<typeof createUploadQueue>;
