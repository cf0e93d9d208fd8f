import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { memoryDir } from '@croft/workspace/testing';
import { type Database, openDatabase } from '../../apps/server/src/store/database.ts';
import { copyNewDatabase } from '../../apps/server/src/testing-database.ts';

/** A busy machine may need minutes to start PostgreSQL again. */
const RESTART_WAIT_MS = 120_000;

/** For tests: a running embedded database in a temporary directory, and a function that removes it. */
export async function openTestDatabase(): Promise<{ database: Database; baseDir: string; close(): Promise<void> }> {
  const baseDir = makeTestDirectory();
  await copyNewDatabase(baseDir);
  const database = openDatabase({ baseDir, restartWaitMs: RESTART_WAIT_MS });
  await database.ready;
  return {
    database,
    baseDir,
    close: async () => {
      await database.close();
      rmSync(baseDir, { recursive: true, force: true });
    },
  };
}

/** For tests: a base directory after its first start, copied from one that this process created once. */
export function copyOfStartedBase(template: string): string {
  const copy = makeTestDirectory();
  execFileSync('cp', ['-a', `${template}/.`, copy]);
  return copy;
}

/** For tests: whether a process runs; a zombie does not count. */
export function isRunning(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

/** For tests: signals each of these processes that still runs; one may have ended since it was listed. */
export function signalEach(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }
}

/** For tests: the process id of the PostgreSQL that runs over this base directory. */
export function postmasterPid(baseDir: string): number {
  return Number(readFileSync(join(baseDir, 'postgres/data/postmaster.pid'), 'utf8').split('\n', 1)[0]);
}

/** For tests: a new directory. */
export function makeTestDirectory(): string {
  return mkdtempSync(join(memoryDir(), 'croft-store-'));
}

/** For tests on Linux: the process ids of everything that PostgreSQL's start over this base directory has left running. */
export function processesOver(baseDir: string): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => {
      try {
        return pid !== process.pid && readlinkSync(`/proc/${pid}/fd/3`).startsWith(join(baseDir, 'postgres'));
      } catch {
        return false;
      }
    });
}
