import { type ActivityEntry, foreseeUndo } from '@croft/tools';
import type { CallerFiles } from './caller-files.ts';
import type { Namespace } from './namespaces.ts';

/** A change in the activity log of one of the caller's namespaces. */
export interface FoundChange {
  readonly namespace: Namespace;
  readonly readOnly: boolean;
  /** Where the tree shows the namespace: empty, or the folder with its slash. */
  readonly folder: string;
  readonly entry: ActivityEntry;
  /** All of that log. */
  readonly entries: readonly ActivityEntry[];
}

/** The caller, and whether the server has accounts. */
export interface UndoRights {
  readonly userId: string;
  readonly autoLogin: boolean;
}

/** Whether a change can be undone, for a page. */
export interface UndoState {
  readonly undo: 'possible' | 'done' | 'impossible';
  readonly undoProblem: string | null;
}

/** The namespaces of a caller's tree. */
export function namespacesOf({
  top,
  mounts,
}: CallerFiles): readonly Pick<FoundChange, 'namespace' | 'readOnly' | 'folder'>[] {
  return [
    { namespace: top, readOnly: false, folder: '' },
    ...mounts.map(({ name, namespace, readOnly }) => ({ namespace, readOnly, folder: `${name}/` })),
  ];
}

/** Whether an entry changed the file at a path of the tree, an entry of that folder, or moved or deleted a folder above. */
export function isChangeOf(path: string, { folder, entry }: Pick<FoundChange, 'folder' | 'entry'>): boolean {
  const isIn = (inner: string, outer: string) => inner === outer || inner.startsWith(`${outer}/`);
  return (entry.changes ?? []).some(({ kind, to, tree, ...change }) =>
    [change.path, ...(to === undefined ? [] : [to])].some((each) => {
      const changed = `${folder}${each}`;
      const withContent = kind === 'move' || kind === 'delete' || tree !== undefined;
      return isIn(changed, path) || (withContent && isIn(path, changed));
    }),
  );
}

/** Whether the caller may undo a change. Of files that other users change too, only changes of the caller. */
export function mayUndo({ namespace, entry }: Pick<FoundChange, 'namespace' | 'entry'>, rights: UndoRights): boolean {
  const isOthersToo = namespace.root === 'shared' && !rights.autoLogin;
  const isOfAgent = entry.actor.via === 'mcp' && entry.actor.flow === undefined;
  return !isOthersToo || (entry.actor.userId === rights.userId && !isOfAgent);
}

/**
 * Predicts whether a change can be undone. Does not read copied trees, so the undo of one that changed since is offered
 * and then refused.
 */
export async function undoStateOf(
  found: FoundChange,
  { undone, ...rights }: UndoRights & { readonly undone: ReadonlySet<string> },
): Promise<UndoState> {
  const { namespace, readOnly, entry, entries } = found;
  if (undone.has(entry.id)) return { undo: 'done', undoProblem: null };
  if (entry.undoes !== undefined) return impossible('An undo cannot be undone');
  if (!mayUndo(found, rights)) return impossible('Changes of MCP clients in shared/ cannot be undone here');
  if (readOnly) return impossible(`${namespace.root}/ is read-only`);
  if (entry.changes === undefined || entry.changes.length === 0)
    return impossible('Components are not kept in the trash');
  const hasTree = entry.changes?.some(({ kind, tree }) => kind === 'create' && tree !== undefined) ?? false;
  if (hasTree) return { undo: 'possible', undoProblem: null };
  const problem = (await foreseeUndo(namespace.workspace, namespace.activity, [entry], entries)).get(entry.id);
  return problem === undefined ? { undo: 'possible', undoProblem: null } : impossible(problem);
}

function impossible(undoProblem: string): UndoState {
  return { undo: 'impossible', undoProblem };
}
