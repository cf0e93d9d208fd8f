import { randomBytes } from 'node:crypto';

const PREFIX = '.croft-tmp-';

/** A name for a file that will be renamed into place in a moment: it tells whose it is, for the sweep. */
export function tempName(): string {
  return `${PREFIX}${process.pid}-${randomBytes(6).toString('hex')}`;
}

export function isTempName(name: string): boolean {
  return name.startsWith(PREFIX);
}

/** Whether the process that made this temporary file is gone, so that nobody will rename it any more. */
export function isAbandoned(name: string): boolean {
  const pid = Number(/^\.croft-tmp-(\d+)-[0-9a-f]{12}$/.exec(name)?.[1]);
  if (!Number.isInteger(pid) || pid <= 0) return false;
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}
