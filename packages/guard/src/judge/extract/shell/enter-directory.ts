import { changeDirectory, HAS_MARK, joinPath } from './marks.ts';

/** Tells the path without links; undefined for a path that does not exist. */
interface Disk {
  readonly realPath: ((path: string) => string | undefined) | undefined;
}

/**
 * The directory that a program enters (`-C`), and a shell with `cd -P`. The system takes `..` from the directory behind a
 * link; `cd` without an option takes it from the name of the link.
 */
export function enterDirectory({ realPath }: Disk, cwd: string, value: string): string {
  const path = joinPath(cwd, value);
  const real = HAS_MARK.test(path) ? undefined : realPath?.(path);
  // A name before `..` that is not there yet may become a link.
  return real ?? (/[^./][^/]*\/+\.\.(?:\/|$)/.test(value) ? path : changeDirectory(cwd, value));
}
