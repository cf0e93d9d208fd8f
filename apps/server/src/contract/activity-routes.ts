import { VIA } from '@croft/tools';
import { z } from 'zod';
import { defineRoutes } from './define-route.ts';

/** Routes for the changes of the caller's files. */
export const activityRoutes = defineRoutes('Activity', {
  listRecentChanges: {
    route: 'GET /api/v1/activity/changes',
    summary: 'List the changes of your files, newest first, 20 a page',
    access: 'caller',
    query: z.object({
      /** Only changes by this run of a flow. */
      run: z.string().max(100).optional(),
      /** Only changes of this file, or of what is in this folder. A change of a folder above it counts too. */
      path: z.string().min(1).max(4096).optional(),
      /** The nextCursor of the page before. */
      cursor: z.string().max(100).optional(),
    }),
    response: z.strictObject({
      nextCursor: z.string().nullable(),
      changes: z.array(
        z.strictObject({
          id: z.string(),
          time: z.string(),
          /** The way the change came in; of a run, how it was started. */
          via: z.enum(VIA),
          /** The name an MCP client gave itself; it proves nothing. */
          client: z.string().nullable(),
          /** The name of the API key of the request, as it was then. */
          key: z.string().nullable(),
          /**
           * The flow whose run made the change, with its name at that time. Without ids for a flow in a file. `isRunKept`: the
           * run is still in the history.
           */
          flow: z
            .strictObject({
              id: z.string().nullable(),
              name: z.string(),
              runId: z.string().nullable(),
              isRunKept: z.boolean(),
            })
            .nullable(),
          tool: z.string(),
          /** Of the first path, and not of the folders it needed; null where no file of the user changed, such as for a component. */
          kind: z.enum(['create', 'update', 'append', 'delete', 'move', 'mkdir']).nullable(),
          /** At most three. */
          paths: z.array(z.string()),
          /** Further paths of the same change. */
          morePaths: z.number(),
          /** Whether `POST /api/v1/files/undo` can undo it for this caller, as far as the server knows without trying. */
          undo: z.enum(['possible', 'done', 'impossible']),
          /** The reason why it cannot be undone, in one sentence. */
          undoProblem: z.string().nullable(),
        }),
      ),
    }),
    errors: ['unavailable'],
  },
  readChangeDiff: {
    route: 'GET /api/v1/activity/changes/{id}/diff',
    summary: 'Compare the content of files before and after a change, at most 20 files of 256 KiB',
    access: 'caller',
    response: z.strictObject({
      files: z.array(
        z.strictObject({
          kind: z.enum(['create', 'update', 'append', 'delete', 'move']),
          path: z.string(),
          /** Of a move: the new path. */
          to: z.string().nullable(),
          /** Hunks of a unified diff, about 65,536 characters at most, lines cut after 2,000; empty if the text is the same. */
          diff: z.string().nullable(),
          /** Lines of the whole diff. */
          added: z.number(),
          removed: z.number(),
          isCut: z.boolean(),
          /** One sentence, without its period, that says why the files cannot be compared. Null with a diff. */
          problem: z.string().nullable(),
        }),
      ),
      /** Further files of the same change. */
      moreFiles: z.number(),
    }),
    errors: ['not_found', 'unavailable'],
  },
});
