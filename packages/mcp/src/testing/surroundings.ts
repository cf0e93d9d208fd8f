import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { giveCodeCaches, keepCodeCaches } from './code-cache.ts';

/** The built program. Tests from the client's point of view run it, not parts composed for the test. */
export const PROGRAM = join(import.meta.dirname, '../../../../apps/cli/dist/croft.cjs');

/** A separate home directory, base directory and workspace for a test. */
export interface Surroundings {
  readonly root: string;
  readonly home: string;
  readonly base: string;
  readonly workspace: string;
  /** The environment for programs, so that they use only these directories. */
  readonly env: Record<string, string>;
  remove(): void;
}

export function makeSurroundings(): Surroundings {
  if (!existsSync(PROGRAM)) throw new Error('apps/cli/dist/croft.cjs is missing: run `npm run build` first');
  const root = mkdtempSync(join(tmpdir(), 'croft-e2e-'));
  const [home, base, workspace] = ['home', 'base', 'workspace'].map((name) => join(root, name)) as [
    string,
    string,
    string,
  ];
  for (const dir of [home, workspace]) mkdirSync(dir);
  // Outside `npm test` it is missing, and programs make their own.
  const kept = process.env['TEST_CODE_CACHES'];
  if (kept !== undefined) giveCodeCaches(base, kept);
  const env = { PATH: process.env.PATH ?? '', HOME: home, CROFT_BASE_DIR: base };
  return {
    root,
    home,
    base,
    workspace,
    env,
    remove() {
      // Some tests make the directory read-only.
      if (existsSync(base)) chmodSync(base, 0o755);
      if (kept !== undefined) keepCodeCaches(base, kept);
      rmSync(root, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** Copies the program's files, because another user cannot read a private checkout. */
export function copyProgram(dir: string): string {
  for (const name of ['croft.cjs', 'croft-main.cjs', 'croft-guard.cjs', 'croft-flow.cjs', 'search-worker.cjs'])
    cpSync(join(PROGRAM, '..', name), join(dir, name));
  return join(dir, 'croft.cjs');
}

/**
 * Simulates a read-only base directory, which root could write to anyway: returns another user, who can read everything and write
 * only to the workspace.
 */
export function makeStranger({ root, base, workspace }: Surroundings): { uid?: number; program: string } {
  const program = copyProgram(join(root, 'program'));
  mkdirSync(join(base, 'activity'), { recursive: true });
  if (process.getuid?.() !== 0) {
    chmodSync(base, 0o555);
    return { program };
  }
  for (const dir of [root, base, join(base, 'activity')]) chmodSync(dir, 0o755);
  chmodSync(workspace, 0o777);
  return { uid: 65_534, program };
}
