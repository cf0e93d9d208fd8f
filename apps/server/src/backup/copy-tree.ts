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
const { O_CREAT, O_DIRECTORY, O_EXCL, O_NOFOLLOW, O_RDONLY, O_WRONLY } = constants;

/**
 * Copies a directory with modes, times, symlinks and hard links, and as root with owners. Reads each copy again and compares
 * it. Leaves out sockets, pipes and devices.
 *
 * Opens each directory from its parent and follows no symlink, so a program that replaces a directory meanwhile cannot
 * bring files from elsewhere into the copy (on Linux).
 *
 * @param to an existing directory
 * @throws BackupError `unreadable` for a file that changes meanwhile, or whose copy differs
 */
export function copyTree(from: string, to: string, options: CopyTreeOptions): CopiedEntry[] {
  const entries: CopiedEntry[] = [];
  const copies = new Map<string, { readonly path: Buffer; readonly entry: CopiedEntry }>();
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  const visit = (fd: number, given: Buffer, target: Buffer, path: Buffer): void => {
    const here = process.platform === 'linux' ? Buffer.from(`/proc/self/fd/${fd}`) : given;
    for (const name of readdirSync(here, { encoding: 'buffer' })) {
      if (path.length === 0 && options.except.has(name.toString())) continue;
      const [source, copy, inner] = [below(here, name), below(target, name), below(path, name)];
      const stat = lstatSync(source);
      if (stat.isDirectory()) {
        entries.push({ ...named(inner), kind: 'directory' });
        mkdirSync(copy, { mode: 0o700 });
        const child = openSync(source, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
        try {
          visit(child, source, copy, inner);
        } finally {
          closeSync(child);
        }
        lchown(copy, stat);
        chmodSync(copy, stat.mode & 0o7777);
        lutimesSync(copy, stat.atimeMs / 1e3, microseconds(stat));
      } else if (stat.isSymbolicLink()) {
        entries.push({ ...named(inner), kind: 'link' });
        symlinkSync(readlinkSync(source, { encoding: 'buffer' }), copy);
        lchown(copy, stat);
        lutimesSync(copy, stat.atimeMs / 1e3, microseconds(stat));
      } else if (stat.isFile()) {
        const first = copies.get(`${stat.dev}:${stat.ino}`);
        if (first) linkSync(first.path, copy);
        const entry = first ? { ...first.entry, ...named(inner) } : copyFile(source, copy, inner, chunk);
        entries.push(entry);
        if (stat.nlink > 1 && !first) copies.set(`${stat.dev}:${stat.ino}`, { path: copy, entry });
        options.onFile(first ? 0 : stat.size);
      }
    }
  };
  const root = openSync(from, O_RDONLY | O_DIRECTORY);
  try {
    visit(root, Buffer.from(from), Buffer.from(to), Buffer.alloc(0));
  } finally {
    closeSync(root);
  }
  return entries;
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

const below = (directory: Buffer, name: Buffer): Buffer =>
  directory.length === 0 ? name : Buffer.concat([directory, Buffer.from('/'), name]);

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
