import { useInfiniteQuery } from '@tanstack/react-query';
import { type FilesMount, folderPages } from '../api/files.ts';
import { BY_NAME } from './sort-entries.ts';

const NONE: readonly FilesMount[] = [];

/** The mounts at the top of the tree. */
export function useMounts(): readonly FilesMount[] {
  return useInfiniteQuery(folderPages('', BY_NAME)).data?.pages[0]?.mounts ?? NONE;
}

/** The mount that a folder or file is, or is below. */
export function mountOf(mounts: readonly FilesMount[], path: string): FilesMount | undefined {
  const [name] = path.split('/');
  return mounts.find((mount) => mount.name === name);
}

/** Whether the user can neither rename nor delete an entry: a mount, or what is in a read-only one. */
export function isFixed(mounts: readonly FilesMount[], path: string): boolean {
  const mount = mountOf(mounts, path);
  return mount !== undefined && (mount.readOnly || mount.name === path);
}

/** A word about a mount, beside its name. */
export function noteOf({ name, readOnly }: FilesMount): string {
  const whose = name === 'shared' ? 'All users' : 'Your own';
  return readOnly ? `${whose}, read-only` : whose;
}

/** A sentence that says whose files these are and what agents see. */
export function audienceOf(autoLogin: boolean, mounts: readonly FilesMount[]): string {
  const mount = mounts[0];
  if (autoLogin) {
    const all = 'Your agents work in these files, over MCP and REST.';
    return mount ? `${all} ${mount.name}/ holds your own files.` : all;
  }
  return mount
    ? `You and your agents see these files. Other users see only ${mount.name}/.`
    : 'Only you and your agents see these files.';
}
