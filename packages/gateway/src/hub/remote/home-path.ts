/** The directories below which systems keep home directories, and root's own. */
const HOME = /^(?:\/(?:home|Users)\/[^/]+|\/root|[A-Za-z]:[\\/]Users[\\/][^\\/]+)(?=[\\/]|$)/;

/** Whether a path begins in a home directory: `~` or `~/…`. */
export function isHomePath(path: string): boolean {
  return /^~(?=[\\/]|$)/.test(path);
}

/**
 * Expands `~` by the home directory that the shared directory is in, by its usual places (`/home/ann`, `/Users/ann`,
 * `/root`, `C:\Users\ann`). Returns `undefined` if the shared directory is elsewhere. Does not check that the path is
 * inside the shared directory.
 */
export function fromHome(rootPath: string, path: string): string | undefined {
  const home = HOME.exec(rootPath)?.[0];
  return home === undefined ? undefined : `${home}${path.slice(1)}`;
}
