import { randomBytes } from 'node:crypto';
import {
  accessSync,
  closeSync,
  constants,
  openSync,
  readdirSync,
  type Stats,
  statfsSync,
  statSync,
  unlinkSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { osReason } from '@croft/workspace';
import type { BaseDirReport, Examined, Finding, SecretReport } from './report.ts';

const PEPPER_BYTES = 32;
const WRITABLE_BY_OTHERS = 0o022;
const OPEN_TO_OTHERS = 0o077;
/** Virtual file systems of the kernel by magic number. Programs cannot create directories in them. */
const MADE_UP: ReadonlyMap<number, string> = new Map([
  [0x9fa0, 'procfs'],
  [0x62656572, 'sysfs'],
  [0x63677270, 'cgroup2'],
]);

/** Examines Croft's base directory and the pepper in it. Leaves no files behind and prints no secret. */
export function examineBaseDir(path: string): Examined<BaseDirReport> {
  const problems: Finding[] = [];
  const notes: Finding[] = [];
  const stats = statOf(path);
  const unwritable = stats ? whyNotWritable(path) : whyNotMakeable(path);
  if (stats && !stats.isDirectory()) {
    problems.push({ what: `${path} is not a directory`, advice: 'Move it away, or set CROFT_BASE_DIR to a directory' });
  } else if (unwritable !== undefined) {
    const advice = 'Make it writable for this user, or set CROFT_BASE_DIR to a place that is';
    problems.push({ what: `The base directory ${path} cannot be written: ${unwritable}`, advice });
  }
  if (stats?.isDirectory()) examineMode(path, stats, problems, notes);
  const pepper = examinePepper(join(path, 'workspaces', '.fs_pepper'), problems);
  const mode = stats && modeOf(stats);
  const report = {
    path,
    exists: stats !== undefined,
    writable: unwritable === undefined,
    ...(mode && { mode }),
    pepper,
  };
  return { report, problems, notes };
}

function examineMode(path: string, stats: Stats, problems: Finding[], notes: Finding[]): void {
  if (process.platform === 'win32') return;
  const advice = `Run chmod 700 ${path}`;
  if (stats.mode & WRITABLE_BY_OTHERS) {
    problems.push({
      what: `Other users may change what is in ${path}: logs, old versions of files, namespaces`,
      advice,
    });
  } else if (stats.mode & OPEN_TO_OTHERS) {
    notes.push({ what: `Other users of this machine may look into ${path}`, advice });
  }
}

/** Examines the pepper. The names of namespaces depend on it: without it every user gets a new, empty namespace. */
function examinePepper(path: string, problems: Finding[]): SecretReport {
  const stats = statOf(path);
  if (stats === undefined) {
    if (hasEntries(join(dirname(path), 'users'))) {
      const what = `The pepper ${path} is gone, but there are namespaces of users, which cannot be found without it`;
      problems.push({ what, advice: 'Restore .fs_pepper from a backup before users sign in' });
    }
    return { path, state: 'missing' };
  }
  const mode = modeOf(stats);
  const about = { path, ...(mode && { mode }) };
  const broken = whyUnusable(path, stats);
  if (broken !== undefined) {
    problems.push({
      what: `The pepper ${path} ${broken}`,
      advice:
        'Restore it from a backup. Without one, move it away: Croft makes a new one, and namespaces get new names',
    });
    return { ...about, state: 'unusable' };
  }
  if (process.platform !== 'win32' && stats.mode & OPEN_TO_OTHERS) {
    problems.push({ what: `Other users may read the pepper ${path} (mode ${mode})`, advice: `Run chmod 600 ${path}` });
  }
  return { ...about, state: 'present' };
}

function whyUnusable(path: string, stats: Stats): string | undefined {
  if (!stats.isFile()) return 'is not a file';
  if (stats.size < PEPPER_BYTES) return `is too short (${stats.size} bytes of ${PEPPER_BYTES})`;
  try {
    accessSync(path, constants.R_OK);
    return undefined;
  } catch (error) {
    return `cannot be read: ${osReason(error)}`;
  }
}

/** Creates a file to find out, because a mode does not reveal a read-only or full disk. */
function whyNotWritable(dir: string): string | undefined {
  const trial = join(dir, `.doctor-${process.pid}-${randomBytes(4).toString('hex')}`);
  try {
    closeSync(openSync(trial, 'wx', 0o600));
    unlinkSync(trial);
    return undefined;
  } catch (error) {
    return osReason(error);
  }
}

function whyNotMakeable(path: string): string | undefined {
  const parent = dirname(path);
  const stats = statOf(parent);
  if (stats === undefined) return parent === path ? 'No such directory' : whyNotMakeable(parent);
  if (!stats.isDirectory()) return `${parent} is not a directory`;
  try {
    const madeUp = process.platform === 'linux' ? MADE_UP.get(statfsSync(parent).type) : undefined;
    // Virtual file systems look writable to root.
    if (madeUp !== undefined) return `${parent} is ${madeUp}, which cannot hold files`;
    accessSync(parent, constants.W_OK | constants.X_OK);
    return undefined;
  } catch (error) {
    return osReason(error);
  }
}

function hasEntries(dir: string): boolean {
  try {
    return readdirSync(dir).length > 0;
  } catch {
    return false;
  }
}

function statOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

function modeOf({ mode }: Stats): string | undefined {
  return process.platform === 'win32' ? undefined : (mode & 0o7777).toString(8).padStart(4, '0');
}
