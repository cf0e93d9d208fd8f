import type { makeFolder } from '../api/files.ts';
import type { upload, UploadAsk } from '../api/upload.ts';
import { ApiError } from '../api/request.ts';
import { createListeners } from '../listeners.ts';
import { folderOf, freeName, joinPath, nameOf } from './paths.ts';
import type { Picked } from './picked-files.ts';

/** The choice for a file whose name is taken. */
export type WhenTaken = 'replace' | 'keep-both' | 'skip';

/** Why a person must decide: the name is taken, or the trash cannot keep the file to replace. */
export type Question = 'exists' | 'not_undoable';

/** A file that was replaced, and the id that restores its old content. */
export interface Replaced {
  readonly path: string;
  readonly undo: string;
}

/** One file on its way. `asking`: a person must decide, see `question`. */
export interface Upload {
  readonly id: number;
  readonly path: string;
  /** Absent for a folder that has nothing in it. */
  readonly file: File | undefined;
  readonly state: 'waiting' | 'sending' | 'asking' | 'done' | 'failed' | 'cancelled' | 'skipped';
  readonly sentBytes: number;
  readonly question?: Question;
  readonly problem?: string | undefined;
  /** The server refuses the file under this name, so another try fails too. */
  readonly isRefused?: boolean;
}

/** The side effects of a queue. */
export interface QueueActions {
  send: typeof upload;
  makeFolder: typeof makeFolder;
  /** Called after each stored file. */
  onStored: () => void;
  /** Called when no upload is open any more, if files were replaced whose old content is kept. */
  onReplaced: (replaced: readonly Replaced[]) => void;
}

const AT_ONCE = 2;
/** Most names that a copy tries: each free name may be taken before the upload arrives. */
const MAX_COPIES = 200;
/** Throttles notifications: with thousands of files, a page that renders each step does nothing else. */
const TELL_EVERY_MS = 60;
/** Errors that every waiting file would get too. The queue does not send those files. */
const ENDS_ALL = new Set(['quota_exceeded', 'offline', 'not_signed_in']);
/** Errors that the same file gets again under the same name. */
const REFUSED = new Set(['denied', 'invalid', 'too_large']);

/** Whether the upload is not finished yet. */
export const isOpen = ({ state }: Upload): boolean => state === 'waiting' || state === 'sending' || state === 'asking';

/** Whether another try of a failed upload may succeed. */
export const mayRetry = ({ state, isRefused }: Upload): boolean => state === 'failed' && isRefused !== true;

/** Files on their way to the server, two at once. Views subscribe; nothing in it knows of React. */
export function createUploadQueue({ send, makeFolder: make, onStored, onReplaced }: QueueActions) {
  const all = new Map<number, Upload>();
  let snapshot: readonly Upload[] | undefined = [];
  let lastId = 0;
  const always = new Map<Question, WhenTaken>();
  let waiting: number[] = [];
  const taken = new Map<number, Set<string>>();
  const stops = new Map<number, AbortController>();
  const overwrites = new Map<number, { permanent: boolean }>();
  let replaced: Replaced[] = [];
  const listeners = createListeners();
  let notifying: ReturnType<typeof setTimeout> | undefined;

  function notify() {
    notifying ??= setTimeout(() => {
      notifying = undefined;
      listeners.notify();
    }, TELL_EVERY_MS);
  }

  function set(id: number, change: Partial<Upload>) {
    const item = all.get(id);
    if (!item) return;
    all.set(id, { ...item, ...change });
    snapshot = undefined;
    if (change.state === 'waiting') waiting.push(id);
    notify();
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
      if (file) await store(id, path, file, { onProgress, signal });
      else await makeOnce(path);
      set(id, { state: 'done', sentBytes: file?.size ?? 0 });
      onStored();
    } catch (error) {
      const code = error instanceof ApiError ? error.code : undefined;
      const problem = error instanceof Error ? error.message : 'The upload failed. Try again.';
      if (stop.signal.aborted) set(id, { state: 'cancelled' });
      else if (code === 'exists' || code === 'not_undoable') ask(id, path, code);
      else set(id, { state: 'failed', problem, isRefused: code !== undefined && REFUSED.has(code) });
      if (code !== undefined && ENDS_ALL.has(code)) endWaiting(problem);
    } finally {
      stops.delete(id);
      next();
      reportReplaced();
    }
  }

  async function store(id: number, path: string, body: File, watch: Pick<UploadAsk, 'onProgress' | 'signal'>) {
    const overwrite = overwrites.get(id);
    const permanent = overwrite?.permanent ?? false;
    const { undo } = await send({ path, body, overwrite: overwrite !== undefined, permanent, ...watch });
    if (overwrite && undo !== undefined) replaced.push({ path, undo });
  }

  function reportReplaced() {
    if (replaced.length === 0 || items().some(isOpen)) return;
    const ended = replaced;
    replaced = [];
    onReplaced(ended);
  }

  async function makeOnce(path: string) {
    try {
      await make(path);
    } catch (error) {
      // The folder exists already.
      if (!(error instanceof ApiError && error.code === 'exists')) throw error;
    }
  }

  function endWaiting(problem: string) {
    for (const id of waiting) if (all.get(id)?.state === 'waiting') set(id, { state: 'failed', problem });
    waiting = [];
  }

  function ask(id: number, path: string, question: Question) {
    set(id, { state: 'asking', question });
    const choice = always.get(question);
    if (question === 'not_undoable') {
      if (choice) decide(id, choice);
      return;
    }
    const names = taken.get(id) ?? new Set<string>();
    taken.set(id, names.add(nameOf(path)));
    // A person who chose to keep both files also wants the third name if the second is taken.
    const copying = names.size > 1 && names.size < MAX_COPIES;
    if (copying) decide(id, 'keep-both');
    else if (choice) decide(id, choice);
  }

  function settle(id: number, choice: WhenTaken, question: Question | undefined) {
    const item = all.get(id);
    if (item?.state !== 'asking' || item.question !== question) return;
    if (choice === 'skip') set(id, { state: 'skipped' });
    else if (choice === 'replace') {
      overwrites.set(id, { permanent: question === 'not_undoable' });
      set(id, { state: 'waiting' });
    } else {
      overwrites.delete(id);
      const name = freeName(item.file?.name ?? nameOf(item.path), taken.get(id) ?? new Set());
      set(id, { state: 'waiting', path: joinPath(folderOf(item.path), name) });
    }
  }

  function decide(id: number, choice: WhenTaken, forAll = false) {
    const question = all.get(id)?.question;
    settle(id, choice, question);
    if (forAll && question) {
      always.set(question, choice);
      for (const other of all.keys()) settle(other, choice, question);
    }
    next();
    reportReplaced();
  }

  function cancel(id: number) {
    stops.get(id)?.abort(new DOMException('Cancelled', 'AbortError'));
    const item = all.get(id);
    if (item?.state === 'waiting' || item?.state === 'asking') set(id, { state: 'cancelled' });
  }

  const items = (): readonly Upload[] => (snapshot ??= [...all.values()]);
  return {
    subscribe: listeners.subscribe,
    items,
    /** Appends files to the queue. A new batch asks again what to do with taken names. */
    add(folder: string, picked: readonly Picked[]) {
      if (!items().some(isOpen)) {
        always.clear();
        all.clear();
      }
      for (const { file, path } of picked) {
        const id = ++lastId;
        all.set(id, { id, path: joinPath(folder, path), file, state: 'waiting', sentBytes: 0 });
        waiting.push(id);
      }
      snapshot = undefined;
      next();
      notify();
    },
    decide,
    cancel(id: number) {
      cancel(id);
      next();
      reportReplaced();
    },
    /** Cancels the running and the waiting uploads. Stored files stay. */
    cancelAll() {
      waiting = [];
      for (const id of all.keys()) cancel(id);
      reportReplaced();
    },
    retry(id: number) {
      set(id, { state: 'waiting', problem: undefined });
      next();
    },
    /** Retries all failed uploads that may succeed. */
    retryAll() {
      for (const item of items()) if (mayRetry(item)) set(item.id, { state: 'waiting', problem: undefined });
      next();
    },
    /** Removes finished uploads from the list. */
    clear() {
      for (const item of items()) if (!isOpen(item)) all.delete(item.id);
      snapshot = undefined;
      notify();
    },
  };
}

/** The queue that views use. */
export type UploadQueue = ReturnType<typeof createUploadQueue>;
