import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import type { Change } from '@croft/workspace';
import type { ActivityEntry } from './activity-entry.ts';
import type { Activity } from './activity-log.ts';
import type { RestoredVersions } from './restored-versions.ts';

/** One step of an undo: takes back one call, or several whole calls that changed the same file. */
export interface UndoStep {
  /** Newest first. */
  readonly entries: readonly ActivityEntry[];
  readonly changes: readonly Change[];
}

/**
 * Divides the calls to undo into steps, newest first. Each call is a step of its own, with one exception: where the trash
 * dropped versions between the present content of a file and an older one that it kept, these calls are undone together,
 * directly to the older content. (The trash drops versions that tools wrote before the original.)
 */
export function undoSteps(
  chosen: readonly ActivityEntry[],
  { trashDir }: Pick<Activity, 'trashDir'>,
  aliases: RestoredVersions,
): readonly UndoStep[] {
  const isKept = ({ trash }: Change) =>
    trash !== undefined && lstatSync(join(trashDir, trash), { throwIfNoEntry: false }) !== undefined;
  const joined = new Set<ActivityEntry>();
  const parts: Parts = { isKept, aliases, hopeless: new Set() };
  const nextAt = indexOfPaths(chosen);
  return chosen.flatMap((entry, i): UndoStep[] => {
    if (joined.has(entry)) return [];
    const older = function* (path: string) {
      for (let at = nextAt(path, i); at !== undefined; at = nextAt(path, at)) {
        const other = chosen[at] as ActivityEntry;
        if (!joined.has(other)) yield other;
      }
    };
    const step = acrossDropped(entry, older, parts) ?? { entries: [entry], changes: entry.changes ?? [] };
    for (const each of step.entries) joined.add(each);
    return [step];
  });
}

interface Parts {
  readonly isKept: (change: Change) => boolean;
  readonly aliases: RestoredVersions;
  /** Calls from which no older content is reached: a newer call came through them, and reached none. */
  readonly hopeless: Set<ActivityEntry>;
}

/** One step to the newest kept content before this call; undefined if none is needed or possible. */
function acrossDropped(
  entry: ActivityEntry,
  older: (path: string) => Iterable<ActivityEntry>,
  { isKept, aliases, hopeless }: Parts,
): UndoStep | undefined {
  if (hopeless.has(entry)) return undefined;
  const newest = fileChange(entry);
  if (newest === undefined || (newest.kind !== 'update' && newest.kind !== 'delete') || isKept(newest))
    return undefined;
  const entries = [entry];
  let { before } = newest;
  for (const other of older(newest.path)) {
    const change = fileChange(other);
    if (change?.path !== newest.path || change.after === undefined || before === undefined) break;
    if (change.after !== before && aliases.latest(change.after) !== before) break;
    if (change.kind === 'create' && newest.kind === 'delete') return undefined;
    entries.push(other);
    if (change.kind === 'update' && isKept(change))
      return {
        entries,
        changes: [newest.kind === 'delete' ? { ...change, kind: 'delete' } : withAfter(change, newest)],
      };
    if (change.kind === 'create' && newest.kind === 'update')
      return {
        entries,
        changes: (other.changes ?? []).map((each) => (each === change ? withAfter(each, newest) : each)),
      };
    if (change.kind !== 'update' && change.kind !== 'append') return undefined;
    ({ before } = change);
  }
  for (const each of entries) hopeless.add(each);
  return undefined;
}

/** Finds the next of these calls after an index that changed the path, or one above or below it. */
function indexOfPaths(calls: readonly ActivityEntry[]): (path: string, after: number) => number | undefined {
  const at = new Map<string, number[]>();
  const below = new Map<string, number[]>();
  const add = (map: Map<string, number[]>, path: string, index: number) => {
    const known = map.get(path);
    if (known === undefined) map.set(path, [index]);
    else known.push(index);
  };
  for (const [index, call] of calls.entries())
    for (const path of touchedBy(call)) {
      add(at, path, index);
      for (const parent of parentsOf(path)) add(below, parent, index);
    }
  return (path, after) => {
    const lists = [at.get(path), below.get(path), ...parentsOf(path).map((parent) => at.get(parent))];
    const found = lists.flatMap((list) => (list && firstAfter(list, after)) ?? []);
    return found.length > 0 ? Math.min(...found) : undefined;
  };
}

const parentsOf = (path: string): string[] => [...path.matchAll(/\//g)].map(({ index }) => path.slice(0, index));

/** The first number of a rising list that is greater; by halves. */
function firstAfter(list: readonly number[], number: number): number | undefined {
  let [from, to] = [0, list.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((list[middle] as number) > number) to = middle;
    else from = middle + 1;
  }
  return list[from];
}

function withAfter(change: Change, { after }: Change): Change {
  const { after: _, ...rest } = change;
  return after === undefined ? rest : { ...rest, after };
}

/** The change of a call that changed one file, besides directories that it made for it. */
function fileChange({ changes = [] }: ActivityEntry): Change | undefined {
  const [change, ...others] = changes.filter(({ kind }) => kind !== 'mkdir');
  return others.length > 0 || change?.tree !== undefined ? undefined : change;
}

/** The paths that a call changed, without created parent directories, which are removed only if empty. */
export function touchedBy({ changes = [] }: Pick<ActivityEntry, 'changes'>): string[] {
  return changes.flatMap(({ kind, path, to }) => (kind === 'mkdir' ? [] : to === undefined ? path : [path, to]));
}

/** Whether two paths are equal or one is below the other. */
export function isOnOneWay(a: string, b: string): boolean {
  return a === b || a.startsWith(`${b}/`) || b.startsWith(`${a}/`);
}
