import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import { type Activity, openActivity, type PendingRecord, reconcile } from '@croft/tools';
import {
  findNamespace,
  makeDirs,
  type NamespaceRequest,
  openWorkspace,
  osReason,
  type QuotaLimits,
  resolveNamespace,
  type Workspace,
  WorkspaceError,
} from '@croft/workspace';
import { createQuotaLedgers, ledgerOf } from './quota-ledgers.ts';
import { createUsage } from './usage.ts';

/** A user's own files, or those all users share. */
export type RootName = 'mine' | 'shared';

/** A namespace that is open: its workspace, and the log and trash that go with it. */
export interface Namespace {
  readonly root: RootName;
  /** Of its directory. The same directory may be opened again while an upload or a run still uses it as it was opened before. */
  readonly identity: { readonly dev: number; readonly ino: number };
  readonly workspace: Workspace;
  /** The same files without the right to change them. */
  readonly readOnly: Workspace;
  readonly activity: Activity;
  /** For other workspaces on the same directory. */
  readonly quota: QuotaLimits | undefined;
  /** Bytes held now; takes as long as a walk through all files. */
  usedBytes(): Promise<number>;
  /** Emits that something in it changed. */
  changed(): void;
}

/**
 * The namespaces of a server, each opened once: quota, trash and log are the same whichever way a caller comes. Every
 * call resolves the directory again and makes it when it is missing, so a tree that was moved away gets no more writes.
 */
export interface Namespaces {
  /** The user's own files: `users/<hash>`, found by the id alone. @throws WorkspaceError `unavailable` */
  mineOf(userId: string): Namespace;
  /** The same, or `undefined` while nothing was written there. Makes nothing. @throws WorkspaceError `unavailable` */
  existingMineOf(userId: string): Namespace | undefined;
  /** The files all users share. @throws WorkspaceError `unavailable` */
  shared(): Namespace;
  readonly limitBytes: number | null;
  /** For the namespaces of another thread. See `quota-ledgers.ts`. */
  readonly ledgers: SharedArrayBuffer;
  /** Another thread changed files of the user, or of all: counts of before refuse nothing. */
  changedElsewhere(userId: string | undefined): void;
  close(): void;
}

export interface NamespaceOptions {
  readonly baseDir: string;
  readonly quotaBytes: number | undefined;
  /** Of the namespaces of another thread; own ones if absent. */
  readonly ledgers?: SharedArrayBuffer | undefined;
  /** Of each trash; by the quota or the free disk unless set. */
  readonly trashBytes: number | undefined;
  /** Called after each change; `undefined` for the files all users share. */
  readonly onChange: (userId: string | undefined) => void;
}

const MAX_OPEN = 256;
/**
 * Uploads and runs may still use a namespace after others took its place: a direct run takes up to ten minutes. An open namespace
 * holds two descriptors and 50 KB.
 */
const CLOSE_AFTER_MS = 15 * 60_000;

interface Opened {
  readonly namespace: Namespace;
  /** Undefined for the files all users share. */
  readonly userId: string | undefined;
  changedElsewhere(): void;
  close(): void;
}

/** Opens namespaces as they are asked for and keeps the ones used last. */
export function createNamespaces(options: NamespaceOptions): Namespaces {
  const { baseDir, quotaBytes, ledgers = createQuotaLedgers() } = options;
  const opened = new Map<string, Opened>();
  /** Not among the newest any more, and not closed yet. */
  const retired = new Map<string, { readonly stale: Opened; readonly timer: NodeJS.Timeout }>();
  const retire = (directory: string, stale: Opened) => {
    opened.delete(directory);
    const timer = setTimeout(() => {
      if (retired.get(directory)?.stale === stale) retired.delete(directory);
      stale.close();
    }, CLOSE_AFTER_MS).unref();
    retired.set(directory, { stale, timer });
  };
  const takeBack = (directory: string): Opened | undefined => {
    const { stale, timer } = retired.get(directory) ?? {};
    clearTimeout(timer);
    retired.delete(directory);
    return stale;
  };
  const retireOldest = () => {
    const [oldest] = opened;
    if (opened.size > MAX_OPEN && oldest) retire(...oldest);
  };
  const open = (root: RootName, userId: string | undefined): Namespace => {
    let directory: string | undefined;
    try {
      directory = resolveNamespace(requestFor(baseDir, root, userId)).root;
      const known = opened.get(directory) ?? takeBack(directory);
      const { dev, ino } = statSync(directory);
      if (known !== undefined && isSame(known.namespace.identity, { dev, ino })) {
        // The most recently used comes last.
        opened.delete(directory);
        opened.set(directory, known);
        retireOldest();
        return known.namespace;
      }
      if (known) retire(directory, known);
      const fresh = openNamespace({ directory, dev, ino }, root, userId, { ...options, ledgers });
      opened.set(directory, { ...fresh, userId });
      retireOldest();
      return fresh.namespace;
    } catch (error) {
      throw unopened(error, directory, baseDir);
    }
  };
  return {
    mineOf: (userId) => open('mine', userId),
    existingMineOf: (userId) =>
      findNamespace(requestFor(baseDir, 'mine', userId)).exists ? open('mine', userId) : undefined,
    shared: () => open('shared', undefined),
    limitBytes: quotaBytes ?? null,
    ledgers,
    changedElsewhere(userId) {
      for (const each of opened.values()) if (each.userId === userId) each.changedElsewhere();
    },
    close() {
      for (const { close } of opened.values()) close();
      for (const { stale, timer } of retired.values()) {
        clearTimeout(timer);
        stale.close();
      }
      opened.clear();
      retired.clear();
    },
  };
}

/** A record that calls `changed` when its call ends with changes. */
function announced(record: PendingRecord, changed: () => void): PendingRecord {
  let isDone = false;
  return {
    get id() {
      return record.id;
    },
    intend: (changes, fields) => record.intend(changes, fields),
    done: () => {
      isDone = true;
      record.done();
    },
    withdraw: () => record.withdraw(),
    finish(call, fields) {
      // An act that failed and could not be taken back as a whole ends without changes.
      const isLeft = isDone && call.outcome !== 'ok';
      if (isLeft || (call.changes?.length ?? 0) > 0) changed();
      record.finish(call, fields);
    },
  };
}

function requestFor(baseDir: string, root: RootName, userId: string | undefined): NamespaceRequest {
  const env = { CROFT_BASE_DIR: baseDir, CROFT_AUTO_LOGIN: root === 'shared' ? 'true' : 'false' };
  return root === 'shared' ? { env } : { userId, forceIsolation: true, env };
}

type Identity = Namespace['identity'];

/** Whether two namespaces are the same directory, even if it was opened twice. */
export const isSame = (one: Identity, other: Identity): boolean => one.dev === other.dev && one.ino === other.ino;

function openNamespace(
  { directory, ...identity }: Identity & { readonly directory: string },
  root: RootName,
  userId: string | undefined,
  { baseDir, quotaBytes, ledgers, trashBytes, onChange }: NamespaceOptions & { readonly ledgers: SharedArrayBuffer },
): Omit<Opened, 'userId'> {
  const quota = quotaBytes === undefined ? undefined : { maxBytes: quotaBytes, ledger: ledgerOf(ledgers, directory) };
  const activity = openActivity(baseDir, directory);
  makeDirs(dirname(activity.trashDir));
  const workspace = openWorkspace(directory, {
    baseDir,
    trashDir: activity.trashDir,
    ...(trashBytes !== undefined && { trashLimits: { maxBytes: trashBytes } }),
    ...(quota && { quota }),
  });
  reconcile(workspace, activity);
  let readOnly: Workspace | undefined;
  const usage = createUsage(async () => (await workspace.usage()).bytes);
  const changed = () => {
    usage.changed();
    onChange(userId);
  };
  const namespace: Namespace = {
    root,
    identity,
    workspace,
    get readOnly() {
      readOnly ??= openWorkspace(directory, { baseDir, readOnly: true });
      return readOnly;
    },
    activity: {
      ...activity,
      begin: (call) => announced(activity.begin(call), changed),
    },
    quota,
    usedBytes: () => usage.bytes(),
    changed,
  };
  const close = () => {
    workspace.close();
    readOnly?.close();
    activity.close();
  };
  const changedElsewhere = () => {
    usage.changed();
    workspace.recount();
  };
  return { namespace, changedElsewhere, close };
}

/** Why a namespace cannot be opened, always with the setting to look at; host paths are for the operator only. */
function unopened(error: unknown, directory: string | undefined, baseDir: string): WorkspaceError {
  if (error instanceof WorkspaceError && error.message.includes('CROFT_BASE_DIR')) return error;
  const reason = error instanceof WorkspaceError ? error.message : osReason(error);
  const operatorReason = error instanceof WorkspaceError ? error.operatorMessage : reason;
  return new WorkspaceError('unavailable', `Cannot open the files: ${reason}. Check CROFT_BASE_DIR.`, {
    operatorMessage: `Cannot open the files at ${directory ?? baseDir}: ${operatorReason}. Check CROFT_BASE_DIR (${baseDir}).`,
    cause: error,
  });
}
