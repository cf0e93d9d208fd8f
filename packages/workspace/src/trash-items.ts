import { hash, randomBytes } from 'node:crypto';
import { lstatSync, readdirSync, type Stats } from 'node:fs';
import { opendir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Pace } from './pace.ts';
import { sortInSlices } from './sort-in-slices.ts';

/** The name of a kept item, read. Names sort by time. */
export interface TrashItem {
  readonly name: string;
  /** Items of one act: kept and dropped together. */
  readonly group: string;
  readonly bytes: number;
  /** Mark of the file that took the place of this one, when a tool wrote it. */
  readonly successor: string | undefined;
  /** A tool wrote the content, according to the process that kept it. */
  readonly isOwn: boolean;
}

const ITEM = /^([0-9a-z]+-[0-9a-f]{10})-([0-9a-z]+)(?:-(\d+))?(?:-([0-9a-f]{12}))?(-w)?$/;

export function readItemName(name: string): TrashItem | undefined {
  const [, group, bytes, , successor, own] = ITEM.exec(name) ?? [];
  if (group === undefined) return undefined;
  return { name, group, bytes: Number.parseInt(bytes as string, 36), successor, isOwn: own !== undefined };
}

let lastMs = 0;
let inThisMs = 0;
const MAX_IN_ONE_MS = 0xfff;

/** A group that sorts after all groups that this process made before, also within a millisecond. */
export function newGroup(): string {
  const now = Date.now();
  if (now > lastMs || inThisMs === MAX_IN_ONE_MS) {
    lastMs = Math.max(now, lastMs + 1);
    inThisMs = 0;
  } else inThisMs++;
  const order = inThisMs.toString(16).padStart(3, '0');
  return `${lastMs.toString(36).padStart(9, '0')}-${order}${randomBytes(4).toString('hex').slice(1)}`;
}

/** The size and the origin are part of the name, so that the bound can be kept without reading the content. */
export function itemName(
  group: string,
  item: { bytes: number; index: number; successor?: string | undefined; isOwn?: boolean },
): string {
  const { bytes, index, successor, isOwn = false } = item;
  return `${group}-${bytes.toString(36)}-${index}${successor ? `-${successor}` : ''}${isOwn ? '-w' : ''}`;
}

/** Survives a rename and a copy to another device: size and modification time to the microsecond. */
export function markOf(stat: Stats): string {
  return hash('sha256', `${Math.round(stat.mtimeMs * 1_000)}-${stat.size}`).slice(0, 12);
}

/** Oldest first. Empty where the directory cannot be read. */
export function itemsIn(directory: string): TrashItem[] {
  try {
    return readdirSync(directory)
      .sort()
      .flatMap((name) => readItemName(name) ?? []);
  } catch {
    return [];
  }
}

const NAMES_AT_ONCE = 256;

export interface TrashBounds {
  readonly maxBytes: number;
  readonly maxItems: number;
}

/**
 * Chooses what to drop so that the rest is within the bounds: whole groups, first the versions that a tool wrote and a
 * tool replaced again, then the others, each oldest first.
 *
 * The newest group stays: a later removal must not drop the change that was just answered.
 *
 * @param spared a group that stays as well
 */
export async function chooseDropped(
  directory: string,
  bounds: TrashBounds,
  spared: string | undefined,
  pace: Pace,
): Promise<TrashItem[]> {
  const items = await readItems(directory, pace);
  let bytes = items.reduce((sum, item) => sum + item.bytes, 0);
  let count = items.length;
  const isOver = () => bytes > bounds.maxBytes || count > bounds.maxItems;
  if (!isOver()) return [];
  const groups = await groupItems(items, pace);
  const kept = new Set([spared, items.at(-1)?.group]);
  const written = new Set(items.flatMap(({ successor }) => successor ?? []));
  const originals: TrashItem[][] = [];
  const intermediates: TrashItem[][] = [];
  for (const group of groups.values()) {
    const pause = pace.pause();
    if (pause) await pause;
    (isIntermediate(directory, group, written) ? intermediates : originals).push(group);
  }
  const dropped: TrashItem[] = [];
  for (const group of [...intermediates, ...originals]) {
    if (!isOver()) break;
    if (kept.has(group[0]?.group)) continue;
    dropped.push(...group);
    bytes -= group.reduce((sum, item) => sum + item.bytes, 0);
    count -= group.length;
  }
  return dropped;
}

/** {@link itemsIn} in slices. */
async function readItems(directory: string, pace: Pace): Promise<readonly TrashItem[]> {
  const names: string[] = [];
  try {
    for await (const { name } of await opendir(directory, { bufferSize: NAMES_AT_ONCE })) {
      await pace.pause();
      names.push(name);
    }
  } catch {
    return [];
  }
  const items: TrashItem[] = [];
  for (const name of await sortInSlices(names, pace)) {
    await pace.pause();
    const item = readItemName(name);
    if (item) items.push(item);
  }
  return items;
}

async function groupItems(items: readonly TrashItem[], pace: Pace): Promise<Map<string, TrashItem[]>> {
  const groups = new Map<string, TrashItem[]>();
  for (const item of items) {
    await pace.pause();
    const group = groups.get(item.group);
    if (group) group.push(item);
    else groups.set(item.group, [item]);
  }
  return groups;
}

/** A single file that a tool wrote: known when it was kept, or because it took the place of another kept file. */
function isIntermediate(directory: string, group: readonly TrashItem[], written: ReadonlySet<string>): boolean {
  const [item] = group;
  if (group.length !== 1 || item === undefined) return false;
  if (item.isOwn) return true;
  const stat = lstatSync(join(directory, item.name), { throwIfNoEntry: false });
  return stat?.isFile() === true && written.has(markOf(stat));
}
