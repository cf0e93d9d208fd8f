import { randomBytes } from 'node:crypto';
import { lstatSync, type Stats, unlinkSync } from 'node:fs';
import { WorkspaceError } from '../errors.ts';
import { type Dir, sameFile } from '../resolve/dir.ts';
import type { Located } from '../resolve/locate.ts';
import type { Native } from '../resolve/native.ts';
import { isUnchanged, Outdated } from './outdated.ts';

const ENOENT = 2;
/** Tries to have the temporary file back from a name that other programs exchange over and over. */
const MAX_TRIES = 64;

/** A finished temporary file, or a kept one: where it is, and what it is. */
export interface Temp {
  readonly home: Pick<Dir, 'fd' | 'at'>;
  readonly name: string;
  readonly made: Stats;
  /** Of a directory: the digest of its content. */
  readonly tree?: string | undefined;
}

/**
 * Puts the temporary file in the place of a file and removes the file that came out, if that is the one in `found`.
 * Otherwise another program changed it in the last moment: everything is put back.
 *
 * @returns `false`, with nothing done, where names cannot be exchanged
 * @throws Outdated when something else came out
 */
export function exchangeFor(native: Native | undefined, found: Located, { home, name, made }: Temp): boolean {
  if (!native) return false;
  const swap = () => native.exchange(home.fd, name, found.dir.fd, found.name);
  const failed = swap();
  if (failed === -ENOENT) throw new Outdated();
  // EINVAL and ENOSYS: not on this file system. For other failures the plain rename throws Node's error.
  if (failed !== 0) return false;
  if (isOut(native, found, home, name)) {
    if (native.unlink(home.fd, name) !== 0) unlinkSync(home.at(name));
    return true;
  }
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    // The name was deleted meanwhile: then it is free for the file that came out.
    const back = swap() === 0 ? lstatSync(home.at(name), { throwIfNoEntry: false }) : undefined;
    if (back && sameFile(back, made)) throw new Outdated();
    if (!back && native.renameNoReplace(home.fd, name, found.dir.fd, found.name) === 0) throw new Outdated();
  }
  throw setAside(native, found, home.fd, name);
}

function isOut(native: Native, found: Located, home: Temp['home'], name: string): boolean {
  if (found.stat && native.isStill(home.fd, name, found.stat)) return true;
  const out = lstatSync(home.at(name), { throwIfNoEntry: false });
  return out !== undefined && isUnchanged(out, found.stat);
}

/** The last resort: content of another program is given a visible name beside, so that it is not lost. */
function setAside(native: Native, found: Located, fromFd: number, name: string): WorkspaceError {
  const beside = `${found.name}.croft-kept-${randomBytes(4).toString('hex')}`;
  native.renameNoReplace(fromFd, name, found.dir.fd, beside);
  return new WorkspaceError(
    'changed',
    `Another program keeps replacing ${found.path.written}. A version of it was kept beside it as ${beside}`,
  );
}
