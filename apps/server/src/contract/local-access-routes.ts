import { z } from 'zod';
import { defineRoutes } from './define-route.ts';

const localAccess = z.strictObject({
  state: z.enum(['off', 'setup', 'on']),
  directory: z.string().nullable(),
  canChange: z.boolean(),
});
const directoryPath = z.string().min(1).max(4_096);

/** Agents reading files of the machine that the server runs on. */
export const localAccessRoutes = defineRoutes('Local access', {
  getLocalAccess: {
    route: 'GET /api/v1/local-access',
    summary: "Get the directory of the server's own machine that agents may read, and its state",
    access: 'admin',
    response: localAccess,
  },
  setLocalDirectory: {
    route: 'PUT /api/v1/local-access',
    audit: true,
    summary: 'Choose the directory that agents may read, or end the access with null',
    access: 'session',
    body: z.strictObject({ directory: directoryPath.nullable() }),
    response: localAccess,
    errors: ['cannot_change', 'forbidden', 'outside', 'not_found', 'denied', 'not_directory'],
  },
  beginPicking: {
    route: 'POST /api/v1/local-access/picking',
    summary: 'Start choosing that directory. The page can list directories for ten minutes, or until one is chosen',
    access: 'session',
    body: z.strictObject({}),
    response: z.strictObject({ picking: z.string() }),
    errors: ['cannot_change', 'forbidden'],
  },
  listDirectories: {
    route: 'POST /api/v1/local-access/directories',
    summary: "List the directories in a directory of the server's own machine, while one is chosen",
    access: 'session',
    body: z.strictObject({ picking: z.string().min(1).max(100), path: directoryPath.optional() }),
    response: z.strictObject({
      path: z.string(),
      /** Null at the top. */
      parent: z.string().nullable(),
      directories: z.array(z.string()),
      truncated: z.boolean(),
    }),
    errors: ['cannot_change', 'forbidden', 'not_picking', 'not_found', 'denied', 'not_directory', 'outside'],
  },
});
