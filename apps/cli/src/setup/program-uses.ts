import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type KeptProgram, programsDir } from './kept-program.ts';

/** The clients that start one copy of the program, stored beside it as `<version>.json`. */
interface Uses {
  /** Configuration files that name this copy. */
  readonly files: readonly string[];
  /** Whether the path was shown for pasting; then unknown files may name it. */
  readonly pasted: boolean;
}

/** Records that a configuration file names this copy, or with `undefined` that the path was shown for pasting. */
export function recordUse({ dir }: KeptProgram, file: string | undefined): void {
  const before = readUses(dir) ?? { files: [], pasted: false };
  const after: Uses = {
    files: file === undefined || before.files.includes(file) ? before.files : [...before.files, file],
    pasted: before.pasted || file === undefined,
  };
  writeFileSync(recordOf(dir), `${JSON.stringify(after, null, 2)}\n`, { mode: 0o600 });
}

/**
 * Removes copies that no configuration names any more. Keeps a copy whose path was shown for pasting, and one whose record
 * cannot be read.
 *
 * @returns the removed directories
 */
export function removeUnusedPrograms(baseDir: string): readonly string[] {
  const parent = programsDir(baseDir);
  const removed = versionsIn(parent)
    .map((name) => join(parent, name))
    .filter((dir) => {
      const uses = readUses(dir);
      return uses !== undefined && !uses.pasted && !uses.files.some((file) => names(file, dir));
    });
  for (const dir of removed) {
    rmSync(dir, { recursive: true, force: true });
    rmSync(recordOf(dir), { force: true });
  }
  return removed;
}

function versionsIn(parent: string): readonly string[] {
  try {
    return readdirSync(parent, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
      .map(({ name }) => name);
  } catch {
    return [];
  }
}

/** Whether a configuration contains the path, in any quoting. An existing file that cannot be read counts as containing it. */
function names(file: string, dir: string): boolean {
  try {
    const version = basename(dir).replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
    return new RegExp(`programs[\\\\/]+${version}[\\\\/]+croft\\.cjs`).test(readFileSync(file, 'utf8'));
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ENOENT';
  }
}

function recordOf(dir: string): string {
  return join(dir, '..', `${basename(dir)}.json`);
}

function readUses(dir: string): Uses | undefined {
  try {
    const { files, pasted } = JSON.parse(readFileSync(recordOf(dir), 'utf8')) as Uses;
    return Array.isArray(files) && typeof pasted === 'boolean' ? { files, pasted } : undefined;
  } catch {
    return undefined;
  }
}
