import { findNamespace, openWorkspace } from '@croft/workspace';

/**
 * The bytes of a user's own files; 0 where nothing was written. Opens a workspace of its own, so that the namespaces that
 * requests use stay open.
 *
 * @throws WorkspaceError `unavailable`, and `cancelled` when the signal aborts
 */
export async function measureNamespace(baseDir: string, userId: string, signal: AbortSignal): Promise<number> {
  const env = { CROFT_BASE_DIR: baseDir, CROFT_AUTO_LOGIN: 'false' };
  const { root, exists } = findNamespace({ userId, forceIsolation: true, env });
  if (root === undefined || !exists) return 0;
  const workspace = openWorkspace(root, { baseDir, readOnly: true });
  try {
    return (await workspace.usage(signal)).bytes;
  } finally {
    workspace.close();
  }
}
