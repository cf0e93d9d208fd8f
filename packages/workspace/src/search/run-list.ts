import { lstatSync, readdirSync, type Stats } from 'node:fs';
import { type Identity, isBaseAt } from '../base-directory.ts';
import { sameFile } from '../resolve/dir.ts';
import { isHidden, typeOf } from '../visit-tree.ts';
import { type Placed, placedOrder } from './list-order.ts';
import type { ListedDetails, ListOutcome, ListRequest } from './search-request.ts';

const CHECK_EVERY = 1_024;

/** Where a listing runs: the directory, held by this thread, and its path below the root. */
interface ListPlace {
  readonly at: string;
  readonly parts: readonly string[];
}

/** An entry with what it is ordered by. */
interface Row extends Placed {
  readonly entry: ListedDetails;
  readonly hasDetails: boolean;
}

/** Lists one page of a directory: reads all names, orders them, and gives those behind the cursor. */
export function runList(place: ListPlace, request: ListRequest, cancelled: () => boolean): ListOutcome {
  const { sort, after, limit, mounted } = request;
  const order = placedOrder(request.descending);
  const names = namesIn(place, request);
  const rows: Row[] = mounted.map((name) => rowOf({ name, type: 'directory' }, undefined, true));
  for (const [i, { name, type }] of names.entries()) {
    if (i % CHECK_EVERY === 0 && cancelled()) break;
    const stat = sort === 'name' ? undefined : statOf(place, name);
    rows.push(rowOf(detailsOf({ name, type }, stat), keyOf(stat, sort), sort !== 'name'));
  }
  const behind = after === undefined ? rows : rows.filter((row) => order(row, after) > 0);
  behind.sort(order);
  const page = behind.slice(0, limit);
  const last = behind.length > page.length ? page.at(-1) : undefined;
  return {
    kind: 'list',
    entries: page.map(({ entry, hasDetails }) => (hasDetails ? entry : detailsOf(entry, statOf(place, entry.name)))),
    total: rows.length,
    ...(last && { last: { isDirectory: last.isDirectory, key: last.key, name: last.name } }),
  };
}

/** Leaves out what every listing leaves out, and the names that a mount takes. */
function namesIn({ at, parts }: ListPlace, { scope, mounted }: ListRequest): ListedDetails[] {
  const above = parts.length === 0 ? '' : `${parts.join('/')}/`;
  const hidden = { denyList: scope.denyList, ignoreNames: new Set(scope.ignoreNames) };
  const own = scope.base;
  const croftsOwn = own && { is: (stat: Identity) => sameFile(stat, own) };
  const taken = new Set(mounted);
  const masks = new Set(scope.masks);
  return readdirSync(at, { withFileTypes: true })
    .filter(({ name }) => !taken.has(name) && !isHidden(name, hidden) && !masks.has(above + name))
    .filter((entry) => !entry.isDirectory() || !isBaseAt(croftsOwn, `${at}/${entry.name}`))
    .map((entry) => ({ name: entry.name, type: typeOf(entry) }));
}

function rowOf(entry: ListedDetails, key = 0, hasDetails = false): Row {
  return { name: entry.name, isDirectory: entry.type === 'directory', key, entry, hasDetails };
}

function keyOf(stat: Stats | undefined, sort: ListRequest['sort']): number {
  if (stat === undefined) return 0;
  if (sort === 'modified') return Math.floor(stat.mtimeMs);
  return stat.isFile() ? stat.size : 0;
}

function statOf({ at }: ListPlace, name: string): Stats | undefined {
  return lstatSync(`${at}/${name}`, { throwIfNoEntry: false });
}

function detailsOf({ name, type }: ListedDetails, stat: Stats | undefined): ListedDetails {
  if (stat === undefined) return { name, type };
  const modified = stat.mtime.toISOString();
  return stat.isFile() ? { name, type, sizeBytes: stat.size, modified } : { name, type, modified };
}
