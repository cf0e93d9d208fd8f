/**
 * A short token that changes whenever a file is replaced or written: modification time to the microsecond, size and
 * inode. It does not read the content: a writer that puts the old time back on an in-place change of equal size is
 * not seen. A rename keeps it.
 */
export function versionOf(stat: { mtimeMs: number; size: number; ino: number }): string {
  return `${Math.round(stat.mtimeMs * 1000).toString(36)}-${stat.size.toString(36)}-${stat.ino.toString(36)}`;
}

/** Whether two versions differ in the inode at most: the same file, copied to another file system and back in between. */
export function isSameButMoved(a: string, b: string): boolean {
  const [time, size] = a.split('-');
  return b.startsWith(`${time}-${size}-`);
}
