import { type Count, countSmallTree, countTree, MAX_COUNTED_DEPTH } from './count-tree.ts';
import { NotYet, WorkspaceError } from './errors.ts';
import { createPace } from './pace.ts';
import { openLedger, type Reserved } from './quota-ledger.ts';
import type { Root } from './resolve/root.ts';

/** How much a workspace may hold. */
export interface QuotaLimits {
  readonly maxBytes?: number;
  readonly maxFiles?: number;
  /** `LEDGER_BYTES` of zeros, for the reservations of all threads that write to the workspace. Only this one does if absent. */
  readonly ledger?: BigInt64Array;
}

/** Keeps count of what a workspace holds, to refuse a write before it lands. */
export interface Quota {
  /**
   * Reserves what a write adds. Call the result when its bytes are in place, or will not be: until then they count on top of
   * what a walk finds.
   *
   * @throws WorkspaceError `quota` when the change would pass a limit. Counts again before it refuses.
   * @throws NotYet while a large workspace is counted
   */
  reserve(addedBytes: number, addedFiles: number): () => void;
  /** Something was deleted or moved: nothing is refused before the next count. */
  changed(): void;
}

/** Other programs write here too, so a count is trusted only this long. */
const RECOUNT_MS = 10_000;
/** A count that is this young says what is there now. */
const FRESH_MS = 1_000;
/** So many entries are counted at once: less than a slice or two. */
const AT_ONCE = 200;

interface Known extends Count {
  readonly at: number;
  /** Reservations that had ended when the walk began. It may not have seen the others. */
  readonly ended: Reserved;
}

/**
 * A quota over one workspace. It knows the last count and all that was reserved since. The count is taken again, in slices,
 * when it is old or when it would refuse; a write waits for it only when there is none yet or when it would refuse.
 */
export function createQuota(limits: QuotaLimits, root: Root): Quota {
  const ledger = openLedger(limits.ledger);
  let known: Known | undefined;
  let counting: Promise<void> | undefined;
  const startCount = (): Promise<void> => {
    counting ??= (async () => {
      const release = root.hold();
      const ended = ledger.ended();
      try {
        known = { ...(await countTree(root.dir.self, createPace())), at: Date.now(), ended };
      } catch {
        // The next reserve starts another count.
      } finally {
        release();
        counting = undefined;
      }
    })();
    return counting;
  };
  /** Counts a small workspace. Gives whether it is small. */
  const countSmall = (): boolean => {
    const ended = ledger.ended();
    const count = countSmallTree(root.dir, AT_ONCE);
    if (count) known = { ...count, at: Date.now(), ended };
    return count !== undefined;
  };
  const notYet = () => new NotYet('The files of this workspace are being counted; try again in a moment', startCount());
  const held = (): Count => {
    const { bytes, files, tooDeep, ended } = known as Known;
    const begun = ledger.begun();
    return {
      bytes: bytes + Number(begun.bytes - ended.bytes),
      files: files + Number(begun.files - ended.files),
      tooDeep,
    };
  };
  const fits = (by: Count, bytes: number, files: number) =>
    (bytes <= 0 || limits.maxBytes === undefined || by.bytes + bytes <= limits.maxBytes) &&
    (files <= 0 || limits.maxFiles === undefined || by.files + files <= limits.maxFiles);
  let changedAt = 0;
  const isFresh = () => known !== undefined && Date.now() - known.at < FRESH_MS && known.at > changedAt;
  const changed = () => {
    changedAt = Date.now();
  };
  const requireRoom = (addedBytes: number, addedFiles: number): void => {
    if (known === undefined && !countSmall()) throw notYet();
    if (Date.now() - (known as Known).at >= RECOUNT_MS && !countSmall()) void startCount();
    const grows = addedBytes > 0 || addedFiles > 0;
    const by = held();
    if ((!fits(by, addedBytes, addedFiles) || (by.tooDeep && grows)) && !countSmall() && !isFresh()) throw notYet();
    const now = held();
    if (now.tooDeep && grows) throw uncountable();
    if (!fits(now, addedBytes, addedFiles)) throw exceeded(limits, now, addedBytes, addedFiles);
  };
  return {
    changed,
    reserve(addedBytes, addedFiles) {
      const [bytes, files] = [Math.max(0, addedBytes), Math.max(0, addedFiles)];
      for (;;) {
        const since = ledger.begun().bytes;
        requireRoom(addedBytes, addedFiles);
        if (ledger.begin(bytes, files, since)) break;
      }
      return () => {
        ledger.end(bytes, files);
        // A file that becomes shorter is subtracted by the next count only: it may not have got its place.
        if (addedBytes < 0) changed();
      };
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
