import { type Count, countSmallTree, countTree, MAX_COUNTED_DEPTH } from './count-tree.ts';
import { NotYet, WorkspaceError } from './errors.ts';
import { createPace } from './pace.ts';
import type { Root } from './resolve/root.ts';

/** How much a workspace may hold. */
export interface QuotaLimits {
  readonly maxBytes?: number;
  readonly maxFiles?: number;
}

/** Keeps count of what a workspace holds, to refuse a write before it lands. */
export interface Quota {
  /**
   * @throws WorkspaceError `quota` when the change would pass a limit. Counts again before it refuses.
   * @throws NotYet while a large workspace is counted
   */
  reserve(addedBytes: number, addedFiles: number): void;
  /** Something was deleted or moved: nothing is refused before the next count. */
  changed(): void;
  /** Something else wrote here: the next write counts again. */
  outdated(): void;
}

/** Other programs write here too, so a count is trusted only this long. */
const RECOUNT_MS = 10_000;
/** A count that is this young says what is there now. */
const FRESH_MS = 1_000;
/** So many entries are counted at once: less than a slice or two. */
const AT_ONCE = 200;

interface Known extends Count {
  at: number;
}

/**
 * A quota over one workspace. The count is kept between writes. It is taken again, in slices, when it is old or when it
 * would refuse; a write waits for it only when there is none yet or when it would refuse.
 */
export function createQuota(limits: QuotaLimits, root: Root): Quota {
  let known: Known | undefined;
  let counting: Promise<void> | undefined;
  // Reserved since the running count began, which may have passed those places before.
  let meanwhile = { bytes: 0, files: 0 };
  let isOutdated = false;
  const startCount = (): Promise<void> => {
    counting ??= (async () => {
      meanwhile = { bytes: 0, files: 0 };
      isOutdated = false;
      const release = root.hold();
      try {
        const count = await countTree(root.dir, createPace());
        known = { ...count, at: Date.now() };
        known.bytes += meanwhile.bytes;
        known.files += meanwhile.files;
      } catch {
        // The next reserve starts another count.
      } finally {
        release();
        counting = undefined;
      }
    })();
    return counting;
  };
  const countNow = (): Known => {
    const count = countSmallTree(root.dir, AT_ONCE);
    if (!count) throw new NotYet('The files of this workspace are being counted; try again in a moment', startCount());
    known = { ...count, at: Date.now() };
    return known;
  };
  const fits = (held: Count, bytes: number, files: number) =>
    (bytes <= 0 || limits.maxBytes === undefined || held.bytes + bytes <= limits.maxBytes) &&
    (files <= 0 || limits.maxFiles === undefined || held.files + files <= limits.maxFiles);
  let changedAt = 0;
  const isFresh = ({ at }: Known) => Date.now() - at < FRESH_MS && at > changedAt;
  return {
    changed() {
      changedAt = Date.now();
    },
    outdated() {
      isOutdated = true;
      changedAt = Date.now();
    },
    reserve(addedBytes, addedFiles) {
      let held = known ?? countNow();
      if (isOutdated || Date.now() - held.at >= RECOUNT_MS) {
        const count = countSmallTree(root.dir, AT_ONCE);
        if (count) {
          held = known = { ...count, at: Date.now() };
          isOutdated = false;
        } else void startCount();
      }
      const grows = addedBytes > 0 || addedFiles > 0;
      const isRefused = (by: Known) => !fits(by, addedBytes, addedFiles) || (by.tooDeep && grows);
      if (isRefused(held)) {
        const count = countSmallTree(root.dir, AT_ONCE);
        if (count) held = known = { ...count, at: Date.now() };
        else if (!isFresh(held)) countNow();
      }
      if (held.tooDeep && grows) throw uncountable();
      if (!fits(held, addedBytes, addedFiles)) throw exceeded(limits, held, addedBytes, addedFiles);
      held.bytes += addedBytes;
      held.files += addedFiles;
      meanwhile.bytes += addedBytes;
      meanwhile.files += addedFiles;
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

function uncountable(): WorkspaceError {
  return new WorkspaceError(
    'quota',
    `Quota cannot be counted: directories are nested more than ${MAX_COUNTED_DEPTH} levels. Move or delete inner ones first.`,
  );
}
