import type { Credential } from './admission.ts';
import type { DaemonOptions } from './daemon-options.ts';

/** The key with which the daemon connects to a server: the operator's, a new token, or that of an earlier session. */
export function credentialFor(
  server: string,
  token: string | undefined,
  { staticKey, settings, workspace }: Pick<DaemonOptions, 'staticKey' | 'settings' | 'workspace'>,
): Credential {
  if (staticKey !== undefined) return { kind: 'static', key: staticKey };
  const kept = settings.sessionFor(server, workspace.root);
  if (token !== undefined) return { kind: 'token', token, kept };
  if (kept !== undefined) return { kind: 'session', key: kept };
  throw new Error(
    `This computer has no earlier connection of this directory to ${server}. Open Connect a folder there and run the command it shows`,
  );
}

/** Stores or forgets the key of a session. A failure is only a warning: it has no effect before the next start. */
export function storeSession(
  server: string,
  key: string | undefined,
  { settings, workspace, tell }: Pick<DaemonOptions, 'settings' | 'workspace' | 'tell'>,
): void {
  try {
    if (key === undefined) settings.forgetSession(server, workspace.root);
    else settings.keepSession(server, workspace.root, key);
  } catch (error) {
    tell({ type: 'warning', message: (error as Error).message });
  }
}
