import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeDirs } from '@croft/workspace';

const NAME = /^serve-.*\.json$/;

/** A guard that `croft guard serve` started. It may have been killed since. */
export interface ServedGuard {
  readonly port: number;
  /** Where its page is, such as `http://127.0.0.1:7861`. */
  readonly origin: string;
  /** Signs one-time codes of the page. */
  readonly secret: string;
}

/**
 * Writes, for `croft guard open`, where this guard is and how codes of its page are signed. Only the user of this process
 * can read the file. Returns a function that removes it.
 *
 * @throws Node's own errors
 */
export function keepServedGuard(baseDir: string, served: ServedGuard): () => void {
  const dir = join(baseDir, 'guard');
  makeDirs(dir);
  // Guards may have one port at several addresses.
  const file = join(dir, `serve-${encodeURIComponent(new URL(served.origin).host)}.json`);
  const partial = `${file}.${process.pid}.new`;
  rmSync(partial, { force: true });
  writeFileSync(partial, `${JSON.stringify(served)}\n`, { flag: 'wx', mode: 0o600 });
  renameSync(partial, file);
  return () => rmSync(file, { force: true });
}

/** The guards of a base directory, by port. Never throws. */
export function readServedGuards(baseDir: string): readonly ServedGuard[] {
  const dir = join(baseDir, 'guard');
  try {
    return readdirSync(dir)
      .flatMap((name) => readServedGuard(dir, name) ?? [])
      .sort((a, b) => a.port - b.port);
  } catch {
    return [];
  }
}

function readServedGuard(dir: string, name: string): ServedGuard | undefined {
  if (!NAME.test(name)) return undefined;
  try {
    const { port, origin, secret } = JSON.parse(readFileSync(join(dir, name), 'utf8')) as Record<string, unknown>;
    return typeof port === 'number' && typeof origin === 'string' && typeof secret === 'string'
      ? { port, origin, secret }
      : undefined;
  } catch {
    return undefined;
  }
}
