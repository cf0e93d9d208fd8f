import { createHook } from 'node:async_hooks';
import { execFileSync } from 'node:child_process';
import { linkSync, mkdirSync, mkdtempSync, rmSync, statfsSync, symlinkSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { WorkspaceError, whenReady } from './errors.ts';

/** A scratch directory for a test, with a workspace in it and an outside beside it. */
export interface Scratch {
  /** Holds everything; removed by `remove()`. */
  readonly base: string;
  readonly workspace: string;
  readonly outside: string;
  remove(): void;
}

/**
 * Builds a tree from lines: `d/` a directory, `f` a file holding its own name, `f = text` a file, `a => b` a link to
 * `b`, `a == b` a hard link. `$OUT` and `$ROOT` stand for the absolute paths of the outside and the workspace.
 *
 * @param above where the scratch directory is made
 */
export function makeScratch(
  lines: readonly string[],
  outside: readonly string[] = ['secret.txt = SECRET'],
  above = tmpdir(),
): Scratch {
  const base = mkdtempSync(join(above, 'croft-test-'));
  const scratch = { base, workspace: join(base, 'workspace'), outside: join(base, 'outside') };
  mkdirSync(scratch.workspace);
  mkdirSync(scratch.outside);
  const fill = (text: string) => text.replaceAll('$OUT', scratch.outside).replaceAll('$ROOT', scratch.workspace);
  for (const line of outside) makeEntry(scratch.outside, fill(line));
  for (const line of lines) makeEntry(scratch.workspace, fill(line));
  return { ...scratch, remove: () => rmSync(base, { recursive: true, force: true }) };
}

/** The error with which the workspace refuses, when it has counted its files where it must. Fails if `act` succeeds. */
export async function failureOf(act: () => unknown): Promise<WorkspaceError> {
  try {
    await whenReady(act);
  } catch (error) {
    if (error instanceof WorkspaceError) return error;
    throw error;
  }
  throw new Error('the workspace did not refuse');
}

/** The code with which the workspace refuses at once; `done` if `act` succeeds. */
export async function codeOf(act: () => unknown): Promise<string> {
  try {
    await act();
    return 'done';
  } catch (error) {
    if (error instanceof WorkspaceError) return error.code;
    throw error;
  }
}

/** The message of the error that `act` throws; `accepted` if it throws none. */
export function refusalOf(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    return (error as Error).message;
  }
  return 'accepted';
}

/** The result of some work, and how often other work of the event loop ran meanwhile. */
export async function withTurns<Result>(work: () => Promise<Result>): Promise<{ result: Result; turns: number }> {
  let turns = 0;
  let isDone = false;
  const count = () => {
    turns++;
    if (!isDone) setImmediate(count);
  };
  setImmediate(count);
  try {
    const result = await work();
    return { result, turns };
  } finally {
    isDone = true;
  }
}

/** The calls of `node:fs/promises` that are under way in this process, while it is switched on. */
export interface FileRequests {
  readonly running: number;
  readonly most: number;
  readonly total: number;
  stop(): void;
}

/** Counts the calls of `node:fs/promises` from now on. */
export function countFileRequests(): FileRequests {
  const running = new Set<number>();
  let [most, total] = [0, 0];
  const hook = createHook({
    init(id, type) {
      if (type !== 'FSREQPROMISE') return;
      total++;
      most = Math.max(most, running.add(id).size);
    },
    before: (id) => void running.delete(id),
  }).enable();
  return {
    get running() {
      return running.size;
    },
    get most() {
      return most;
    },
    get total() {
      return total;
    },
    stop: () => void hook.disable(),
  };
}

/** Runs `act` while these exports of a module of Node, such as `fs`, are other ones, and restores them. */
export async function withReplaced<Exports extends object, Result>(
  exports: Exports,
  replaced: Partial<Exports>,
  act: () => Result | Promise<Result>,
): Promise<Result> {
  const keys = Object.keys(replaced) as (keyof Exports)[];
  const before = Object.fromEntries(keys.map((key) => [key, exports[key]])) as Partial<Exports>;
  Object.assign(exports, replaced);
  syncBuiltinESMExports();
  try {
    return await act();
  } finally {
    Object.assign(exports, before);
    syncBuiltinESMExports();
  }
}

/** Memory that concurrent tests may need for files. Many containers have 64 MB of it. */
const MEMORY_BYTES = 1 << 30;

/** A fast place for scratch directories with thousands of files: in memory, if the machine has room for it. */
export function memoryDir(): string {
  try {
    const { bavail, bsize } = statfsSync('/dev/shm');
    return bavail * bsize >= MEMORY_BYTES ? '/dev/shm' : tmpdir();
  } catch {
    return tmpdir();
  }
}

/**
 * Mounts a directory or file at a second place, for tests that run as root.
 *
 * @returns the way to unmount it; `undefined` where mounting is not permitted
 */
export function bindMount(from: string, to: string): (() => void) | undefined {
  try {
    execFileSync('mount', ['--bind', from, to], { stdio: 'ignore' });
  } catch {
    return undefined;
  }
  return () => execFileSync('umount', ['-l', to]);
}

function makeEntry(root: string, line: string): void {
  const link = / => /.exec(line);
  const hard = / == /.exec(line);
  const file = / = /.exec(line);
  const cut = link ?? hard ?? file;
  const name = cut ? line.slice(0, cut.index) : line;
  const rest = cut ? line.slice(cut.index + cut[0].length) : name;
  const path = join(root, name);
  mkdirSync(name.endsWith('/') ? path : dirname(path), { recursive: true });
  if (name.endsWith('/')) return;
  if (link) symlinkSync(rest, path);
  else if (hard) linkSync(rest, path);
  else writeFileSync(path, rest.replaceAll('\\n', '\n').replaceAll('\\r', '\r'));
}
