import {
  applyEdits,
  changedParts,
  type Clash,
  clashesOf,
  type Edit,
  type FlowDocument,
  FlowError,
  singleEdits,
  targetsOf,
  withoutEqual,
  withoutLooseEdges,
  withoutParts,
} from '@croft/flow';
import type { Change } from './unsent-edits.ts';

/** The same parts were changed here and elsewhere. */
export interface Conflict {
  readonly clashes: readonly Clash[];
  /** The edits of others, and their inverse. */
  readonly theirs: readonly Edit[];
  readonly inverse: Edit;
}

/** The document with unsent changes. A change that does not fit is left out and counted. */
export function withChanges(base: FlowDocument, changes: readonly Change[]) {
  let document = base;
  const fitting: Change[] = [];
  for (const change of changes) {
    const edits = withoutLostMoves(change.edits, document);
    try {
      document = applyEdits(document, edits).flow;
      fitting.push(edits === change.edits ? change : { edits });
    } catch (error) {
      if (!(error instanceof FlowError)) throw error;
    }
  }
  return { document, fitting };
}

/** Something that another client removed needs no place any more. */
function withoutLostMoves(edits: readonly Edit[], { nodes, notes }: FlowDocument): readonly Edit[] {
  if (!edits.some(({ kind }) => kind === 'move') || edits.length > 1) return edits;
  const ids = new Set([...nodes, ...notes].map(({ id }) => id));
  return edits.map((edit) =>
    edit.kind === 'move'
      ? { ...edit, positions: Object.fromEntries(Object.entries(edit.positions).filter(([id]) => ids.has(id))) }
      : edit,
  );
}

/** Changes without the edits that others made too. */
export function withoutRepeated(changes: readonly Change[], theirs: readonly Edit[]): readonly Change[] {
  if (theirs.length === 0) return changes;
  return changes.flatMap((change) => {
    const edits = withoutEqual(change.edits, theirs);
    return edits.length === 0 ? [] : [{ edits }];
  });
}

/** The conflict between unsent changes and edits of others; undefined where they fit together. */
export function conflictOf(changes: readonly Change[], theirs: readonly Edit[], inverse: Edit): Conflict | undefined {
  const clashes = clashesOf(editsOf(changes), theirs);
  return clashes.length === 0 ? undefined : { clashes, theirs, inverse };
}

/** The changes that keep what is edited here. Components that others removed come back first. */
export function keepMine(changes: readonly Change[], { inverse }: Conflict, base: FlowDocument): readonly Change[] {
  const wanted = new Set(editsOf(changes).flatMap((edit) => targetsOf(edit).map(([, id]) => id)));
  const known = new Set(base.nodes.map(({ id }) => id));
  const lost = singleEdits(inverse).filter(
    (edit) => edit.kind === 'add_component' && wanted.has(edit.node.id) && !known.has(edit.node.id),
  );
  return lost.length === 0 ? changes : [{ edits: withoutLooseEdges(lost, base.nodes) }, ...changes];
}

/** The changes without the parts that others changed. */
export function keepTheirs(changes: readonly Change[], { theirs }: Conflict): readonly Change[] {
  const parts = changedParts();
  parts.add(theirs);
  return changes.flatMap((change) => {
    const edits = change.edits.flatMap((edit) => withoutParts(edit, parts) ?? []);
    return edits.length === 0 ? [] : [{ edits }];
  });
}

export const editsOf = (changes: readonly Change[]): readonly Edit[] => changes.flatMap(({ edits }) => edits);
