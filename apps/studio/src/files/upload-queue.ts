import type { Root } from '../api/files.ts';
import { upload } from '../api/upload.ts';
import { ApiError } from '../api/request.ts';
import { freeName, joinPath, nameOf } from './paths.ts';

/** What becomes of a file whose name is taken. */
export type WhenTaken = 'replace' | 'keep-both' | 'skip';

/** One file on its way. `asking`: its name is taken, and somebody must decide. */
export interface Upload {
  readonly id: number;
  readonly root: Root;
  readonly path: string;
  readonly file: File;
  readonly state: 'waiting' | 'sending' | 'asking' | 'done' | 'failed' | 'cancelled' | 'skipped';
  readonly sentBytes: number;
  readonly problem?: string;
}

/** The two things a queue does outside of itself. */
export interface QueueDeeds {
  send: typeof upload;
  /** Called after each stored file. */
  onStored: (root: Root) => void;
}

const AT_ONCE = 2;
/** A name may be taken again between the question and the answer; not for ever. */
const MAX_COPIES = 200;

/** Files on their way to the server, two at once. Views subscribe; nothing in it knows of React. */
export function createUploadQueue({ send, onStored }: QueueDeeds) {
  let items: readonly Upload[] = [];
  let lastId = 0;
  let always: WhenTaken | undefined;
  const taken = new Map<number, Set<string>>();
  const stops = new Map<number, AbortController>();
  const overwrites = new Set<number>();
  const listeners = new Set<() => void>();

  function set(id: number, change: Partial<Upload>) {
    items = items.map((item) => (item.id === id ? { ...item, ...change } : item));
    for (const listener of listeners) listener();
  }

  function next() {
    const free = AT_ONCE - items.filter(({ state }) => state === 'sending').length;
    for (const item of items.filter(({ state }) => state === 'waiting').slice(0, free)) void start(item);
  }

  async function start({ id, root, path, file }: Upload) {
    const stop = new AbortController();
    stops.set(id, stop);
    set(id, { state: 'sending', sentBytes: 0 });
    try {
      const onProgress = (sentBytes: number) => set(id, { sentBytes });
      await send({ root, path, body: file, overwrite: overwrites.has(id), onProgress, signal: stop.signal });
      set(id, { state: 'done', sentBytes: file.size });
      onStored(root);
    } catch (error) {
      if (stop.signal.aborted) set(id, { state: 'cancelled' });
      else if (error instanceof ApiError && error.code === 'exists') ask(id, path);
      else set(id, { state: 'failed', problem: error instanceof Error ? error.message : 'It did not work.' });
    } finally {
      stops.delete(id);
      next();
    }
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

  function decide(id: number, choice: WhenTaken, forAll = false) {
    if (forAll) always = choice;
    const item = items.find((other) => other.id === id);
    if (item?.state !== 'asking') return;
    if (choice === 'skip') set(id, { state: 'skipped' });
    else if (choice === 'replace') {
      overwrites.add(id);
      set(id, { state: 'waiting' });
    } else {
      const folder = item.path.slice(0, item.path.length - nameOf(item.path).length).replace(/\/$/, '');
      set(id, { state: 'waiting', path: joinPath(folder, freeName(item.file.name, taken.get(id) ?? new Set())) });
    }
    if (forAll) for (const other of items) if (other.state === 'asking') decide(other.id, choice);
    next();
  }

  return {
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    items: (): readonly Upload[] => items,
    /** Puts files behind those already waiting. A new batch asks anew what to do with taken names. */
    add(root: Root, folder: string, files: readonly File[]) {
      if (!items.some(({ state }) => state === 'waiting' || state === 'sending' || state === 'asking')) {
        always = undefined;
        items = [];
      }
      items = items.concat(
        files.map((file) => {
          lastId += 1;
          return { id: lastId, root, path: joinPath(folder, file.name), file, state: 'waiting' as const, sentBytes: 0 };
        }),
      );
      next();
      for (const listener of listeners) listener();
    },
    decide,
    cancel(id: number) {
      stops.get(id)?.abort(new DOMException('Cancelled', 'AbortError'));
      const item = items.find((other) => other.id === id);
      if (item?.state === 'waiting' || item?.state === 'asking') set(id, { state: 'cancelled' });
      next();
    },
    retry(id: number) {
      set(id, { state: 'waiting', problem: undefined });
      next();
    },
    /** Forgets what has ended. */
    clear() {
      items = items.filter(({ state }) => state === 'waiting' || state === 'sending' || state === 'asking');
      for (const listener of listeners) listener();
    },
  };
}

/** A queue as views use it. */
export type UploadQueue = ReturnType<typeof createUploadQueue>;
