import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { z } from 'zod';
import { lockBase, RESTORING } from '../store/base-lock.ts';
import { postgresLayout } from '../store/postgres-layout.ts';
import { BackupError } from './backup-error.ts';
import { type CopiedEntry, copyTree, isUnused } from './copy-tree.ts';

/** The files and bytes of a backup. */
export interface BackupSummary {
  readonly files: number;
  readonly bytes: number;
  /** Whether the database is in it: one at `DATABASE_URL` is not. */
  readonly hasDatabase: boolean;
}

export type OnProgress = (done: { readonly files: number; readonly bytes: number }) => void;

/** Not part of a backup: the lock of a running server, and code that the launcher compiles again. */
const EXCEPT: ReadonlySet<string> = new Set(['.lock', 'cache']);
const ABOUT = 'backup.json';
const CONTENT = 'base';
const VERSION = 1;

const aboutSchema = z.object({
  version: z.literal(VERSION),
  croft: z.string(),
  createdAt: z.string(),
  files: z.number(),
  bytes: z.number(),
  hasDatabase: z.boolean(),
  entries: z.array(
    z.object({
      path: z.string(),
      isBase64: z.literal(true).optional(),
      kind: z.enum(['directory', 'file', 'link']),
      bytes: z.number().optional(),
      sha256: z.string().optional(),
    }),
  ),
});

/**
 * Copies the base directory of a stopped server to a new directory, and checks each copy. `backup.json` is written last: a
 * directory without it is not a backup.
 *
 * @throws BackupError; StoreError `base_in_use` while a server runs
 */
export async function backUp({
  baseDir,
  target,
  croft,
  onProgress = () => {},
}: {
  readonly baseDir: string;
  readonly target: string;
  /** The version of Croft. */
  readonly croft: string;
  readonly onProgress?: OnProgress;
}): Promise<BackupSummary> {
  const to = resolve(target);
  if (!existsSync(baseDir)) throw new BackupError('not_empty', `There is no base directory ${baseDir}.`);
  const base = realpathSync(baseDir);
  if (!isUnused(to, new Set())) throw new BackupError('not_empty', `${to} is not empty. Name a new directory.`);
  if (isWithin(base, realPathOf(to)))
    throw new BackupError('wrong_place', `${to} is in the base directory. Name a directory outside of ${base}.`);
  const lock = await lockBase(base);
  try {
    const hasDatabase = existsSync(postgresLayout(base).data);
    requireStoppedDatabase(base);
    mkdirSync(join(to, CONTENT), { recursive: true, mode: 0o700 });
    const { entries, ...counted } = copyCounted(base, join(to, CONTENT), onProgress);
    const summary = { ...counted, hasDatabase };
    const about = { version: VERSION, croft, createdAt: new Date().toISOString(), ...summary, entries };
    writeFileSync(join(to, ABOUT), `${JSON.stringify(about)}\n`, { mode: 0o600, flag: 'wx' });
    syncPath(join(to, ABOUT));
    return summary;
  } finally {
    await lock.release();
  }
}

/**
 * Copies a backup to a base directory that no server has used, and compares each file with the list of the backup. No server
 * starts on a directory whose restore did not complete.
 *
 * @throws BackupError
 */
export async function restoreBackup({
  source,
  baseDir,
  onProgress = () => {},
}: {
  readonly source: string;
  readonly baseDir: string;
  readonly onProgress?: OnProgress;
}): Promise<BackupSummary> {
  const about = readAbout(source);
  if (isWithin(realPathOf(resolve(source)), realPathOf(resolve(baseDir))))
    throw new BackupError('wrong_place', `${baseDir} is in the backup. Name another directory with CROFT_BASE_DIR.`);
  if (!isUnused(baseDir, EXCEPT))
    throw new BackupError(
      'not_empty',
      `${baseDir} is not empty. Move it away first, or name another one with CROFT_BASE_DIR.`,
    );
  mkdirSync(baseDir, { recursive: true, mode: 0o700 });
  const lock = await lockBase(baseDir);
  try {
    writeFileSync(join(baseDir, RESTORING), '', { mode: 0o600, flag: 'wx' });
    syncPath(baseDir);
    const { entries } = copyCounted(join(source, CONTENT), baseDir, onProgress);
    requireSame(about.entries as CopiedEntry[], entries, baseDir);
    rmSync(join(baseDir, RESTORING));
    const { files, bytes, hasDatabase } = about;
    return { files, bytes, hasDatabase };
  } finally {
    await lock.release();
  }
}

function copyCounted(from: string, to: string, onProgress: OnProgress) {
  let [files, bytes] = [0, 0];
  const entries = copyTree(from, to, {
    except: EXCEPT,
    onFile(size) {
      files += 1;
      bytes += size;
      onProgress({ files, bytes });
    },
  });
  return { files, bytes, entries };
}

/** A PostgreSQL whose server was killed may run for a moment longer, and then the copy would not be consistent. */
function requireStoppedDatabase(base: string): void {
  const file = join(postgresLayout(base).data, 'postmaster.pid');
  if (!existsSync(file)) return;
  const pid = Number(readFileSync(file, 'utf8').split('\n', 1)[0]);
  if (!isPostgres(pid)) return;
  throw new BackupError('base_in_use', `The database of ${base} still runs (process ${pid}). Try again in a moment.`);
}

function isPostgres(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    if (process.platform === 'linux') return readFileSync(`/proc/${pid}/comm`, 'utf8').startsWith('postgres');
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

function readAbout(source: string): z.output<typeof aboutSchema> {
  let text: string;
  try {
    text = readFileSync(join(source, ABOUT), 'utf8');
  } catch {
    throw new BackupError('not_a_backup', `${source} is not a complete backup: it has no ${ABOUT}.`);
  }
  try {
    return aboutSchema.parse(JSON.parse(text));
  } catch {
    throw new BackupError('not_a_backup', `${join(source, ABOUT)} cannot be read. A newer Croft may have written it.`);
  }
}

/** @throws BackupError `damaged` naming the first entry that differs */
function requireSame(listed: readonly CopiedEntry[], found: readonly CopiedEntry[], baseDir: string): void {
  const left = new Map(found.map((entry) => [keyOf(entry), entry]));
  for (const entry of listed) {
    const copy = left.get(keyOf(entry));
    left.delete(keyOf(entry));
    if (copy?.kind === entry.kind && copy.sha256 === entry.sha256) continue;
    throw damaged(
      copy === undefined ? 'is missing in the backup' : 'differs from the list of the backup',
      entry,
      baseDir,
    );
  }
  for (const entry of left.values()) throw damaged('is not in the list of the backup', entry, baseDir);
}

const keyOf = ({ path, isBase64 }: CopiedEntry): string => `${isBase64 === true} ${path}`;

const damaged = (what: string, { path }: CopiedEntry, baseDir: string): BackupError =>
  new BackupError('damaged', `${path} ${what}. Do not use ${baseDir}: delete it, and restore another backup.`);

/** Whether a path is a directory or in it. */
function isWithin(directory: string, path: string): boolean {
  const way = relative(directory, path);
  return way === '' || !(way === '..' || way.startsWith('../') || way.startsWith('..\\') || /^[A-Za-z]:/.test(way));
}

/** The real path of a path that may not exist yet. */
function realPathOf(path: string): string {
  if (existsSync(path)) return realpathSync(path);
  const parent = dirname(path);
  return parent === path ? path : join(realPathOf(parent), path.slice(parent.length));
}

function syncPath(path: string): void {
  const fd = openSync(path, 'r');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
