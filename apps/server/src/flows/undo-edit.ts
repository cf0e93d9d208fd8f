import { type Edit, FlowError } from '@croft/flow';
import { and, desc, eq } from 'drizzle-orm';
import { Problem } from '../problem.ts';
import type { Db, Transaction } from '../store/database.ts';
import { flowEdit } from '../store/schema.ts';
import { applyToFlow, editsAfter, type EntryKind, type FlowChange } from './edit-flow.ts';
import { changedParts, withoutLooseEdges, withoutParts } from './edit-targets.ts';
import { type LockedFlow, lockFlow } from './get-flow.ts';

/** An entry of the history without its edits. */
interface PastEntry {
  readonly version: number;
  readonly userId: string | null;
  readonly kind: EntryKind;
  readonly revertedBy: number | null;
}

/** The edit, undo or redo of a user to revert. */
export interface RevertRequest {
  readonly userId: string;
  readonly flowId: string;
  /** The version that the client has. */
  readonly base: number;
  readonly kind: 'undo' | 'redo';
}

/**
 * Reverts the newest edit of this user, or for `redo` their newest undo. Parts of the flow that another user changed since
 * stay as they are; an edit of which no part is left is passed over.
 *
 * @throws Problem `not_found`, `read_only`, `not_undoable` where nothing of the user's can be reverted; those of `editFlow`
 */
export async function revertOwnEdit(db: Db, { userId, flowId, base, kind }: RevertRequest): Promise<FlowChange> {
  return db.transaction(async (tx) => {
    const locked = await lockFlow(tx, userId, flowId);
    const between = await editsAfter(tx, locked, base);
    const found = await findInverse(tx, locked, userId, kind);
    if (found === undefined)
      throw new Problem(409, 'not_undoable', `There is nothing of yours to ${kind} in this flow.`);
    const entry = { userId, kind, edits: found.edits, reverts: found.version };
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

/** Goes back through the history to an entry of this user of which something can be reverted. */
async function findInverse(tx: Transaction, locked: LockedFlow, userId: string, kind: 'undo' | 'redo') {
  const others = changedParts();
  for (const entry of await historyOf(tx, locked.id)) {
    if (entry.userId !== userId) {
      // An undo of another user left out everything that this user changed.
      if (entry.kind !== 'undo' && entry.revertedBy === null)
        others.add(await readEdits(tx, locked.id, entry.version, 'edits'));
      continue;
    }
    // A new edit ends the chance of a redo.
    if (kind === 'redo' && (entry.kind === 'edit' || entry.kind === 'restore')) return undefined;
    if ((entry.kind === 'undo') !== (kind === 'redo') || entry.revertedBy !== null) continue;
    const inverses = await readEdits(tx, locked.id, entry.version, 'inverses');
    const free = inverses.reverse().flatMap((inverse) => withoutParts(inverse, others) ?? []);
    if (free.length > 0) return { version: entry.version, edits: withoutLooseEdges(free, locked.document.nodes) };
  }
  return undefined;
}

/** Newest first. */
async function historyOf(tx: Transaction, flowId: string): Promise<PastEntry[]> {
  const { version, userId, kind, revertedBy } = flowEdit;
  const rows = await tx
    .select({ version, userId, kind, revertedBy })
    .from(flowEdit)
    .where(eq(flowEdit.flowId, flowId))
    .orderBy(desc(version));
  return rows.map((row) => ({ ...row, kind: row.kind as EntryKind }));
}

async function readEdits(
  tx: Transaction,
  flowId: string,
  version: number,
  column: 'edits' | 'inverses',
): Promise<Edit[]> {
  const [row] = await tx
    .select({ text: flowEdit[column] })
    .from(flowEdit)
    .where(and(eq(flowEdit.flowId, flowId), eq(flowEdit.version, version)));
  return JSON.parse(row?.text ?? '[]') as Edit[];
}
