import { readFileSync, statSync, type Stats } from 'node:fs';
import { userInfo } from 'node:os';
import { dirname } from 'node:path';
import { StoreError } from './store-error.ts';

/** The account of PostgreSQL's processes. */
export interface PostgresUser {
  readonly uid: number;
  readonly gid: number;
  /** Whether this process is root and starts PostgreSQL as another account: PostgreSQL refuses to run as root. */
  readonly dropped: boolean;
  /** This process's own account name. PostgreSQL accepts only this account at its socket. */
  readonly clientName: string;
}

/**
 * Chooses the account. If this process is not root: its own account. If it is root: the owner of the data, else the owner of the base
 * directory, else the account `nobody`. Root and ids without an account do not qualify: PostgreSQL refuses to run as them.
 *
 * @throws StoreError `base_unusable` when this user has no account, or there is no `nobody`
 */
export function choosePostgresUser(baseDir: string, dataDir: string): PostgresUser {
  let clientName: string;
  try {
    clientName = userInfo().username;
  } catch (error) {
    throw new StoreError(
      'base_unusable',
      'This user id has no account (no line in /etc/passwd), and PostgreSQL does not run without one: add one, or set DATABASE_URL.',
      error,
    );
  }
  const uid = process.getuid?.() ?? 0;
  if (uid !== 0) return { uid, gid: process.getgid?.() ?? 0, dropped: false, clientName };
  const accounts = readAccounts();
  for (const directory of [dataDir, baseDir]) {
    const owner = statSync(directory, { throwIfNoEntry: false });
    const account = accounts.find((one) => one.uid === owner?.uid && one.uid !== 0);
    if (account) return { ...account, dropped: true, clientName };
  }
  const nobody = accounts.find((one) => one.name === 'nobody');
  if (!nobody)
    throw new StoreError(
      'base_unusable',
      'PostgreSQL refuses to run as root and there is no account nobody: start Croft as another user, or set DATABASE_URL.',
    );
  return { ...nobody, dropped: true, clientName };
}

function readAccounts(): { name: string; uid: number; gid: number }[] {
  return readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
    .filter((fields) => fields.length >= 4)
    .map(([name, , uid, gid]) => ({ name: String(name), uid: Number(uid), gid: Number(gid) }));
}

/** Whether the account may pass through every directory down to this one. */
export function canReach(directory: string, user: PostgresUser): boolean {
  for (let at = directory; ; at = dirname(at)) {
    if (!mayEnter(statSync(at), user)) return false;
    if (dirname(at) === at) return true;
  }
}

function mayEnter(stats: Stats, user: PostgresUser): boolean {
  if (stats.uid === user.uid) return (stats.mode & 0o100) !== 0;
  if (stats.gid === user.gid) return (stats.mode & 0o010) !== 0;
  return (stats.mode & 0o001) !== 0;
}
