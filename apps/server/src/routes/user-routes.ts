import type { Accounts } from '../accounts/accounts.ts';
import type { Settings } from '../config/settings.ts';
import { userRoutes } from '../contract/user-routes.ts';
import type { Db } from '../store/database.ts';
import { isLocalUser, listUsers, type User } from '../store/users.ts';
import { problem, type Route, route } from './route.ts';
import { shownUser } from './account-routes.ts';

export interface UserRouteOptions {
  readonly accounts: Accounts;
  readonly settings: Pick<Settings, 'autoLogin'>;
  readonly storage: () => Promise<Db>;
}

/** Users, for admins. */
export function makeUserRoutes({ accounts, settings, storage }: UserRouteOptions): Route[] {
  const requireAccounts = () => {
    if (settings.autoLogin)
      throw problem(
        'auto_login',
        'This server has one local user. Start it with CROFT_AUTO_LOGIN=false to have accounts.',
      );
  };
  return [
    route(userRoutes.listUsers, async () => {
      const users = await listUsers(await storage());
      return { users: users.filter(({ id }) => settings.autoLogin || !isLocalUser(id)).map(managed) };
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
