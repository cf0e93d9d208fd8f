import { readdir } from 'node:fs/promises';
import type { Enclosure } from '../enclosure.ts';
import { WorkspaceError } from '../errors.ts';
import { openDirectory } from '../resolve/open-directory.ts';
import type { Placed } from '../search/list-order.ts';
import { runList } from '../search/run-list.ts';
import type { ListedDetails, ListOutcome, ListRequest, ListSort, SearchScope } from '../search/search-request.ts';
import { runInWorker, scopeOf } from './run-in-worker.ts';

export interface ListPageOptions {
  /** Default: by name. Directories come first in every order. */
  readonly sort?: ListSort;
  readonly descending?: boolean;
  /** The `next` of the page before, in the same order. */
  readonly cursor?: string | undefined;
  /** Most entries of the page. Default: 1,000. */
  readonly limit?: number;
  /** Names that are directories elsewhere: shown in the place of what is here. */
  readonly mounted?: readonly string[];
  /** The caller: listings and searches of one workspace are served in turns of its callers. */
  readonly caller?: string | undefined;
  /** List in a search thread, as directories of more than 1,000 entries always are. */
  readonly inThread?: boolean;
  readonly signal?: AbortSignal | undefined;
}

/** A page of a directory, with sizes and times. */
export interface DirPage {
  readonly entries: readonly ListedDetails[];
  /** All visible entries, on every page. */
  readonly total: number;
  /** Continues behind this page; absent on the last one. */
  readonly next?: string;
}

const DEFAULT_LIMIT = 1_000;
/** Listing these takes a few milliseconds. */
const SMALL_ENTRIES = 1_000;

/**
 * Lists one page of a directory of any size; a large one in a search thread. A page begins behind the sort key and the name of
 * the last entry before it, so entries that are added or removed in between neither repeat others nor hide them.
 *
 * @throws WorkspaceError `invalid` for a cursor that is not one of this order, `cancelled`, `deadline`, and those of `list`
 */
export async function listPage(enclosure: Enclosure, path: string, options: ListPageOptions = {}): Promise<DirPage> {
  const { sort = 'name', descending = false, cursor, limit = DEFAULT_LIMIT, mounted = [], caller, signal } = options;
  const after = cursor === undefined ? undefined : placeOf(cursor, sort, descending);
  const request = (scope: SearchScope) => ({ kind: 'list' as const, scope, sort, descending, after, limit, mounted });
  const small = await listSmall(enclosure, path, request, options.inThread ?? false);
  const found = small ?? ((await runInWorker(enclosure, { path, caller, signal }, true, request)) as ListOutcome);
  const { entries, total, last } = found;
  return { entries, total, ...(last && { next: toCursor(last, sort, descending) }) };
}

/** Fails as `list` does. `undefined` for a directory that a search thread has to list, which opens it again. */
async function listSmall(
  enclosure: Enclosure,
  path: string,
  request: (scope: SearchScope) => ListRequest,
  inThread: boolean,
): Promise<ListOutcome | undefined> {
  const { dir, parts } = openDirectory(enclosure, path);
  try {
    if (inThread || (await readdir(dir.self)).length > SMALL_ENTRIES) return undefined;
    const { scope } = scopeOf(enclosure, { path }, true);
    const found = runList({ at: dir.self, parts }, request(scope), () => false);
    dir.verify();
    return found;
  } finally {
    dir.close();
  }
}

function toCursor({ isDirectory, key, name }: Placed, sort: ListSort, descending: boolean): string {
  return Buffer.from(JSON.stringify([sort, descending, isDirectory, key, name])).toString('base64url');
}

function placeOf(cursor: string, sort: ListSort, descending: boolean): Placed {
  try {
    const [by, down, isDirectory, key, name] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as unknown[];
    const isPlace = typeof isDirectory === 'boolean' && typeof key === 'number' && typeof name === 'string';
    if (by === sort && down === descending && isPlace) return { isDirectory, key, name };
  } catch {
    // Not a cursor.
  }
  throw new WorkspaceError('invalid', 'The cursor is not one of this listing. Start again without it');
}
