import { randomBytes } from 'node:crypto';
import {
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  type Stats,
  statSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';

/** A file of the user, as it was read. */
export interface FoundFile {
  /** The real path, with symlinks resolved. */
  readonly path: string;
  /** `undefined` if the file does not exist. */
  readonly text: string | undefined;
}

/** A file that cannot be read or replaced. The message ends a sentence that starts with the file. */
export class UnusableFile extends Error {
  override readonly name = 'UnusableFile';
}

const MAX_BYTES = 64 * 1024 * 1024;
/** Between the name of a file and the time of its backup. */
export const BACKUP_MARK = '.croft-backup-';

/**
 * Reads a text file. Follows symlinks.
 *
 * @throws UnusableFile
 */
export function readFound(path: string): FoundFile {
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return { path, text: undefined };
  let real: string;
  let bytes: Buffer;
  try {
    real = realpathSync.native(path);
    const stats = statSync(real);
    if (!stats.isFile()) throw new UnusableFile('is not a file');
    if (stats.size > MAX_BYTES) throw new UnusableFile(`is larger than ${MAX_BYTES} bytes`);
    bytes = readFileSync(real);
  } catch (error) {
    if (error instanceof UnusableFile) throw error;
    const { code } = error as NodeJS.ErrnoException;
    throw new UnusableFile(code === 'ENOENT' ? 'is a link to a file that does not exist' : `cannot be read (${code})`);
  }
  try {
    return { path: real, text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch {
    throw new UnusableFile('is not UTF-8 text');
  }
}

/**
 * Replaces a file atomically: readers get the old text or the new text. Keeps mode and owner, and writes the old text to
 * `<file>.croft-backup-<time>`. Only the owner can read a new file, because configurations contain keys.
 *
 * @param text the new text; `undefined` deletes the file
 * @param found the file as shown to the user; if it changed since, nothing is written
 * @returns path of the backup, if the file existed
 * @throws UnusableFile
 */
export function replaceFile(found: FoundFile, text: string | undefined, now: Date): string | undefined {
  try {
    if (readFound(found.path).text !== found.text)
      throw new UnusableFile('was changed meanwhile; run croft setup again');
    if (found.text === undefined) {
      if (text === undefined) return undefined;
      mkdirSync(dirname(found.path), { recursive: true });
      writeComplete(found.path, text, undefined);
      return undefined;
    }
    const stats = statSync(found.path);
    // Opening for writing fails if the user made the file read-only; renaming alone would succeed.
    closeSync(openSync(found.path, constants.O_WRONLY));
    const backup = keepBackup(found.path, found.text, stats, now);
    if (text === undefined) unlinkSync(found.path);
    else writeComplete(found.path, text, stats);
    return backup;
  } catch (error) {
    if (error instanceof UnusableFile) throw error;
    throw new UnusableFile(`cannot be written (${(error as NodeJS.ErrnoException).code ?? String(error)})`);
  }
}

function keepBackup(path: string, text: string, stats: Stats, now: Date): string {
  const stamp = now.toISOString().replace(/[-:]|\.\d+/g, '');
  for (let n = 1; ; n++) {
    const backup = `${path}${BACKUP_MARK}${stamp}${n === 1 ? '' : `-${n}`}`;
    try {
      writeNew(backup, text, stats);
      return backup;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}

function writeComplete(path: string, text: string, stats: Stats | undefined): void {
  const temporary = `${path}.croft-${process.pid}-${randomBytes(4).toString('hex')}`;
  try {
    writeNew(temporary, text, stats);
    renameSync(temporary, path);
  } catch (error) {
    try {
      unlinkSync(temporary);
    } catch {
      // The temporary file was not created, or is already renamed.
    }
    throw error;
  }
}

function writeNew(path: string, text: string, like: Stats | undefined): void {
  const fd = openSync(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600);
  try {
    const bytes = Buffer.from(text, 'utf8');
    for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at);
    if (like) keepOwner(fd, like);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** Keeps owner and mode. Changes the owner only under sudo; otherwise it is already right. */
function keepOwner(fd: number, { uid, gid, mode }: Stats): void {
  if (process.platform === 'win32') return;
  try {
    fchownSync(fd, uid, gid);
  } catch {
    // Only root may change the owner.
  }
  fchmodSync(fd, mode & 0o7777);
}
