import type { Accounts } from '../accounts/accounts.ts';
import type { Settings } from '../config/settings.ts';
import { userRoutes } from '../contract/user-routes.ts';
import type { Db } from '../store/database.ts';
import type { StorageSurvey } from '../files/storage-survey.ts';
import { isLocalUser, listUsers, type User } from '../store/users.ts';
import type { Touches } from '../store/touches.ts';
import { readUserActivity } from '../store/user-activity.ts';
import { problem, type Route, route } from './route.ts';
import { shownUser } from './account-routes.ts';

export interface UserRouteOptions {
  readonly accounts: Accounts;
  readonly settings: Pick<Settings, 'autoLogin' | 'userQuotaBytes'>;
  readonly storage: () => Promise<Db>;
  readonly storageSurvey: Pick<StorageSurvey, 'read'>;
  readonly userTouches: Pick<Touches, 'flush'>;
}

/** Users, for admins. */
export function makeUserRoutes({ accounts, settings, storage, storageSurvey, userTouches }: UserRouteOptions): Route[] {
  const requireAccounts = () => {
    if (settings.autoLogin)
      throw problem(
        'auto_login',
        'This server has one local user. Start it with CROFT_AUTO_LOGIN=false to have accounts.',
      );
  };
  return [
    route(userRoutes.listUsers, async () => {
      const db = await storage();
      const all = await listUsers(db);
      const users = all.filter(({ id }) => settings.autoLogin || !isLocalUser(id));
      await userTouches.flush();
      const activityOf = await readUserActivity(db);
      const storageOf = storageSurvey.read(users.map(({ id }) => id));
      return {
        users: users.map((each) => {
          const { lastActiveAt, flows } = activityOf(each.id);
          const counted = storageOf(each.id);
          return {
            ...managed(each),
            lastActiveAt: lastActiveAt?.toISOString() ?? null,
            flows,
            storage: counted === undefined ? null : { ...counted, countedAt: counted.countedAt.toISOString() },
          };
        }),
        quotaBytes: settings.userQuotaBytes ?? null,
      };
    }),
    route(userRoutes.createUser, async ({ body }) => {
      requireAccounts();
      return { user: managed(await accounts.create(body)) };
    }),
    route(userRoutes.updateUser, async (call) => {
      requireAccounts();
      const user = await accounts.update(call.params.id, call.body);
      if (user === undefined) throw call.problem('not_found', 'There is no such user.');
      return { user: managed(user) };
    }),
    route(userRoutes.removeUser, async (call) => {
      requireAccounts();
      const { id } = call.params;
      if (id === call.caller.userId) throw call.problem('own_account', 'You cannot remove yourself.');
      if (!(await accounts.remove(id))) throw call.problem('not_found', 'There is no such user.');
      return { id };
    }),
  ];
}

function managed(user: User) {
  return { ...shownUser(user), disabled: user.disabled, createdAt: user.createdAt.toISOString() };
}
