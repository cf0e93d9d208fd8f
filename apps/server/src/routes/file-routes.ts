import { type ActivityEntry, type Actor, type FinishedCall, undoEntries } from '@croft/tools';
import { type Change, type ChangeJournal, WorkspaceError } from '@croft/workspace';
import { z } from 'zod';
import { reporter } from '../files/caller-tools.ts';
import { findByName } from '../files/find-by-name.ts';
import type { Namespace } from '../files/namespaces.ts';
import type { Caller } from '../identity.ts';
import type { Parts } from '../parts.ts';
import { notFound, Problem } from '../problem.ts';
import type { Endpoints } from './endpoint.ts';

export const rootName = z.enum(['mine', 'shared'], 'root is mine or shared');
export const filePath = z.string().min(1, 'give a path').max(4_096, 'the path is too long');
/** A folder; the root itself where nothing is said. */
const folderPath = z.string().max(4_096, 'the path is too long').default('');
const MAX_ENTRIES = 2_000;
const MAX_MATCHES = 200;
const MAX_DELETED = 500;
const changed = z.object({ path: z.string(), undo: z.string().optional() });

/** Whose files a request means. */
export function namespaceOf(parts: Parts, caller: Caller, root: z.infer<typeof rootName>): Namespace {
  return root === 'shared' ? parts.namespaces.shared() : parts.namespaces.mineOf(caller.userId);
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
      query: z.object({ root: rootName, path: folderPath }),
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
      }),
    },
    async ({ caller, query }) => {
      const namespace = namespaceOf(parts, caller, query.root);
      const path = plainPath(query.path);
      const { entries, total } = namespace.workspace.list(path || '.', { limit: MAX_ENTRIES, details: true });
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
      };
    },
  );
  endpoints.add(
    {
      method: 'get',
      path: '/api/v1/files/usage',
      summary: 'How many bytes are stored, and how many may be. Takes longer the more files there are',
      access: 'caller',
      query: z.object({ root: rootName }),
      answer: z.object({ usedBytes: z.number(), limitBytes: z.number().nullable() }),
    },
    async ({ caller, query }) => ({
      usedBytes: await namespaceOf(parts, caller, query.root).usedBytes(),
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
        root: rootName,
        q: z.string().min(1, 'give something to look for').max(500, 'at most 500 characters'),
        in: z.enum(['name', 'content']).default('name'),
      }),
      answer: z.object({
        matches: z.array(z.object({ path: z.string(), line: z.number().optional(), text: z.string().optional() })),
        truncated: z.boolean(),
      }),
    },
    ({ caller, query, context }) => {
      const { workspace } = namespaceOf(parts, caller, query.root);
      const { signal } = context.req.raw;
      return query.in === 'name' ? findByName(workspace, query.q, signal) : findByContent(workspace, query.q, signal);
    },
  );
}

async function findByContent(workspace: Namespace['workspace'], pattern: string, signal: AbortSignal) {
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
      body: z.object({ root: rootName, path: filePath }),
      answer: changed,
    },
    async ({ caller, body }) => {
      const namespace = namespaceOf(parts, caller, body.root);
      const call = { caller, tool: 'create_dir', paths: [body.path] };
      const { outcome, undo } = await onRecord(parts, namespace, call, (journal) =>
        namespace.workspace.createDir(body.path, { journal }),
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
      body: z.object({ root: rootName, from: filePath, to: filePath }),
      answer: changed,
    },
    async ({ caller, body }) => {
      const namespace = namespaceOf(parts, caller, body.root);
      const call = { caller, tool: 'move_path', paths: [body.from, body.to] };
      const { undo } = await onRecord(parts, namespace, call, (journal) =>
        namespace.workspace.move(body.from, body.to, { journal }),
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
          root: rootName,
          path: filePath.optional(),
          paths: z.array(filePath).min(1).max(MAX_DELETED, `at most ${MAX_DELETED} paths`).optional(),
          permanent: z.boolean().default(false),
        })
        .refine(({ path, paths }) => (path === undefined) !== (paths === undefined), 'give either path or paths'),
      answer: changed,
    },
    async ({ caller, body, context }) => {
      const namespace = namespaceOf(parts, caller, body.root);
      const paths = body.paths ?? [body.path as string];
      const { signal } = context.req.raw;
      const { undo } = await onRecord(parts, namespace, { caller, tool: 'delete_path', paths }, async (journal) => {
        const options = { recursive: true, permanent: body.permanent, signal, journal };
        const done = await namespace.workspace.deleteAll(paths, options);
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
    async ({ caller, body }) => {
      const found = findChange(parts, caller, body.undo);
      if (found === undefined) throw notFound('There is nothing to take back by this id.');
      const [undone] = await undoEntries(
        found.namespace.workspace,
        found.namespace.activity,
        [found.entry],
        actorOf(caller),
      );
      found.namespace.changed();
      if (!undone?.ok) throw new Problem(409, 'changed', undone?.problem ?? 'It could not be taken back.');
      return { path: found.entry.paths[0] ?? '' };
    },
  );
}

/** A change in the caller's own files, or one of the caller's in the shared ones. */
function findChange(parts: Parts, caller: Caller, id: string) {
  const mine = parts.namespaces.mineOf(caller.userId);
  const own = mine.activity.entries().find((entry) => entry.id === id);
  if (own) return { namespace: mine, entry: own };
  const shared = parts.namespaces.shared();
  const isOwn = ({ actor }: ActivityEntry) => actor.userId === caller.userId && actor.via !== 'mcp';
  const entry = shared.activity.entries().find((one) => one.id === id && isOwn(one));
  return entry && { namespace: shared, entry };
}

/** A path as answers give it: without slashes at the ends. */
export function plainPath(path: string): string {
  const parts = path.split('/').filter((part) => part !== '' && part !== '.');
  return parts.join('/');
}
