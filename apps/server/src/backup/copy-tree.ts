import { createHash } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsyncSync,
  futimesSync,
  lchownSync,
  linkSync,
  lstatSync,
  lutimesSync,
  mkdirSync,
  openSync,
  readdirSync,
  readlinkSync,
  readSync,
  type Stats,
  symlinkSync,
  writeSync,
} from 'node:fs';
import { BackupError } from './backup-error.ts';
import { below, type HeldDirectory, holdAbove, holdBelow, holdDirectory, MAX_PATH_BYTES } from './held-directory.ts';

/** A copied entry. Paths are relative, with the bytes of the name in base64 where they are not UTF-8. */
export interface CopiedEntry {
  readonly path: string;
  readonly isBase64?: true;
  readonly kind: 'directory' | 'file' | 'link';
  /** Of a file. */
  readonly bytes?: number;
  readonly sha256?: string;
}

export interface CopyTreeOptions {
  /** Names directly in the copied directory to leave out. */
  readonly except: ReadonlySet<string>;
  onFile(bytes: number): void;
}

const CHUNK_BYTES = 1024 * 1024;
const { O_CREAT, O_EXCL, O_NOFOLLOW, O_RDONLY, O_WRONLY } = constants;

/** A directory that is being copied. */
interface Frame {
  readonly from: HeldDirectory;
  readonly to: HeldDirectory;
  /** In the list of the backup. */
  readonly path: Buffer;
  /** Not copied yet, the last one first. */
  readonly names: Buffer[];
  /** Missing for the outermost one. */
  readonly own?: { readonly name: Buffer; readonly stat: Stats };
}

/**
 * Copies a directory with modes, times, symlinks and hard links, and as root with owners. Reads each copy again and compares
 * it. Leaves out sockets, pipes and devices.
 *
 * Opens each directory from its parent and follows no symlink, so a program that replaces a directory meanwhile cannot
 * bring files from elsewhere into the copy (on Linux). Users can move directories into each other, so on Linux neither the
 * length of a path nor the depth is limited; beyond the longest path, a second hard link becomes a copy.
 *
 * @param to an existing directory
 * @throws BackupError `unreadable` for a file that changes meanwhile, or whose copy differs
 */
export function copyTree(from: string, to: string, options: CopyTreeOptions): CopiedEntry[] {
  const entries: CopiedEntry[] = [];
  const copies = new Map<string, { readonly path: Buffer; readonly entry: CopiedEntry }>();
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  const copyLeaf = (frame: Frame, name: Buffer, stat: Stats): void => {
    const [source, copy, path] = [below(frame.from.at, name), below(frame.to.at, name), listedPath(frame.path, name)];
    if (stat.isSymbolicLink()) {
      entries.push({ ...named(path), kind: 'link' });
      symlinkSync(readlinkSync(source, { encoding: 'buffer' }), copy);
      lchown(copy, stat);
      lutimesSync(copy, stat.atimeMs / 1e3, microseconds(stat));
    } else if (stat.isFile()) {
      const first = copies.get(`${stat.dev}:${stat.ino}`);
      if (first) linkSync(first.path, copy);
      const entry = first ? { ...first.entry, ...named(path) } : copyFile(source, copy, path, chunk);
      entries.push(entry);
      const target = frame.to.path && below(frame.to.path, name);
      const canLink = stat.nlink > 1 && target !== undefined && target.length <= MAX_PATH_BYTES;
      if (canLink && !first) copies.set(`${stat.dev}:${stat.ino}`, { path: target, entry });
      options.onFile(first ? 0 : stat.size);
    }
  };
  let frames: Frame[] = [];
  try {
    frames = [{ ...open(holdDirectory(from), holdDirectory(to)), path: Buffer.alloc(0) }];
    for (let frame = frames[0]; frame !== undefined; frame = frames.at(-1)) {
      const name = frame.names.pop();
      if (name === undefined) {
        leave(frames);
        continue;
      }
      if (frame.own === undefined && options.except.has(name.toString())) continue;
      const stat = lstatSync(below(frame.from.at, name));
      if (!stat.isDirectory()) {
        copyLeaf(frame, name, stat);
        continue;
      }
      const path = listedPath(frame.path, name);
      entries.push({ ...named(path), kind: 'directory' });
      mkdirSync(below(frame.to.at, name), { mode: 0o700 });
      frames.push({
        ...open(holdBelow(frame.from, name), holdBelow(frame.to, name)),
        path,
        own: { name, stat },
      });
    }
  } finally {
    const last = frames.at(-1);
    if (last !== undefined) for (const { fd } of [last.from, last.to]) closeSync(fd);
  }
  return entries;
}

const open = (from: HeldDirectory, to: HeldDirectory) => ({
  from,
  to,
  names: readdirSync(from.at, { encoding: 'buffer' }).toReversed(),
});

/** Completes the innermost directory, and opens the one above it again. */
function leave(frames: Frame[]): void {
  const { from, to, own } = frames.pop() as Frame;
  const above = frames.pop();
  if (own === undefined || above === undefined) {
    for (const { fd } of [from, to]) closeSync(fd);
    return;
  }
  const again = { ...above, from: holdAbove(from, above.from), to: holdAbove(to, above.to) };
  frames.push(again);
  const copy = below(again.to.at, own.name);
  lchown(copy, own.stat);
  chmodSync(copy, own.stat.mode & 0o7777);
  lutimesSync(copy, own.stat.atimeMs / 1e3, microseconds(own.stat));
}

/** The path of a name in the list of a backup. A hash replaces the directories of a path that is too long, so the list stays small. */
function listedPath(directory: Buffer, name: Buffer): Buffer {
  const path = below(directory, name);
  if (path.length <= MAX_PATH_BYTES) return path;
  return Buffer.from(`…/${createHash('sha256').update(path).digest('hex')}`);
}

function copyFile(source: Buffer, copy: Buffer, path: Buffer, chunk: Buffer): CopiedEntry {
  const input = openSync(source, O_RDONLY | O_NOFOLLOW);
  try {
    const stat = fstatSync(input);
    const output = openSync(copy, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
    let read: Digest;
    try {
      read = digest(input, chunk, (bytes) => writeSync(output, bytes));
      if (process.getuid?.() === 0) fchownSync(output, stat.uid, stat.gid);
      fchmodSync(output, stat.mode & 0o7777);
      futimesSync(output, stat.atimeMs / 1e3, microseconds(stat));
      fsyncSync(output);
    } finally {
      closeSync(output);
    }
    const now = fstatSync(input);
    if (read.bytes !== stat.size || now.mtimeMs !== stat.mtimeMs || now.size !== stat.size)
      throw new BackupError('unreadable', `${path} changed while it was copied. Stop the programs that write there.`);
    const written = openSync(copy, O_RDONLY | O_NOFOLLOW);
    try {
      if (digest(written, chunk).sha256 !== read.sha256)
        throw new BackupError('unreadable', `The copy of ${path} differs from the file. Check the disk.`);
    } finally {
      closeSync(written);
    }
    return { ...named(path), kind: 'file', ...read };
  } finally {
    closeSync(input);
  }
}

/** Versions of files have the time to the microsecond. A system that rounds down must not lose one. */
const microseconds = ({ mtimeMs }: Stats): number => (Math.round(mtimeMs * 1e3) + 0.3) / 1e6;

interface Digest {
  readonly bytes: number;
  readonly sha256: string;
}

function digest(fd: number, chunk: Buffer, take?: (bytes: Buffer) => void): Digest {
  const hash = createHash('sha256');
  let bytes = 0;
  for (;;) {
    const read = readSync(fd, chunk, 0, chunk.length, null);
    if (read === 0) return { bytes, sha256: hash.digest('hex') };
    const part = chunk.subarray(0, read);
    hash.update(part);
    take?.(part);
    bytes += read;
  }
}

/** The path of an entry in the list of a backup. */
function named(path: Buffer): Pick<CopiedEntry, 'path' | 'isBase64'> {
  const text = path.toString();
  return Buffer.from(text).equals(path) ? { path: text } : { path: path.toString('base64'), isBase64: true };
}

function lchown(path: Buffer, { uid, gid }: Stats): void {
  if (process.getuid?.() === 0) lchownSync(path, uid, gid);
}

/** Whether a directory is missing, or has no other names than these. */
export function isUnused(directory: string, except: ReadonlySet<string>): boolean {
  const stat = lstatSync(directory, { throwIfNoEntry: false });
  if (stat === undefined) return true;
  return stat.isDirectory() && readdirSync(directory).every((name) => except.has(name));
}
