import { randomBytes } from 'node:crypto';
import { homedir } from 'node:os';
import { dirname, isAbsolute, parse, relative, resolve } from 'node:path';
import { openWorkspace, WorkspaceError } from '@croft/workspace';
import { sameSecret } from '../token-file.ts';
import { Problem } from '../problem.ts';

/** A directory of the server's own machine, and the names of the directories in it. */
export interface DirectoryChoice {
  readonly path: string;
  /** The parent directory; `null` at the top. */
  readonly parent: string | null;
  readonly directories: readonly string[];
  /** The list is cut at its limit. */
  readonly truncated: boolean;
}

/** Shows directories while a person picks one, and at no other time. */
export interface DirectoryPicker {
  /** Begins a pick and ends an earlier one. @returns its id, valid for ten minutes */
  begin(): string;
  /**
   * Lists the directories in a directory, by default in the home directory of the server's account.
   *
   * @throws Problem `not_picking`, `invalid`
   */
  list(picking: string, path?: string): DirectoryChoice;
  /** Ends the pick: `list` refuses from then on. */
  end(): void;
}

const PICKING_MS = 600_000;
const MAX_SHOWN = 1_000;

/**
 * Directories by name, and nothing else of the disk: no files, no sizes, no links. Each is opened as a workspace would
 * be, read-only, so protected names and Croft's own base directory are not in the list.
 */
export function createDirectoryPicker(baseDir: string, now: () => number = Date.now): DirectoryPicker {
  let current: { id: string; until: number } | undefined;
  return {
    begin() {
      current = { id: randomBytes(18).toString('base64url'), until: now() + PICKING_MS };
      return current.id;
    },
    list(picking, path = homedir()) {
      if (current === undefined || current.until < now() || !sameSecret(current.id, picking))
        throw new Problem(409, 'not_picking', 'Start again with “Pick a directory”.');
      if (!isAbsolute(path)) throw bad('Give the whole path of a directory, such as /home/me/project.');
      return listDirectories(resolve(path), baseDir);
    },
    end() {
      current = undefined;
    },
  };
}

function listDirectories(path: string, baseDir: string): DirectoryChoice {
  const { root } = parse(path);
  try {
    const disk = openWorkspace(root, { baseDir, readOnly: true });
    try {
      const names = disk
        .list(relative(root, path) || '.')
        .entries.filter(({ type }) => type === 'directory')
        .map(({ name }) => name);
      const directories = names.slice(0, MAX_SHOWN);
      return {
        path,
        parent: path === root ? null : dirname(path),
        directories,
        truncated: names.length > directories.length,
      };
    } finally {
      disk.close();
    }
  } catch (error) {
    if (error instanceof WorkspaceError) throw bad('There is no such directory, or it cannot be read.');
    throw error;
  }
}

function bad(message: string): Problem {
  return new Problem(400, 'invalid', message);
}
