/** Whether a path begins at the top of a disk, as the server wants it: only such a one can be looked at. */
export function isWholePath(path: string): boolean {
  return /^(\/|[a-z]:[\\/])/i.test(path);
}

/** The path of a directory in another, written as that one is. */
export function pathIn(parent: string, name: string): string {
  const slash = parent.includes('\\') && !parent.includes('/') ? '\\' : '/';
  return parent.endsWith(slash) ? parent + name : parent + slash + name;
}
