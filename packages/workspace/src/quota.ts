import { closeSync, lstatSync, openSync, readdirSync } from 'node:fs';
import { constants } from 'node:fs';
import { errnoOf, WorkspaceError } from './errors.ts';
import type { Dir } from './resolve/dir.ts';
import { isTempName } from './temp-name.ts';

/** How much a workspace may hold. */
export interface QuotaLimits {
  readonly maxBytes?: number;
  readonly maxFiles?: number;
}

/** Keeps count of what a workspace holds, to refuse a write before it lands. */
export interface Quota {
  /** @throws WorkspaceError `quota` when the change would pass a limit. Counts again before it refuses. */
  reserve(root: Dir, addedBytes: number, addedFiles: number): void;
  /** What is held now, counting afresh. */
  usage(root: Dir): { bytes: number; files: number };
}

/** Other programs write here too, so a count is trusted only this long. */
const RECOUNT_MS = 10_000;

/** A quota over one workspace. The count is kept between writes and taken again when old or when it would refuse. */
export function createQuota(limits: QuotaLimits): Quota {
  let known: (Count & { at: number }) | undefined;
  const count = (root: Dir) => {
    known = { ...countTree(root), at: Date.now() };
    return known;
  };
  const fits = (held: Count, bytes: number, files: number) =>
    (bytes <= 0 || limits.maxBytes === undefined || held.bytes + bytes <= limits.maxBytes) &&
    (files <= 0 || limits.maxFiles === undefined || held.files + files <= limits.maxFiles);
  return {
    reserve(root, addedBytes, addedFiles) {
      let held = known && Date.now() - known.at < RECOUNT_MS ? known : count(root);
      if (!fits(held, addedBytes, addedFiles)) held = count(root);
      if (held.tooDeep && (addedBytes > 0 || addedFiles > 0)) {
        held = count(root);
        if (held.tooDeep) throw uncountable();
      }
      if (!fits(held, addedBytes, addedFiles)) throw exceeded(limits, held, addedBytes, addedFiles);
      held.bytes += addedBytes;
      held.files += addedFiles;
    },
    usage(root) {
      const { bytes, files } = count(root);
      return { bytes, files };
    },
  };
}

function exceeded(
  limits: QuotaLimits,
  held: { bytes: number; files: number },
  bytes: number,
  files: number,
): WorkspaceError {
  const overBytes = limits.maxBytes !== undefined && bytes > 0 && held.bytes + bytes > limits.maxBytes;
  const message = overBytes
    ? `Quota exceeded: ${held.bytes} of ${limits.maxBytes} bytes are used and this needs ${bytes} more. Delete files first.`
    : `Quota exceeded: ${held.files} of ${limits.maxFiles} files exist and this adds ${files}. Delete files first.`;
  return new WorkspaceError('quota', message);
}

/** A path cannot be made this deep, but directories can be moved into each other. */
const MAX_DEPTH = 256;

function uncountable(): WorkspaceError {
  return new WorkspaceError(
    'quota',
    `Quota cannot be counted: directories are nested more than ${MAX_DEPTH} levels. Move or delete inner ones first.`,
  );
}

interface Count {
  bytes: number;
  files: number;
  /** Something lies too deep to be looked into. */
  tooDeep: boolean;
}

/** Sums regular files below `root` without following links. */
function countTree(root: Dir): Count {
  const total = { bytes: 0, files: 0, tooDeep: false };
  const visit = (path: string, depth: number) => {
    let entries: ReturnType<typeof readEntries>;
    try {
      entries = readEntries(path);
    } catch {
      return;
    }
    for (const entry of entries) {
      const child = `${path}/${entry.name}`;
      if (entry.isFile()) {
        // On its way to a name, where it is counted: an upload must not stand in its own way.
        if (isTempName(entry.name)) continue;
        const stat = lstatSync(child, { throwIfNoEntry: false });
        if (!stat) continue;
        total.files++;
        total.bytes += stat.size;
      } else if (entry.isDirectory()) {
        if (depth >= MAX_DEPTH) {
          total.tooDeep = true;
          continue;
        }
        const fd = openNoFollow(child);
        if (fd === undefined) continue;
        try {
          visit(root.fd >= 0 ? `/proc/self/fd/${fd}` : child, depth + 1);
        } finally {
          closeSync(fd);
        }
      }
    }
  };
  visit(root.self, 0);
  return total;
}

function readEntries(path: string) {
  return readdirSync(path, { withFileTypes: true });
}

function openNoFollow(path: string): number | undefined {
  try {
    return openSync(path, constants.O_RDONLY | (constants.O_DIRECTORY ?? 0) | (constants.O_NOFOLLOW ?? 0));
  } catch (error) {
    if (errnoOf(error)) return undefined;
    throw error;
  }
}
