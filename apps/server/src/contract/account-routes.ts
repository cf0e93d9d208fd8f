import { z } from 'zod';
import { defineRoutes, raw } from './define-route.ts';
import { anyPassword, displayName, newPassword, user } from './user-fields.ts';

/** The caller's own account, and signing in and out. */
export const accountRoutes = defineRoutes('Account', {
  getMe: {
    route: 'GET /api/v1/me',
    summary: 'Get the signed-in user and facts about this server',
    access: 'anyone',
    response: z.strictObject({
      user: user.nullable(),
      autoLogin: z.boolean(),
      version: z.string(),
      publicUrl: z.string().nullable(),
      basePath: z.string(),
      features: z.strictObject({ gateway: z.boolean() }),
    }),
  },
  signIn: {
    route: 'POST /api/v1/session',
    summary: 'Sign in with a name or an e-mail address and a password. The response sets the session cookie',
    access: 'anyone',
    body: z.strictObject({
      login: z.string().min(1, 'give a name or an e-mail address').max(320),
      password: anyPassword,
    }),
    maxBodyBytes: 16 * 1024,
    response: z.strictObject({ user }),
    errors: ['auto_login', 'too_many_attempts', 'wrong_credentials'],
  },
  signOut: {
    route: 'DELETE /api/v1/session',
    summary: 'Sign out',
    access: 'session',
    response: z.strictObject({}),
  },
  updateMe: {
    route: 'PATCH /api/v1/me',
    audit: true,
    summary: 'Change your name or password. A new password ends your other sessions',
    access: 'session',
    body: z.strictObject({
      name: displayName.optional(),
      password: z.strictObject({ current: anyPassword, next: newPassword }).optional(),
    }),
    response: z.strictObject({ user }),
    errors: ['auto_login', 'too_many_attempts', 'wrong_password'],
  },
});

/** How the local user of a server without accounts gets a session. */
export const localSignInRoutes = defineRoutes('Account', {
  openPage: {
    route: 'GET /open',
    summary: 'Open the page with a one-time code',
    access: 'anyone',
    response: raw('A redirect to the page, with a session cookie when the code was right', ['text/html'], [303]),
    isHidden: true,
  },
  createOneTimeUrl: {
    route: 'POST /api/v1/one-time-url',
    summary: 'Create a one-time address of the page, for programs of this machine',
    access: 'anyone',
    response: z.strictObject({ url: z.string() }),
    errors: ['not_signed_in'],
    isHidden: true,
  },
});
