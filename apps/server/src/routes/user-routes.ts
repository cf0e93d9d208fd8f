import { z } from 'zod';
import type { Parts } from '../parts.ts';
import { notFound, Problem } from '../problem.ts';
import { listUsers, type User } from '../store/users.ts';
import { isLocalUser, newPassword, shownUser } from './account-routes.ts';
import type { Endpoints } from './endpoint.ts';

const managedUser = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  role: z.enum(['admin', 'user']),
  disabled: z.boolean(),
  createdAt: z.string(),
});
const name = z.string().trim().min(1, 'give a name').max(100, 'at most 100 characters');
const email = z
  .string()
  .trim()
  .min(1, 'give a name or an e-mail address')
  .max(320)
  .regex(/^[^\s@]+(@[^\s@]+)?$/, 'give a name or an e-mail address, without spaces');
const role = z.enum(['admin', 'user']);

/** Users, for admins. */
export function addUserRoutes(endpoints: Endpoints, parts: Parts): void {
  const { accounts, settings } = parts;
  const requireAccounts = () => {
    if (settings.autoLogin)
      throw new Problem(
        409,
        'auto_login',
        'This server has one local user. Start it with CROFT_AUTO_LOGIN=false to have accounts.',
      );
  };
  endpoints.add(
    {
      method: 'get',
      path: '/api/v1/users',
      summary: 'All users',
      access: 'admin',
      answer: z.object({ users: z.array(managedUser) }),
    },
    async () => {
      const users = await listUsers(await parts.storage());
      return { users: users.filter(({ id }) => settings.autoLogin || !isLocalUser(id)).map(managed) };
    },
  );
  endpoints.add(
    {
      method: 'post',
      path: '/api/v1/users',
      summary: 'Add a user',
      access: 'admin-session',
      body: z.object({ name, email, password: newPassword, role: role.default('user') }),
      answer: z.object({ user: managedUser }),
      status: 201,
    },
    async ({ body }) => {
      requireAccounts();
      return { user: managed(await accounts.create(body)) };
    },
  );
  endpoints.add(
    {
      method: 'patch',
      path: '/api/v1/users/:id',
      summary: 'Change a user; a new role, a new password and being disabled end their sessions at once',
      access: 'admin-session',
      body: z.object({
        name: name.optional(),
        role: role.optional(),
        disabled: z.boolean().optional(),
        password: newPassword.optional(),
      }),
      answer: z.object({ user: managedUser }),
    },
    async ({ body, param }) => {
      requireAccounts();
      const user = await accounts.update(param('id'), body);
      if (user === undefined) throw notFound('There is no such user.');
      return { user: managed(user) };
    },
  );
  endpoints.add(
    {
      method: 'delete',
      path: '/api/v1/users/:id',
      summary: 'Remove a user with sessions and keys; the files stay on the disk',
      access: 'admin-session',
      answer: z.object({ id: z.string() }),
    },
    async ({ caller, param }) => {
      requireAccounts();
      const id = param('id');
      if (id === caller.userId) throw new Problem(409, 'own_account', 'You cannot remove yourself.');
      if (!(await accounts.remove(id))) throw notFound('There is no such user.');
      return { id };
    },
  );
}

function managed(user: User) {
  return { ...shownUser(user), disabled: user.disabled, createdAt: user.createdAt.toISOString() };
}
