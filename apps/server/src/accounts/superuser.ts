import type { Settings } from '../config/settings.ts';
import type { Log } from '../log.ts';
import { deriveKeys, type SecretKeys } from '../secret-key.ts';
import type { Db } from '../store/database.ts';
import { readSetting, writeSetting } from '../store/settings.ts';
import { findUserByEmail, listUsers, withAdminLock } from '../store/users.ts';
import { LOCAL_USER_ID } from '../local-user.ts';
import { type Accounts, emailOf } from './accounts.ts';

const SETTING = 'superuser';

/**
 * Makes sure that the configured admin exists, has the role admin and is enabled. Sets the password from the
 * environment when it creates the account, and again when the value in the environment changes. So a password that was
 * changed on the page stays until the operator sets another one. Stores a keyed digest of the last value to detect the
 * change.
 */
export async function ensureSuperuser(
  db: Db,
  accounts: Accounts,
  settings: Pick<Settings, 'superuser' | 'superuserPassword'>,
  secretKeys: SecretKeys,
  log: Log,
): Promise<void> {
  // Two processes that start at once would both find no account, and the second one's would be a duplicate.
  await withAdminLock(db, () => ensureWithLock(db, accounts, settings, secretKeys, log));
}

async function ensureWithLock(
  db: Db,
  accounts: Accounts,
  { superuser, superuserPassword }: Pick<Settings, 'superuser' | 'superuserPassword'>,
  secretKeys: SecretKeys,
  log: Log,
): Promise<void> {
  if (superuser === undefined || superuserPassword === undefined) {
    const admins = (await listUsers(db)).filter(
      ({ id, role, disabled }) => role === 'admin' && !disabled && id !== LOCAL_USER_ID,
    );
    if (admins.length === 0)
      log.warn(
        'there is no account to sign in with: set CROFT_SUPERUSER and CROFT_SUPERUSER_PASSWORD, and start again',
      );
    return;
  }
  const email = emailOf(superuser);
  const [fingerprint, ...older] = deriveKeys(secretKeys, `superuser ${email} ${superuserPassword}`);
  const known = await findUserByEmail(db, email);
  if (known === undefined) {
    const { id } = await accounts.create({ name: superuser, email, password: superuserPassword, role: 'admin' });
    log.info({ userId: id }, 'the admin account was created');
  } else {
    const stored = await readSetting(db, SETTING);
    const isOlder = older.some((one) => one === stored);
    const isNew = stored !== fingerprint && !isOlder;
    const isAdmin = known.role === 'admin' && !known.disabled;
    if (isAdmin && !isNew && !isOlder) return;
    if (!isAdmin || isNew) {
      await accounts.update(known.id, {
        ...(!isAdmin && { role: 'admin' as const, disabled: false }),
        ...(isNew && { password: superuserPassword }),
      });
      log.info(
        { userId: known.id },
        isNew ? 'the password of the admin was set from the environment' : 'the configured admin is an admin again',
      );
    }
  }
  await writeSetting(db, SETTING, fingerprint);
}
