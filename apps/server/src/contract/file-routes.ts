import { z } from 'zod';
import { defineRoutes, raw } from './define-route.ts';
import type { ProblemCode } from './problem-codes.ts';

/** Older programs send it, from versions with two roots. New routes do not have it. */
const oldRoot = z.enum(['mine', 'shared'], 'there is one tree now: leave root out').optional();
const filePath = z.string().min(1, 'give a path').max(4_096, 'the path is too long');
/** The top of the tree by default. */
const folderPath = z.string().max(4_096, 'the path is too long').default('');
const flag = z.enum(['0', '1', 'true', 'false']).optional();
const MAX_DELETED = 500;
const MAX_LISTED = 2_000;

/** Codes of the workspace for a path that cannot be read. */
const READ_ERRORS = [
  'binary',
  'busy',
  'cancelled',
  'deadline',
  'denied',
  'invalid',
  'io',
  'is_directory',
  'link_outside',
  'mounted',
  'not_directory',
  'not_found',
  'not_regular',
  'not_text',
  'outside',
  'too_large',
  'unavailable',
] as const satisfies readonly ProblemCode[];

/** Codes of the workspace for a change that cannot be made. */
const CHANGE_ERRORS = [
  ...READ_ERRORS,
  'changed',
  'exists',
  'hard_linked',
  'not_empty',
  'not_undoable',
  'quota_exceeded',
  'read_only',
] as const satisfies readonly ProblemCode[];

/** `undo` reverts the change; absent if the old content was not kept. */
const changed = z.strictObject({ path: z.string(), undo: z.string().optional() });

/** The files of the caller: one tree, the same for pages, REST and MCP. */
export const fileRoutes = defineRoutes('Files', {
  listFiles: {
    route: 'GET /api/v1/files',
    summary: 'List a folder, one page at a time. Folders come first in every order',
    access: 'caller',
    query: z.object({
      root: oldRoot,
      path: folderPath,
      sort: z.enum(['name', 'size', 'modified']).default('name'),
      order: z.enum(['asc', 'desc']).default('asc'),
      /** The nextCursor of the page before, in the same order. */
      cursor: z.string().max(2_000).optional(),
      limit: z.coerce.number().int().min(1).max(MAX_LISTED).default(MAX_LISTED),
    }),
    response: z.strictObject({
      path: z.string(),
      entries: z.array(
        z.strictObject({
          name: z.string(),
          /** Relative to the top of the tree, with slashes and without a leading one. */
          path: z.string(),
          type: z.enum(['file', 'dir']),
          size: z.number().nullable(),
          modifiedAt: z.string().nullable(),
        }),
      ),
      /** All entries of the folder, on every page. */
      total: z.number(),
      /** Continues behind this page; null on the last one. */
      nextCursor: z.string().nullable(),
      /** There are more entries behind this page. */
      truncated: z.boolean(),
      /** Folders at the top of the tree that hold other files. */
      mounts: z.array(
        z.strictObject({
          name: z.enum(['mine', 'shared']),
          readOnly: z.boolean(),
          /** The mount hides a real entry of this name. */
          hidesEntry: z.boolean(),
        }),
      ),
    }),
    errors: READ_ERRORS,
  },
  getUsage: {
    route: 'GET /api/v1/files/usage',
    summary:
      'Get the stored bytes and their limit, for the files at the top or for the mount that contains path. Slower with more files',
    access: 'caller',
    query: z.object({ root: oldRoot, path: folderPath }),
    response: z.strictObject({ usedBytes: z.number(), limitBytes: z.number().nullable() }),
    errors: READ_ERRORS,
  },
  searchFiles: {
    route: 'GET /api/v1/files/search',
    summary: 'Find files by name or by content',
    access: 'caller',
    query: z.object({
      root: oldRoot,
      q: z.string().min(1, 'give a text to search for').max(500, 'at most 500 characters'),
      in: z.enum(['name', 'content']).default('name'),
    }),
    response: z.strictObject({
      matches: z.array(z.strictObject({ path: z.string(), line: z.number().optional(), text: z.string().optional() })),
      truncated: z.boolean(),
    }),
    errors: READ_ERRORS,
  },
  makeFolder: {
    route: 'POST /api/v1/files/mkdir',
    summary: 'Create a folder',
    access: 'caller',
    body: z.strictObject({ root: oldRoot, path: filePath }),
    response: changed,
    errors: CHANGE_ERRORS,
  },
  moveFile: {
    route: 'POST /api/v1/files/move',
    summary: 'Rename or move a file or folder to a free name',
    access: 'caller',
    body: z.strictObject({ root: oldRoot, from: filePath, to: filePath }),
    response: changed,
    errors: CHANGE_ERRORS,
  },
  deleteFiles: {
    route: 'POST /api/v1/files/delete',
    audit: true,
    summary:
      'Move files and folders to the trash, all of them or none. permanent also deletes files that are too large for the trash',
    access: 'caller',
    body: z
      .strictObject({
        root: oldRoot,
        path: filePath.optional(),
        paths: z.array(filePath).min(1).max(MAX_DELETED, `at most ${MAX_DELETED} paths`).optional(),
        permanent: z.boolean().default(false),
      })
      .refine(({ path, paths }) => (path === undefined) !== (paths === undefined), 'give either path or paths'),
    response: changed,
    errors: CHANGE_ERRORS,
  },
  undoChange: {
    route: 'POST /api/v1/files/undo',
    summary: 'Undo a change of files, by the id in its response',
    access: 'caller',
    body: z.strictObject({ undo: z.string().min(1).max(100) }),
    response: z.strictObject({ path: z.string() }),
    errors: CHANGE_ERRORS,
  },
  downloadFile: {
    route: 'GET /api/v1/files/content',
    summary:
      'Download a file, or one part of it with Range: bytes=…. Browsers display text, PNG, JPEG, GIF and WebP, and save other types',
    access: 'caller',
    query: z.object({ root: oldRoot, path: filePath, download: flag }),
    response: raw('The bytes', ['application/octet-stream', '*/*'], [200, 206]),
    errors: [...READ_ERRORS, 'range_not_satisfiable'],
  },
  uploadFile: {
    route: 'PUT /api/v1/files/content',
    summary:
      'Store a file. A page sends the header X-Croft: 1. With `If-Match` and the `ETag` of a download it is only stored if the file has not changed since',
    access: 'caller',
    query: z.object({
      root: oldRoot,
      path: filePath,
      overwrite: flag,
      permanent: flag,
      /** The entry of the activity log is an edit of a text, or a file of a template, instead of an upload. */
      by: z.enum(['editor', 'template']).optional(),
    }),
    body: raw('The bytes of the file', ['application/octet-stream', '*/*']),
    response: z.strictObject({ path: z.string(), size: z.number(), undo: z.string().optional() }),
    status: 201,
    errors: [...CHANGE_ERRORS, 'too_many_uploads'],
  },
  readAgenticFile: {
    route: 'GET /api/v1/agentic/files',
    summary: 'Read a text file of the caller',
    access: 'caller',
    response: raw('The text', ['text/plain', 'application/octet-stream']),
    errors: ['unavailable', 'invalid'],
    isHidden: true,
  },
});
