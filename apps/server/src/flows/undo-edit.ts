import { type Edit, FlowError } from '@croft/flow';
import { and, desc, eq } from 'drizzle-orm';
import { Problem } from '../problem.ts';
import type { Db, Transaction } from '../store/database.ts';
import { flowEdit } from '../store/schema.ts';
import { applyToFlow, editsAfter, type EntryKind, type FlowChange } from './edit-flow.ts';
import { changedParts, withoutLooseEdges, withoutParts } from './edit-targets.ts';
import { type LockedFlow, lockFlow } from './get-flow.ts';

interface Candidate {
  readonly version: number;
  readonly userId: string | null;
  readonly kind: EntryKind;
  readonly revertedBy: number | null;
}

/** The entry that an undo of this user reverts: their newest one in effect. Entries are given newest first. */
export function entryToUndo(entries: readonly Candidate[], userId: string): Candidate | undefined {
  return entries.find((each) => each.userId === userId && each.kind !== 'undo' && each.revertedBy === null);
}

/** The undo that a redo of this user reverts. There is none after they made another edit. */
export function entryToRedo(entries: readonly Candidate[], userId: string): Candidate | undefined {
  const own = entries.filter((each) => each.userId === userId);
  const found = own.find(({ kind, revertedBy }) => kind === 'undo' && revertedBy === null);
  const edited = own.find(({ kind }) => kind === 'edit' || kind === 'restore');
  return found === undefined || (edited !== undefined && edited.version > found.version) ? undefined : found;
}

/**
 * Reverts the newest edit of this user, or for `redo` their newest undo. Parts of the flow
 * that another user changed since stay as they are.
 *
 * @throws Problem `not_found`, `read_only`, `not_undoable` where nothing of the user's can be reverted; those of `editFlow`
 */
export async function revertOwnEdit(
  db: Db,
  { userId, flowId, base, kind }: { userId: string; flowId: string; base: number; kind: 'undo' | 'redo' },
): Promise<FlowChange> {
  return db.transaction(async (tx) => {
    const locked = await lockFlow(tx, userId, flowId);
    const between = await editsAfter(tx, locked, base);
    const entries = await entriesOf(tx, flowId);
    const found = (kind === 'undo' ? entryToUndo : entryToRedo)(entries, userId);
    if (found === undefined)
      throw new Problem(409, 'not_undoable', `There is nothing of yours to ${kind} in this flow.`);
    const edits = await inverseOf(tx, locked, entries, { version: found.version, userId });
    const entry = { userId, kind, edits, reverts: found.version };
    const change = await applyToFlow(tx, locked, entry).catch((error: unknown) => {
      if (!(error instanceof FlowError)) throw error;
      throw new Problem(409, 'not_undoable', `Your edit does not fit the flow any more: ${error.message}`);
    });
    await tx
      .update(flowEdit)
      .set({ revertedBy: change.version })
      .where(and(eq(flowEdit.flowId, flowId), eq(flowEdit.version, found.version)));
    return { ...change, between };
  });
}

async function entriesOf(tx: Transaction, flowId: string): Promise<Candidate[]> {
  const { version, userId, kind, revertedBy } = flowEdit;
  const rows = await tx
    .select({ version, userId, kind, revertedBy })
    .from(flowEdit)
    .where(eq(flowEdit.flowId, flowId))
    .orderBy(desc(version));
  return rows.map((row) => ({ ...row, kind: row.kind as EntryKind }));
}

/** The edits that revert an entry, in their order, without the parts that other users changed since. */
async function inverseOf(
  tx: Transaction,
  locked: LockedFlow,
  entries: readonly Candidate[],
  { version, userId }: { readonly version: number; readonly userId: string },
): Promise<readonly Edit[]> {
  const [row] = await tx
    .select({ inverses: flowEdit.inverses })
    .from(flowEdit)
    .where(and(eq(flowEdit.flowId, locked.id), eq(flowEdit.version, version)));
  // An undo of another user left out everything that this user changed.
  const inEffect = entries.filter((each) => each.userId !== userId && each.kind !== 'undo' && each.revertedBy === null);
  const versions = new Set(inEffect.map((each) => each.version));
  const since = (await editsAfter(tx, locked, version)).filter((each) => versions.has(each.version));
  const others = changedParts(since.flatMap(({ edits }) => edits));
  const inverses = (JSON.parse(row?.inverses ?? '[]') as Edit[]).reverse();
  return withoutLooseEdges(
    inverses.flatMap((inverse) => withoutParts(inverse, others) ?? []),
    locked.document.nodes,
  );
}
