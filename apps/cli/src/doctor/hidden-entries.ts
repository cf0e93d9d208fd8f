import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { LOCAL_USER_ID, readSharedMode } from '@croft/server/config';
import { findNamespace, readIsolationConfig, WorkspaceError } from '@croft/workspace';
import { namesIn } from './names-in.ts';
import type { Finding } from './report.ts';

const MAX_NAMED = 5;

/**
 * Finds real entries that a mount of the same name hides in the trees of the server.
 *
 * @param root the namespace of `user`, if one was named
 */
export function findHiddenEntries(
  baseDir: string,
  autoLogin: boolean,
  root: string | undefined,
  user: string | undefined,
): readonly Finding[] {
  const env = { CROFT_BASE_DIR: baseDir };
  const { baseDir: workspaces } = readIsolationConfig(env);
  if (autoLogin) {
    const hidden = user === undefined && hasOwnFiles(env) ? entriesNamed('mine', [join(workspaces, 'shared')]) : [];
    return hidden.length === 0 ? [] : [finding('mine/', hidden)];
  }
  if (readSharedMode(baseDir) === 'off') return [];
  const users = join(workspaces, 'users');
  const tops = user === undefined ? namesIn(users).map((name) => join(users, name)) : root === undefined ? [] : [root];
  const hidden = entriesNamed('shared', tops);
  return hidden.length === 0 ? [] : [finding('shared/', hidden)];
}

function finding(mount: string, hidden: readonly string[]): Finding {
  const more = hidden.length > MAX_NAMED ? ` and ${hidden.length - MAX_NAMED} more` : '';
  const named = hidden.slice(0, MAX_NAMED).join(', ');
  return {
    what: `The mount ${mount} hides ${hidden.length === 1 ? 'an entry' : 'entries'} of the same name: ${named}${more}`,
    advice: 'Rename it on the disk to reach its content',
  };
}

function hasOwnFiles(env: NodeJS.ProcessEnv): boolean {
  try {
    return findNamespace({ userId: LOCAL_USER_ID, forceIsolation: true, env }).exists;
  } catch (error) {
    if (error instanceof WorkspaceError) return false;
    throw error;
  }
}

function entriesNamed(name: string, dirs: readonly string[]): string[] {
  return dirs.map((dir) => join(dir, name)).filter((path) => lstatSync(path, { throwIfNoEntry: false }) !== undefined);
}
