import { existsSync, linkSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Gives a new base directory the code caches of earlier programs of this test run, from the directory `kept`: with them, a start
 * takes two thirds of the processor time.
 */
export function giveCodeCaches(base: string, kept: string): void {
  const cache = join(base, 'cache');
  mkdirSync(cache, { recursive: true, mode: 0o700 });
  linkFiles(kept, cache);
}

/** Keeps the code caches of programs that ended, for the next ones. */
export function keepCodeCaches(base: string, kept: string): void {
  const cache = join(base, 'cache');
  if (existsSync(cache)) linkFiles(cache, kept);
}

/** Links complete caches. Programs replace them and never write into them, so that all can have the same file. */
function linkFiles(from: string, to: string): void {
  for (const name of readdirSync(from)) {
    if (!name.endsWith('.bin') || existsSync(join(to, name))) continue;
    try {
      linkSync(join(from, name), join(to, name));
    } catch (error) {
      // Another process of the tests kept it at the same time.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}
