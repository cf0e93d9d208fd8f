import { type ActivityEntry, type Actor, type FinishedCall, undoEntries } from '@croft/tools';
import { type Change, type ChangeJournal, type Workspace, WorkspaceError } from '@croft/workspace';
import { z } from 'zod';
import type { CallerFiles } from '../files/caller-files.ts';
import { reporter } from '../files/caller-toolsets.ts';
import { findByName } from '../files/find-by-name.ts';
import type { Namespace } from '../files/namespaces.ts';
import type { Caller } from '../identity.ts';
import type { Parts } from '../parts.ts';
import { notFound, Problem } from '../problem.ts';
import type { Endpoints } from './endpoint.ts';

/** Programs of the time when there were two roots still send it. */
export const oldRoot = z.enum(['mine', 'shared'], 'there is one tree now: leave root out').optional();
export const filePath = z.string().min(1, 'give a path').max(4_096, 'the path is too long');
/** A folder; the root itself where nothing is said. */
const folderPath = z.string().max(4_096, 'the path is too long').default('');
const MAX_ENTRIES = 2_000;
const MAX_MATCHES = 200;
const MAX_DELETED = 500;
const changed = z.object({ path: z.string(), undo: z.string().optional() });

/** The tree of the caller. @throws Problem `invalid`; WorkspaceError `unavailable` */
export function filesOf(parts: Parts, caller: Caller, root: z.infer<typeof oldRoot>): CallerFiles {
  refuseOtherRoot(parts, root);
  return parts.files.open(caller.userId);
}

/** Refuses a `root` other than the top of the tree, so that nothing lands in the wrong place. @throws Problem `invalid` */
export function refuseOtherRoot({ settings }: Parts, root: z.infer<typeof oldRoot>): void {
  if (root === undefined || root === (settings.autoLogin ? 'shared' : 'mine')) return;
  const where = settings.autoLogin
    ? 'files of your own are below mine/, once there are any'
    : 'shared files are below shared/, where an admin mounted them';
  throw new Problem(400, 'invalid', `There is one tree now. Leave root out; ${where}.`);
}

/** The actor of a request, for the log of the workspace. */
export function actorOf({ via, userId }: Caller): Actor {
  return { userId, via: via === 'key' ? 'api' : 'page', client: null };
}

/**
 * Runs a change with its record, and tells open pages. `undo` is the id that takes it back; absent where
 * old content was not kept. A record that cannot be written fails no change.
 */
export async function onRecord<T extends { readonly changes: readonly Change[]; readonly bytesWritten?: number }>(
  parts: Pick<Parts, 'log'>,
  namespace: Namespace,
  call: { readonly caller: Caller; readonly tool: string; readonly paths: readonly string[] },
  act: (journal: ChangeJournal) => T | Promise<T>,
): Promise<{ outcome: T; undo: string | undefined }> {
  const { caller, tool, paths } = call;
  const record = namespace.activity.begin({ tool, actor: actorOf(caller), started: Date.now(), paths: () => paths });
  const finish = (finished: FinishedCall): void => {
    try {
      record.finish(finished);
    } catch (error) {
      reporter(parts)(error, tool);
    }
  };
  try {
    const outcome = await act(record);
    finish({ outcome: 'ok', changes: outcome.changes, bytes: outcome.bytesWritten });
    return { outcome, undo: isUndoable(outcome.changes) ? record.id : undefined };
  } catch (error) {
    finish({ outcome: error instanceof WorkspaceError ? error.code : 'internal' });
    throw error;
  }
}

/** Whether all that the changes replaced or removed is in the trash. */
function isUndoable(changes: readonly Change[]): boolean {
  const isKept = ({ kind, trash }: Change) => trash !== undefined || !(kind === 'update' || kind === 'delete');
  return changes.length > 0 && changes.every(isKept);
}

/** Browsing and changing files, all of it through the same workspace operations as an agent's. */
export function addFileRoutes(endpoints: Endpoints, parts: Parts): void {
  addReadingRoutes(endpoints, parts);
  addChangingRoutes(endpoints, parts);
}

function addReadingRoutes(endpoints: Endpoints, parts: Parts): void {
  endpoints.add(
    {
      method: 'get',
      path: '/api/v1/files',
      summary: 'What is in a folder',
      access: 'caller',
      query: z.object({ root: oldRoot, path: folderPath }),
      answer: z.object({
        path: z.string(),
        entries: z.array(
          z.object({
            name: z.string(),
            path: z.string(),
            type: z.enum(['file', 'dir']),
            size: z.number().nullable(),
            modifiedAt: z.string().nullable(),
          }),
        ),
        truncated: z.boolean(),
        mounts: z.array(z.object({ name: z.string(), readOnly: z.boolean(), hidesEntry: z.boolean() })),
      }),
    },
    ({ caller, query }) => {
      const { workspace, mounts } = filesOf(parts, caller, query.root);
      const path = plainPath(query.path);
      const { entries, total } = workspace.list(path || '.', { limit: MAX_ENTRIES, details: true });
      return {
        path,
        entries: entries.map((entry) => ({
          name: entry.name,
          path: path === '' ? entry.name : `${path}/${entry.name}`,
          type: entry.type === 'directory' ? 'dir' : 'file',
          size: entry.sizeBytes ?? null,
          modifiedAt: entry.modified ?? null,
        })),
        truncated: total > entries.length,
        mounts: mounts.map(({ name, readOnly, hidesEntry }) => ({ name, readOnly, hidesEntry })),
      };
    },
  );
  endpoints.add(
    {
      method: 'get',
      path: '/api/v1/files/usage',
      summary:
        'How many bytes are stored, and how many may be: in the files at the top, or in the mount of path. Takes longer the more files there are',
      access: 'caller',
      query: z.object({ root: oldRoot, path: folderPath }),
      answer: z.object({ usedBytes: z.number(), limitBytes: z.number().nullable() }),
    },
    async ({ caller, query }) => ({
      usedBytes: await filesOf(parts, caller, query.root)
        .namespaceOf(query.path || '.')
        .usedBytes(),
      limitBytes: parts.namespaces.limitBytes,
    }),
  );
  endpoints.add(
    {
      method: 'get',
      path: '/api/v1/files/search',
      summary: 'Find files by name or by what is in them',
      access: 'caller',
      query: z.object({
        root: oldRoot,
        q: z.string().min(1, 'give something to look for').max(500, 'at most 500 characters'),
        in: z.enum(['name', 'content']).default('name'),
      }),
      answer: z.object({
        matches: z.array(z.object({ path: z.string(), line: z.number().optional(), text: z.string().optional() })),
        truncated: z.boolean(),
      }),
    },
    ({ caller, query, context }) => {
      const { workspace } = filesOf(parts, caller, query.root);
      const { signal } = context.req.raw;
      return query.in === 'name' ? findByName(workspace, query.q, signal) : findByContent(workspace, query.q, signal);
    },
  );
}

async function findByContent(workspace: Workspace, pattern: string, signal: AbortSignal) {
  const { matches, truncated } = await workspace.grep({
    pattern,
    caseInsensitive: true,
    outputMode: 'content',
    maxMatches: MAX_MATCHES,
    maxLineChars: 300,
    signal,
  });
  return {
    matches: matches.map(({ path, lineNumber, line }) => ({
      path,
      ...(lineNumber !== undefined && { line: lineNumber }),
      ...(line !== undefined && { text: line }),
    })),
    truncated,
  };
}

function addChangingRoutes(endpoints: Endpoints, parts: Parts): void {
  endpoints.add(
    {
      method: 'post',
      path: '/api/v1/files/mkdir',
      summary: 'Make a folder',
      access: 'caller',
      body: z.object({ root: oldRoot, path: filePath }),
      answer: changed,
    },
    async ({ caller, body }) => {
      const { workspace, namespaceOf } = filesOf(parts, caller, body.root);
      const call = { caller, tool: 'create_dir', paths: [body.path] };
      const { outcome, undo } = await onRecord(parts, namespaceOf(body.path), call, (journal) =>
        workspace.createDir(body.path, { journal }),
      );
      if (!outcome.created) throw new Problem(409, 'exists', `There is a folder at ${body.path} already.`);
      return { path: plainPath(body.path), undo };
    },
  );
  endpoints.add(
    {
      method: 'post',
      path: '/api/v1/files/move',
      summary: 'Rename or move a file or folder to a free name',
      access: 'caller',
      body: z.object({ root: oldRoot, from: filePath, to: filePath }),
      answer: changed,
    },
    async ({ caller, body }) => {
      const { workspace, namespaceOf } = filesOf(parts, caller, body.root);
      const call = { caller, tool: 'move_path', paths: [body.from, body.to] };
      const { undo } = await onRecord(parts, namespaceOf(body.to), call, (journal) =>
        workspace.move(body.from, body.to, { journal }),
      );
      return { path: plainPath(body.to), undo };
    },
  );
  endpoints.add(
    {
      method: 'post',
      path: '/api/v1/files/delete',
      summary:
        'Put files and folders into the trash, all of them or none; permanent: true deletes also what is too large for it',
      access: 'caller',
      body: z
        .object({
          root: oldRoot,
          path: filePath.optional(),
          paths: z.array(filePath).min(1).max(MAX_DELETED, `at most ${MAX_DELETED} paths`).optional(),
          permanent: z.boolean().default(false),
        })
        .refine(({ path, paths }) => (path === undefined) !== (paths === undefined), 'give either path or paths'),
      answer: changed,
    },
    async ({ caller, body, context }) => {
      const { workspace, namespaceOf } = filesOf(parts, caller, body.root);
      const paths = body.paths ?? [body.path as string];
      const { signal } = context.req.raw;
      const call = { caller, tool: 'delete_path', paths };
      const { undo } = await onRecord(parts, namespaceOf(paths[0] as string), call, async (journal) => {
        const options = { recursive: true, permanent: body.permanent, signal, journal };
        const done = await workspace.deleteAll(paths, options);
        return { changes: done.flatMap(({ changes }) => changes) };
      });
      return { path: plainPath(paths[0] as string), undo };
    },
  );
  endpoints.add(
    {
      method: 'post',
      path: '/api/v1/files/undo',
      summary: 'Take back a change of files, by the id its answer gave',
      access: 'caller',
      body: z.object({ undo: z.string().min(1).max(100) }),
      answer: z.object({ path: z.string() }),
    },
    async ({ caller, body, context }) => {
      const found = findChange(parts, caller, body.undo);
      if (found === undefined) throw notFound('There is nothing to take back by this id.');
      const { namespace, workspace, entry } = found;
      const [undone] = await undoEntries(workspace, namespace.activity, [entry], actorOf(caller), {
        signal: context.req.raw.signal,
      });
      namespace.changed();
      if (!undone?.ok) throw new Problem(409, 'changed', undone?.problem ?? 'It could not be taken back.');
      return { path: entry.paths[0] ?? '' };
    },
  );
}

/** A change in the caller's tree. Of files that other users change too, only changes of the caller. */
function findChange(parts: Parts, caller: Caller, id: string) {
  const { top, mounts } = parts.files.open(caller.userId);
  const isOwn = ({ actor }: ActivityEntry) => actor.userId === caller.userId && actor.via !== 'mcp';
  for (const { namespace, readOnly } of [{ namespace: top, readOnly: false }, ...mounts]) {
    const isOthersToo = namespace.root === 'shared' && !parts.settings.autoLogin;
    const entry = namespace.activity.entries().find((one) => one.id === id && (!isOthersToo || isOwn(one)));
    if (entry) return { namespace, entry, workspace: readOnly ? namespace.readOnly : namespace.workspace };
  }
  return undefined;
}

/** A path as answers give it: without slashes at the ends. */
export function plainPath(path: string): string {
  const parts = path.split('/').filter((part) => part !== '' && part !== '.');
  return parts.join('/');
}
