import { type ActivityEntry, selectUndo, type undoEntries } from '@croft/tools';
import type { UndoneFile } from './turn.ts';

const CLIENT_PREFIX = 'assistant ';

/** The client of a turn in the activity log, by which its changes of files are found again. */
export const clientOfTurn = (turnId: string): string => `${CLIENT_PREFIX}${turnId}`;

/** The turn of a client in the activity log; undefined for other clients. */
export const turnOfClient = (client: string | null): string | undefined =>
  client?.startsWith(CLIENT_PREFIX) === true ? client.slice(CLIENT_PREFIX.length) : undefined;

/** A turn whose changes of files are looked for. */
export interface TurnOfFiles {
  readonly id: string;
  readonly startedAt: Date;
}

/** The changes of files by these turns that were not undone, newest first. */
export function changesOfTurns(
  entries: readonly ActivityEntry[],
  turns: readonly TurnOfFiles[],
): readonly ActivityEntry[] {
  if (turns.length === 0) return [];
  const clients = new Set(turns.map(({ id }) => clientOfTurn(id)));
  const sinceMs = Math.min(...turns.map(({ startedAt }) => startedAt.getTime()));
  return selectUndo(entries, { sinceMs }).filter(
    // Other clients choose their names.
    ({ actor: { via, client } }) => via === 'assistant' && client !== null && clients.has(client),
  );
}

/** An undo of files and of other changes, in words: what was undone, what was not, and why. */
export function undoneText(files: readonly UndoneFile[], more: readonly string[] = [], stays = ''): string {
  const paths = pathsUndone(files);
  const done = [...(paths.length > 0 ? [`changes of ${paths.join(', ')}`] : []), ...more];
  const left = [...new Set(files.flatMap(({ problem }) => problem ?? []))];
  const text = done.length === 0 ? 'Nothing was undone.' : `Undone: ${done.join(', ')}.`;
  return `${text}${stays}${left.length > 0 ? ` Not taken back: ${left.join('; ')}.` : ''}`;
}

/** The files that an undo took back, each once. */
export const pathsUndone = (files: readonly UndoneFile[]): readonly string[] => [
  ...new Set(files.filter(({ reverted }) => reverted).map(({ path }) => path)),
];

/** The fate of each file that an undo was to take back. */
export const undoneFilesOf = (undone: Awaited<ReturnType<typeof undoEntries>>): UndoneFile[] =>
  undone.flatMap(({ entry, ok, problem }) =>
    entry.paths.map((path) => ({ path, reverted: ok, problem: problem ?? null })),
  );
