/** Where the server lies below its public address: `/` or `/croft/`. Begins and ends with a slash. */
export function basePathOf(publicUrl: string | undefined): string {
  const path = publicUrl === undefined ? '/' : new URL(publicUrl).pathname;
  return path.endsWith('/') ? path : `${path}/`;
}

/**
 * A request's target below the base path. A proxy may pass the path on whole or without its prefix: both are taken. A
 * target that is no path (`*`, an absolute URL) stays as it is.
 */
export function withoutBasePath(target: string, basePath: string): string {
  if (basePath === '/') return target;
  if (target.startsWith(basePath)) return target.slice(basePath.length - 1);
  const bare = basePath.slice(0, -1);
  if (target === bare) return '/';
  return target.startsWith(`${bare}?`) ? `/${target.slice(bare.length)}` : target;
}
