import { type Enclosure, requireWritable } from '../enclosure.ts';
import { WorkspaceError } from '../errors.ts';
import { type Located, locate } from '../resolve/locate.ts';
import { versionOf } from '../text/version.ts';
import { type CallOptions, forCall } from './for-call.ts';
import { maybeHeld, Outdated, untilCurrent } from './outdated.ts';
import { replaceFile } from './replace.ts';
import type { Replaced } from './place-temp.ts';

/** The result of a write. */
export interface WriteOutcome extends Replaced {
  readonly bytesWritten: number;
}

export interface WriteOptions extends CallOptions {
  /** The version the caller last saw, or `'absent'` for a file it believes not to exist. */
  readonly expectedVersion?: string | undefined;
}

/**
 * Creates or replaces a file, making missing parent directories. All or nothing.
 *
 * @throws WorkspaceError `too_large`, `is_directory`, `not_regular`, `hard_linked`, `mounted`, `changed`,
 *   `not_undoable`, `quota`, `busy` (also `NotYet`), `io`, `read_only`, and those of `locate`
 */
export function writeFile(
  enclosure: Enclosure,
  path: string,
  content: string | Uint8Array,
  options: WriteOptions = {},
): WriteOutcome {
  requireWritable(enclosure);
  const bytes = typeof content === 'string' ? Buffer.from(content, 'utf8') : content;
  const limit = enclosure.limits.maxFileBytes;
  if (bytes.length > limit) throw contentTooLarge(bytes.length, limit);
  const called = forCall(enclosure, options);
  return atReplaceable(called, path, options.expectedVersion, (place, accept) => ({
    ...replaceFile(called, place, bytes, accept),
    bytesWritten: bytes.length,
  }));
}

/** The refusal of content above a limit, both in bytes. */
export function contentTooLarge(bytes: number, limit: number): WorkspaceError {
  return new WorkspaceError('too_large', `Content size ${bytes} exceeds limit of ${limit} bytes`);
}

/**
 * Locates a file that a call creates or replaces, and runs `put` on it; again where the place changed in a way that matters.
 *
 * @param put gets `accept`, which refuses a file that may not be replaced
 */
export function atReplaceable<T>(
  enclosure: Enclosure,
  path: string,
  expectedVersion: string | undefined,
  put: (place: Located, accept: (now: Located) => void) => T,
): T {
  const accept = (now: Located) => {
    requireReplaceable(enclosure, now);
    requireVersion(now, expectedVersion);
  };
  return atPlace(enclosure, path, (place) => {
    accept(place);
    return put(place, accept);
  });
}

/** Locates a file that may be missing, makes its parents, and runs `act`; again where the place changed in a way that matters. */
export function atPlace<T>(enclosure: Enclosure, path: string, act: (place: Located) => T): T {
  return untilCurrent((hold) => {
    const found = locate(enclosure, path, { makeParents: true });
    try {
      return maybeHeld(enclosure.root, found, hold, act);
    } catch (error) {
      found.unmake();
      throw outdatedIfAppeared(error);
    } finally {
      found.close();
    }
  });
}

/** Something that appeared where nothing was is looked at and replaced like any other file. */
function outdatedIfAppeared(error: unknown): unknown {
  return error instanceof WorkspaceError && error.code === 'exists' ? new Outdated() : error;
}

/** Only a regular file with one name may be replaced: with a second name, the other would keep the old content. */
export function requireReplaceable(enclosure: Enclosure, found: Located): void {
  const { stat, path } = found;
  if (!stat) return;
  if (stat.isDirectory()) throw new WorkspaceError('is_directory', `Path is a directory, not a file: ${path.written}`);
  if (!stat.isFile()) throw new WorkspaceError('not_regular', `Not a regular file: ${path.written}`);
  // A name the trash keeps is about to be the only one.
  if (stat.nlink > 1 && stat.nlink - (enclosure.trash?.namesOf(stat) ?? 0) > 1) {
    throw new WorkspaceError('hard_linked', `Refusing to operate on multi-hardlink file (nlink=${stat.nlink})`);
  }
}

/** @throws WorkspaceError `changed` with both versions */
export function requireVersion(found: Located, expected: string | undefined): void {
  if (expected === undefined) return;
  const actual = found.stat ? versionOf(found.stat) : 'absent';
  if (actual === expected) return;
  throw new WorkspaceError(
    'changed',
    `The file has changed: expected version ${expected}, found ${actual}. Read it again before changing it.`,
    { extra: { expected_version: expected, actual_version: actual } },
  );
}
