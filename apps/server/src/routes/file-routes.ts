import { undoEntries } from '@croft/tools';
import type { Workspace } from '@croft/workspace';
import type { Settings } from '../config/settings.ts';
import { fileRoutes } from '../contract/file-routes.ts';
import type { CallerFiles, FilesOfCallers } from '../files/caller-files.ts';
import { findByName } from '../files/find-by-name.ts';
import { refuseNewNames } from '../files/new-name.ts';
import type { Namespaces } from '../files/namespaces.ts';
import { actorOf } from '../files/actor-of.ts';
import { onRecord } from '../files/on-record.ts';
import { mayUndo, namespacesOf } from '../files/undoable-changes.ts';
import type { Caller } from '../identity.ts';
import type { Log } from '../log.ts';
import { problem, type Route, route } from './route.ts';

const MAX_MATCHES = 200;

export interface FileRouteOptions {
  readonly files: FilesOfCallers;
  readonly log: Log;
  readonly namespaces: Pick<Namespaces, 'limitBytes'>;
  readonly settings: Pick<Settings, 'autoLogin'>;
}

type OldRoot = 'mine' | 'shared' | undefined;

/** The tree of the caller. @throws Problem `invalid`; WorkspaceError `unavailable` */
export function filesOf(options: FileRouteOptions, caller: Caller, root: OldRoot): CallerFiles {
  refuseOtherRoot(options.settings, root);
  return options.files.open(caller.userId);
}

/** Refuses a `root` other than the top of the tree, so that no file lands in the wrong place. @throws Problem `invalid` */
export function refuseOtherRoot({ autoLogin }: Pick<Settings, 'autoLogin'>, root: OldRoot): void {
  if (root === undefined || root === (autoLogin ? 'shared' : 'mine')) return;
  const where = autoLogin
    ? 'your own files are below mine/, when that directory exists'
    : 'shared files are below shared/, where an admin mounted them';
  throw problem('invalid', `There is one tree now. Leave root out; ${where}.`);
}

/** Browsing and changing files, by the same workspace operations as an agent's. */
export function makeFileRoutes(options: FileRouteOptions): Route[] {
  return [...makeReadingRoutes(options), ...makeChangingRoutes(options)];
}

function makeReadingRoutes(options: FileRouteOptions): Route[] {
  return [
    route(fileRoutes.listFiles, async ({ caller, query, signal }) => {
      const { workspace, mounts } = filesOf(options, caller, query.root);
      const path = plainPath(query.path);
      const { sort, order, cursor, limit } = query;
      const { entries, total, next } = await workspace.listPage(path || '.', {
        sort,
        descending: order === 'desc',
        cursor,
        limit,
        // Not the caller of tools: a page does not wait for the searches of the same user's agents.
        caller: 'page',
        signal,
      });
      return {
        path,
        entries: entries.map((entry) => ({
          name: entry.name,
          path: path === '' ? entry.name : `${path}/${entry.name}`,
          type: entry.type === 'directory' ? ('dir' as const) : ('file' as const),
          size: entry.sizeBytes ?? null,
          modifiedAt: entry.modified ?? null,
        })),
        total,
        nextCursor: next ?? null,
        truncated: next !== undefined,
        mounts: mounts.map(({ name, readOnly, hidesEntry }) => ({ name, readOnly, hidesEntry })),
      };
    }),
    route(fileRoutes.getUsage, async ({ caller, query }) => ({
      usedBytes: await filesOf(options, caller, query.root)
        .namespaceOf(query.path || '.')
        .usedBytes(),
      limitBytes: options.namespaces.limitBytes,
    })),
    route(fileRoutes.searchFiles, ({ caller, query, signal }) => {
      const { workspace } = filesOf(options, caller, query.root);
      return query.in === 'name' ? findByName(workspace, query.q, signal) : findByContent(workspace, query.q, signal);
    }),
  ];
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

function makeChangingRoutes(options: FileRouteOptions): Route[] {
  return [
    route(fileRoutes.makeFolder, async ({ caller, body, problem: refusal }) => {
      const { workspace, namespaceOf } = filesOf(options, caller, body.root);
      refuseNewNames(workspace, body.path);
      const call = { actor: actorOf(caller), tool: 'create_dir', paths: [body.path] };
      const { outcome, undo } = await onRecord(options, namespaceOf(body.path), call, (journal) =>
        workspace.createDir(body.path, { journal }),
      );
      if (!outcome.created) throw refusal('exists', `There is a folder at ${body.path} already.`);
      return { path: plainPath(body.path), undo };
    }),
    route(fileRoutes.moveFile, async ({ caller, body }) => {
      const { workspace, namespaceOf } = filesOf(options, caller, body.root);
      refuseNewNames(workspace, body.to);
      const call = { actor: actorOf(caller), tool: 'move_path', paths: [body.from, body.to] };
      const { undo } = await onRecord(options, namespaceOf(body.to), call, (journal) =>
        workspace.move(body.from, body.to, { journal }),
      );
      return { path: plainPath(body.to), undo };
    }),
    route(fileRoutes.deleteFiles, async ({ caller, body, signal }) => {
      const { workspace, namespaceOf } = filesOf(options, caller, body.root);
      const paths = body.paths ?? [body.path as string];
      const call = { actor: actorOf(caller), tool: 'delete_path', paths };
      const { undo } = await onRecord(options, namespaceOf(paths[0] as string), call, async (journal) => {
        const done = await workspace.deleteAll(paths, { recursive: true, permanent: body.permanent, signal, journal });
        return { changes: done.flatMap(({ changes }) => changes) };
      });
      return { path: plainPath(paths[0] as string), undo };
    }),
    route(fileRoutes.undoChange, async ({ caller, body, signal, problem: refusal }) => {
      const found = findChange(options, caller, body.undo);
      if (found === undefined) throw refusal('not_found', 'There is no change with this id to undo.');
      const { namespace, workspace, entry } = found;
      const [undone] = await undoEntries(workspace, namespace.activity, [entry], actorOf(caller), { signal });
      namespace.changed();
      if (!undone?.ok) throw refusal('changed', undone?.problem ?? 'The change could not be undone.');
      return { path: entry.paths[0] ?? '' };
    }),
  ];
}

/** A change in the caller's tree that the caller may undo. */
function findChange({ files, settings }: FileRouteOptions, { userId }: Caller, id: string) {
  const rights = { userId, autoLogin: settings.autoLogin };
  for (const { namespace, readOnly } of namespacesOf(files.open(userId))) {
    const entry = namespace.activity
      .entries()
      .find((one) => one.id === id && one.undoes === undefined && mayUndo({ namespace, entry: one }, rights));
    if (entry) return { namespace, entry, workspace: readOnly ? namespace.readOnly : namespace.workspace };
  }
  return undefined;
}

/** A path as responses have it: without slashes at the ends. */
export function plainPath(path: string): string {
  const parts = path.split('/').filter((part) => part !== '' && part !== '.');
  return parts.join('/');
}
