import { dirname } from 'node:path';
import { type Activity, openActivity, type PendingRecord, reconcile } from '@croft/tools';
import { makeDirs, openWorkspace, resolveNamespace, type Workspace } from '@croft/workspace';
import { createUsage } from './usage.ts';

/** Which of a caller's two places is meant. */
export type RootName = 'mine' | 'shared';

/** A namespace that is open: its workspace, and the log and trash that go with it. */
export interface Namespace {
  readonly root: RootName;
  readonly workspace: Workspace;
  readonly activity: Activity;
  /** Bytes held now; takes as long as a walk through all files. */
  usedBytes(): Promise<number>;
  /** Tells that something in it changed. */
  changed(): void;
}

/** The namespaces of a server, each opened once: quota, trash and log are the same whichever way a caller comes. */
export interface Namespaces {
  /** The caller's own files: `users/<hash>`, found by the id alone. */
  mineOf(userId: string): Namespace;
  /** The files everybody on this server shares. */
  shared(): Namespace;
  readonly limitBytes: number | null;
  close(): void;
}

export interface NamespaceOptions {
  readonly baseDir: string;
  readonly quotaBytes: number | undefined;
  /** Of each trash; by the quota or the free disk unless set. */
  readonly trashBytes: number | undefined;
  readonly onChange: (root: RootName, userId: string | undefined) => void;
}

const MAX_OPEN = 256;
/** A call may still be using what is no longer among the newest. */
const CLOSE_AFTER_MS = 120_000;

/** Opens namespaces as they are asked for and keeps the ones used last. */
export function createNamespaces({ baseDir, quotaBytes, trashBytes, onChange }: NamespaceOptions): Namespaces {
  const opened = new Map<string, Namespace>();
  const find = (key: string, open: () => Namespace): Namespace => {
    const known = opened.get(key);
    opened.delete(key);
    const namespace = known ?? open();
    opened.set(key, namespace);
    if (opened.size > MAX_OPEN) {
      const [oldest, stale] = opened.entries().next().value as [string, Namespace];
      opened.delete(oldest);
      setTimeout(() => closeNamespace(stale), CLOSE_AFTER_MS).unref();
    }
    return namespace;
  };
  const open = (root: RootName, userId: string | undefined): Namespace => {
    const env = { CROFT_BASE_DIR: baseDir, CROFT_AUTO_LOGIN: root === 'shared' ? 'true' : 'false' };
    const { root: directory } = resolveNamespace(root === 'shared' ? { env } : { userId, forceIsolation: true, env });
    const activity = openActivity(baseDir, directory);
    makeDirs(dirname(activity.trashDir));
    const workspace = openWorkspace(directory, {
      baseDir,
      trashDir: activity.trashDir,
      ...(trashBytes !== undefined && { trashLimits: { maxBytes: trashBytes } }),
      ...(quotaBytes !== undefined && { quota: { maxBytes: quotaBytes } }),
    });
    reconcile(workspace, activity);
    const usage = createUsage(async () => (await workspace.usage()).bytes);
    const changed = () => {
      usage.changed();
      onChange(root, userId);
    };
    return {
      root,
      workspace,
      activity: {
        ...activity,
        begin: (call) => announced(activity.begin(call), changed),
      },
      usedBytes: () => usage.bytes(),
      changed,
    };
  };
  return {
    mineOf: (userId) => find(`user ${userId}`, () => open('mine', userId)),
    shared: () => find('shared', () => open('shared', undefined)),
    limitBytes: quotaBytes ?? null,
    close() {
      for (const namespace of opened.values()) closeNamespace(namespace);
      opened.clear();
    },
  };
}

/** A record that calls `changed` when its call ends with changes. */
function announced(record: PendingRecord, changed: () => void): PendingRecord {
  return {
    get id() {
      return record.id;
    },
    intend: (changes, fields) => record.intend(changes, fields),
    done: () => record.done(),
    withdraw: () => record.withdraw(),
    finish(call, fields) {
      if ((call.changes?.length ?? 0) > 0) changed();
      record.finish(call, fields);
    },
  };
}

function closeNamespace({ workspace, activity }: Namespace): void {
  workspace.close();
  activity.close();
}
