import { changedParts, type Edit, FlowError, withoutLooseEdges, withoutParts } from '@croft/flow';
import { and, desc, eq, inArray } from 'drizzle-orm';
import { Problem } from '../problem.ts';
import type { Db, Transaction } from '../store/database.ts';
import { flowEdit } from '../store/flow-schema.ts';
import { applyToFlow, editsAfter, type EntryKind, type FlowChange } from './edit-flow.ts';
import { turnOfKey } from './edit-key.ts';
import { getFlow, type StoredFlow } from './get-flow.ts';
import { withLockedFlow } from './locked-flow.ts';

/** An entry of the history without its edits. */
interface PastEntry {
  readonly version: number;
  readonly userId: string | null;
  readonly kind: EntryKind;
  readonly revertedBy: number | null;
  readonly requestKey: string | null;
}

const turnOf = ({ requestKey }: PastEntry): string | undefined => turnOfKey(requestKey);

/** The edit, undo or redo of a user to revert. */
export interface RevertRequest {
  readonly userId: string;
  readonly flowId: string;
  /** The version that the client has. */
  readonly base: number;
  readonly kind: 'undo' | 'redo';
  /** Reverts the edits of this turn of the assistant, also where the user changed other parts since. */
  readonly turnId?: string | undefined;
}

/**
 * Reverts the newest edit of this user, or for `redo` their newest undo. The edits of a turn of the assistant are
 * reverted together. Parts of the flow that another user changed since stay as they are; an edit of which no part is left
 * is passed over.
 *
 * @throws Problem `not_found`, `read_only`, `not_undoable` where nothing of the user's can be reverted; those of `editFlow`
 */
export async function revertOwnEdit(db: Db, request: RevertRequest): Promise<FlowChange> {
  const { userId, flowId, base, kind } = request;
  return withLockedFlow(db, { userId, flowId }, async (tx, locked) => {
    const between = await editsAfter(tx, locked, base);
    const found = await findInverse(tx, locked, request);
    if (found === undefined)
      throw new Problem(409, 'not_undoable', `There is nothing of yours to ${kind} in this flow.`);
    const [newest = 0] = found.versions;
    const entry = { userId, kind, edits: found.edits, reverts: newest };
    const change = await applyToFlow(tx, locked, entry).catch((error: unknown) => {
      if (!(error instanceof FlowError)) throw error;
      throw new Problem(409, 'not_undoable', `Your edit does not fit the flow any more: ${error.message}`);
    });
    await tx
      .update(flowEdit)
      .set({ revertedBy: change.version })
      .where(and(eq(flowEdit.flowId, flowId), inArray(flowEdit.version, found.versions)));
    return { ...change, between };
  });
}

/** The edit that {@link revertOwnEdit} would undo next: its turn of the assistant, if one made it, and its time. */
export async function nextUndo(
  db: Db,
  userId: string,
  flowId: string,
): Promise<{ readonly turnId: string | undefined; readonly at: Date } | undefined> {
  return db.transaction(async (tx) => {
    const stored = await getFlow(tx, userId, flowId);
    const [version] = (stored && (await findInverse(tx, stored, { userId, kind: 'undo' })))?.versions ?? [];
    if (version === undefined) return undefined;
    const [row] = await tx
      .select({ requestKey: flowEdit.requestKey, at: flowEdit.createdAt })
      .from(flowEdit)
      .where(and(eq(flowEdit.flowId, flowId), eq(flowEdit.version, version)));
    return row && { turnId: turnOfKey(row.requestKey), at: row.at };
  });
}

interface Inverse {
  /** The entries that are reverted, newest first. */
  readonly versions: number[];
  readonly edits: readonly Edit[];
}

/** Goes back through the history to an entry, or to the entries of one turn, of which something can be reverted. */
async function findInverse(
  tx: Transaction,
  stored: StoredFlow,
  request: Pick<RevertRequest, 'userId' | 'kind' | 'turnId'>,
): Promise<Inverse | undefined> {
  const { userId, kind } = request;
  const others = changedParts();
  const versions: number[] = [];
  const edits: Edit[] = [];
  let turnId = request.turnId;
  const history = await historyOf(tx, stored.id);
  for (const entry of history) {
    if (turnId !== undefined && entry.version < oldestOf(history, turnId)) break;
    const isOwn = entry.userId === userId && (turnId === undefined || turnOf(entry) === turnId);
    if (!isOwn) {
      // An undo of another user left out everything that this user changed.
      if (entry.kind !== 'undo' && entry.revertedBy === null)
        others.add(await readEdits(tx, stored.id, entry.version, 'edits'));
      continue;
    }
    // A new edit ends the chance of a redo.
    if (kind === 'redo' && (entry.kind === 'edit' || entry.kind === 'restore')) return undefined;
    if ((entry.kind === 'undo') !== (kind === 'redo') || entry.revertedBy !== null) continue;
    const inverses = await readEdits(tx, stored.id, entry.version, 'inverses');
    const free = inverses.reverse().flatMap((inverse) => withoutParts(inverse, others) ?? []);
    if (free.length === 0) continue;
    versions.push(entry.version);
    edits.push(...free);
    turnId ??= kind === 'undo' ? turnOf(entry) : undefined;
    if (turnId === undefined) break;
  }
  return versions.length === 0 ? undefined : { versions, edits: withoutLooseEdges(edits, stored.document.nodes) };
}

const oldestOf = (history: readonly PastEntry[], turnId: string): number =>
  history.findLast((entry) => turnOf(entry) === turnId)?.version ?? Infinity;

/** Newest first. */
async function historyOf(tx: Transaction, flowId: string): Promise<PastEntry[]> {
  const { version, userId, kind, revertedBy, requestKey } = flowEdit;
  const rows = await tx
    .select({ version, userId, kind, revertedBy, requestKey })
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
