/** Whether a path is absolute. The server accepts only absolute paths. */
export function isWholePath(path: string): boolean {
  return /^(\/|[a-z]:[\\/])/i.test(path);
}

/** Joins a directory and a name in the path style of the directory. */
export function pathIn(parent: string, name: string): string {
  const slash = parent.includes('\\') && !parent.includes('/') ? '\\' : '/';
  return parent.endsWith(slash) ? parent + name : parent + slash + name;
}
