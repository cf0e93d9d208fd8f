import { findNamespace, namespaceMode, openWorkspace, WorkspaceError } from '@croft/workspace';
import type { Examined, NamespaceReport } from './report.ts';

/** Stands for a user whose files are nowhere yet: what is above them is looked at the same way. */
const ANY_USER = 'doctor';

/**
 * Tries what a call tries to reach its files: those of the server, or those of one user. Makes nothing: where a directory
 * is missing, permissions tell whether it could be made.
 *
 * @param user an id, as `croft mcp --user` takes it
 */
export function examineNamespace(
  baseDir: string,
  autoLogin: boolean,
  user: string | undefined,
): Examined<NamespaceReport> {
  const env = { CROFT_BASE_DIR: baseDir, CROFT_AUTO_LOGIN: String(autoLogin) };
  const request = { userId: user ?? ANY_USER, forceIsolation: user !== undefined, env };
  const known = { auto_login: autoLogin, mode: namespaceMode(request) };
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
    const isOfSomebody = autoLogin || user !== undefined;
    const report = { ...known, effective_root: (isOfSomebody && root) || null, resolution_error: null };
    return { report, problems: [], notes: [] };
  } catch (error) {
    if (!(error instanceof WorkspaceError)) throw error;
    const resolution_error = error.operatorMessage;
    const report = { ...known, effective_root: null, resolution_error };
    const advice = 'Every call on these files fails until this is fixed';
    return { report, problems: [{ what: resolution_error.replace(/\.$/, ''), advice }], notes: [] };
  }
}
