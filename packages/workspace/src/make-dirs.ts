import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { errnoOf } from './errors.ts';

/**
 * Makes a directory and its missing parents, for the operator's own places; never for a caller's path. Node's
 * recursive `mkdir` goes round for ever where an existing directory answers ENOENT for a child, as `/proc` does.
 * Throws Node's errors.
 */
export function makeDirs(path: string, mode = 0o700): void {
  try {
    mkdirSync(path, mode);
    return;
  } catch (error) {
    if (isDirectory(path)) return;
    const parent = dirname(path);
    if (errnoOf(error) !== 'ENOENT' || parent === path) throw error;
    // Another process may have made the parent meanwhile, so try once more.
    if (!isDirectory(parent)) makeDirs(parent, mode);
  }
  try {
    mkdirSync(path, mode);
  } catch (error) {
    if (!isDirectory(path)) throw error;
  }
}

function isDirectory(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
