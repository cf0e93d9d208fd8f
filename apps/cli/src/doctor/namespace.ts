import { LOCAL_USER_ID, readSharedMode } from '@croft/server/config';
import {
  findBrokenNamespaces,
  findNamespace,
  namespaceMode,
  type NamespaceRequest,
  openWorkspace,
  WorkspaceError,
} from '@croft/workspace';
import { findHiddenEntries } from './hidden-entries.ts';
import type { Examined, Finding, NamespaceReport } from './report.ts';

/** A user without files: tests the directories above the namespaces and the pepper. */
const ANY_USER = 'doctor';
const MAX_NAMED = 5;

/**
 * Tries what a call tries to reach its files: those of the server, or those of one user. A tree of the server has a mount
 * too: `mine/` without accounts, `shared/` with accounts if an admin chose it. Makes nothing: where a directory is missing,
 * permissions tell whether it could be made.
 *
 * @param user an id, as `croft mcp --user` takes it
 */
export async function examineNamespace(
  baseDir: string,
  autoLogin: boolean,
  user: string | undefined,
): Promise<Examined<NamespaceReport>> {
  const env = { CROFT_BASE_DIR: baseDir, CROFT_AUTO_LOGIN: String(autoLogin) };
  const top = { userId: user ?? ANY_USER, forceIsolation: user !== undefined, env };
  const known = { auto_login: autoLogin, mode: namespaceMode(top) };
  const [own, ...mounted] = [top, ...mountsOf(top, baseDir, autoLogin)].map((request) =>
    tryNamespace(request, baseDir),
  );
  const isOfSomebody = autoLogin || user !== undefined;
  const report = {
    ...known,
    effective_root: (isOfSomebody && own?.root) || null,
    resolution_error: own?.error ?? null,
  };
  const errors = new Set([own, ...mounted].flatMap((tried) => tried?.error ?? []));
  const problems = [...errors].map((error) => ({
    what: error.replace(/\.$/, ''),
    advice: 'Every call on these files fails until this is fixed',
  }));
  if (user === undefined) problems.push(...linkedNamespaces(await findBrokenNamespaces(env), errors));
  return { report, problems, notes: findHiddenEntries(baseDir, autoLogin, own?.root, user) };
}

/** The namespaces that the server mounts in the tree of which `top` is the top. */
function mountsOf(top: NamespaceRequest, baseDir: string, autoLogin: boolean): NamespaceRequest[] {
  if (autoLogin) return top.forceIsolation ? [] : [{ ...top, userId: LOCAL_USER_ID, forceIsolation: true }];
  if (readSharedMode(baseDir) === 'off') return [];
  return [{ env: { ...top.env, CROFT_AUTO_LOGIN: 'true' } }];
}

function tryNamespace(request: NamespaceRequest, baseDir: string): { root?: string | undefined; error?: string } {
  try {
    const { root, exists } = findNamespace(request);
    if (exists && root !== undefined) {
      const workspace = openWorkspace(root, { baseDir, readOnly: true });
      try {
        workspace.list('.', { limit: 1 });
      } finally {
        workspace.close();
      }
    }
    return { root };
  } catch (error) {
    if (!(error instanceof WorkspaceError)) throw error;
    return { error: error.operatorMessage };
  }
}

function linkedNamespaces(broken: readonly string[], reported: ReadonlySet<string>): Finding[] {
  const others = broken.filter((path) => ![...reported].some((error) => error.includes(path)));
  if (others.length === 0) return [];
  const named = others.slice(0, MAX_NAMED).join(', ');
  const more = others.length > MAX_NAMED ? ` and ${others.length - MAX_NAMED} more` : '';
  return [
    {
      what: `Not a directory, but the name of a user's files: ${named}${more}`,
      advice: 'Put the directory back: a symbolic link is not followed there. Every call of that user fails until then',
    },
  ];
}
