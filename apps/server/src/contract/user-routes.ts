import { z } from 'zod';
import { defineRoutes } from './define-route.ts';
import { displayName, newPassword, role, user } from './user-fields.ts';

const managedUser = user.extend({ disabled: z.boolean(), createdAt: z.string() });
const login = z
  .string()
  .trim()
  .min(1, 'give a name or an e-mail address')
  .max(320)
  .regex(/^[^\s@]+(@[^\s@]+)?$/, 'give a name or an e-mail address, without spaces');

/** Users, for admins. */
export const userRoutes = defineRoutes('Users', {
  listUsers: {
    route: 'GET /api/v1/users',
    summary: 'List all users, with their last activity, flows and storage',
    access: 'admin',
    response: z.strictObject({
      users: z.array(
        managedUser.extend({
          /** The last request of the user or of one of their keys. Null: none is known. */
          lastActiveAt: z.string().nullable(),
          flows: z.number().int(),
          /** Counted in the background, so the files may have changed since. Null: not counted yet. */
          storage: z
            .strictObject({
              /** Null: the files could not be read. */
              bytes: z.number().nullable(),
              countedAt: z.string(),
            })
            .nullable(),
        }),
      ),
      /** The limit of each user's files; null for none. */
      quotaBytes: z.number().nullable(),
    }),
  },
  createUser: {
    route: 'POST /api/v1/users',
    audit: true,
    summary: 'Add a user',
    access: 'admin-session',
    body: z.strictObject({ name: displayName, email: login, password: newPassword, role: role.default('user') }),
    response: z.strictObject({ user: managedUser }),
    status: 201,
    errors: ['auto_login', 'exists'],
  },
  updateUser: {
    route: 'PATCH /api/v1/users/{id}',
    audit: true,
    summary: 'Change a user. A new role or password, and disabling, end the sessions of that user at once',
    access: 'admin-session',
    body: z.strictObject({
      name: displayName.optional(),
      role: role.optional(),
      disabled: z.boolean().optional(),
      password: newPassword.optional(),
    }),
    response: z.strictObject({ user: managedUser }),
    errors: ['auto_login', 'last_admin', 'not_found'],
  },
  removeUser: {
    route: 'DELETE /api/v1/users/{id}',
    summary: 'Remove a user with all sessions and keys. The files stay on the disk',
    access: 'admin-session',
    response: z.strictObject({ id: z.string() }),
    errors: ['auto_login', 'last_admin', 'not_found', 'own_account'],
  },
});
