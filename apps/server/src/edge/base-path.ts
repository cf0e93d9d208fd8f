/** The path of the server's public address: `/` or `/croft/`. Begins and ends with a slash. */
export function basePathOf(publicUrl: string | undefined): string {
  const path = publicUrl === undefined ? '/' : new URL(publicUrl).pathname;
  return path.endsWith('/') ? path : `${path}/`;
}

/**
 * Removes the base path from a request's target. Accepts a path without the prefix too, because some proxies remove it.
 * A target that is not a path (`*`, an absolute URL) stays unchanged.
 */
export function withoutBasePath(target: string, basePath: string): string {
  if (basePath === '/') return target;
  if (target.startsWith(basePath)) return target.slice(basePath.length - 1);
  const bare = basePath.slice(0, -1);
  if (target === bare) return '/';
  return target.startsWith(`${bare}?`) ? `/${target.slice(bare.length)}` : target;
}
