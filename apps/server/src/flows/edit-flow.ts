import { clashesOf, type Edit, FlowError, type FlowErrorCode } from '@croft/flow';
import { and, asc, eq, gt, sql } from 'drizzle-orm';
import { Problem } from '../problem.ts';
import type { Db, Transaction } from '../store/database.ts';
import { flow, flowEdit } from '../store/flow-schema.ts';
import { announceFlow, type FlowNotice, noticeOf } from './announce-flow.ts';
import { applyInTurns } from './apply-in-turns.ts';
import { keepApproval } from './approve-flow.ts';
import { checkRoom, textOfDocument } from './create-flow.ts';
import { FLOW_LIMITS } from './flow-limits.ts';
import type { LockedFlow } from './get-flow.ts';
import { withLockedFlow } from './locked-flow.ts';
import { printJson } from './long-json.ts';

/** Failures of an edit that an edit of another client can cause. */
const MEANWHILE: ReadonlySet<FlowErrorCode> = new Set(['unknown_node', 'duplicate_id', 'invalid_edit']);

export type EntryKind = 'edit' | 'undo' | 'redo' | 'restore';

/** Edits that were applied together. */
export interface EditEntry {
  /** The version of the flow after them. */
  readonly version: number;
  /** Null: the author was removed. */
  readonly userId: string | null;
  readonly kind: EntryKind;
  readonly edits: readonly Edit[];
}

/** A change of a flow, for the client that made it. */
export interface FlowChange {
  readonly version: number;
  readonly updatedAt: Date;
  /** The edits at `version`. */
  readonly edits: readonly Edit[];
  /** Entries after the client's base and before its own edits. The client applies them below its own. */
  readonly between: readonly EditEntry[];
  readonly notice: FlowNotice;
}

export interface EditRequest {
  readonly userId: string;
  readonly flowId: string;
  /** The version that the client has. */
  readonly base: number;
  readonly edits: readonly Edit[];
  /** Chosen by the client. The same key again changes nothing and gives the first answer. */
  readonly key?: string | undefined;
  /** Refuses if the flow has another version than the base. */
  readonly isExact?: boolean;
  /** False: refuses where another edit changed the same part after the base. Default: applies the edits on top of it. */
  readonly overwrite?: boolean | undefined;
}

/**
 * Applies edits after those that the server already has: all of them or none. Edits name nodes and not places, so they
 * usually fit a flow that others changed meanwhile.
 *
 * @throws Problem `not_found`, `read_only`, `changed` where they no longer fit or the base is too old, `too_large`, `quota_exceeded`
 */
export async function editFlow(
  db: Db,
  { userId, flowId, base, edits, key, isExact, overwrite = true }: EditRequest,
): Promise<FlowChange> {
  return withLockedFlow(db, { userId, flowId }, async (tx, locked) => {
    if (isExact === true && base !== locked.version)
      throw new Problem(409, 'changed', `The flow has version ${locked.version} now. Load it again.`);
    const repeated = key === undefined ? undefined : await findByKey(tx, flowId, userId, key);
    const between = await editsAfter(tx, locked, base);
    if (repeated !== undefined)
      return {
        version: repeated.version,
        updatedAt: locked.updatedAt,
        edits: repeated.edits,
        between: between.filter(({ version }) => version < repeated.version),
        notice: { id: flowId, version: locked.version, userIds: [] },
      };
    if (
      !overwrite &&
      clashesOf(
        edits,
        between.flatMap((entry) => entry.edits),
      ).length > 0
    )
      throw new Problem(409, 'changed', `The same parts of the flow were changed after version ${base}.`);
    const change = await applyToFlow(tx, locked, { userId, kind: 'edit', edits, key }).catch((error: unknown) => {
      if (!(error instanceof FlowError) || between.length === 0 || !MEANWHILE.has(error.code)) throw error;
      throw new Problem(
        409,
        'changed',
        `${error.message}. The flow changed since version ${base}: load it again and repeat your edit.`,
      );
    });
    return { ...change, between };
  });
}

/**
 * Reads the entries after a version.
 *
 * @throws Problem `invalid` for a version that the flow has not reached; `changed` where entries are not kept any more
 */
export async function editsAfter(
  db: Db | Transaction,
  { id, version }: { readonly id: string; readonly version: number },
  base: number,
): Promise<EditEntry[]> {
  if (base === version) return [];
  if (base > version) throw new Problem(400, 'invalid', `The flow has version ${version}; ${base} does not exist.`);
  const rows = await db
    .select({ version: flowEdit.version, userId: flowEdit.userId, kind: flowEdit.kind, edits: flowEdit.edits })
    .from(flowEdit)
    .where(and(eq(flowEdit.flowId, id), gt(flowEdit.version, base)))
    .orderBy(asc(flowEdit.version));
  if (rows[0]?.version !== base + 1)
    throw new Problem(409, 'changed', `The edits after version ${base} are not kept any more. Load the flow again.`);
  return rows.map(({ edits, kind, ...row }) => ({
    ...row,
    kind: kind as EntryKind,
    edits: JSON.parse(edits) as Edit[],
  }));
}

interface NewEntry {
  readonly userId: string;
  readonly kind: EntryKind;
  readonly edits: readonly Edit[];
  readonly key?: string | undefined;
  /** The version of the entry that this one reverts. */
  readonly reverts?: number;
}

/** Applies edits to a locked flow and stores both. @throws Problem, FlowError */
export async function applyToFlow(
  tx: Transaction,
  locked: LockedFlow,
  { userId, kind, edits, key, reverts }: NewEntry,
): Promise<Omit<FlowChange, 'between'>> {
  const applied = await applyInTurns(locked.document, edits);
  const { text, bytes } = await textOfDocument(applied.document);
  const [editsText, inversesText] = [await printJson(applied.edits), await printJson(applied.inverses)];
  const entryBytes = Buffer.byteLength(editsText) + Buffer.byteLength(inversesText);
  const version = locked.version + 1;
  await tx.insert(flowEdit).values({
    flowId: locked.id,
    version,
    userId,
    kind,
    edits: editsText,
    inverses: inversesText,
    bytes: entryBytes,
    reverts: reverts ?? null,
    requestKey: key ?? null,
    createdAt: new Date(),
  });
  const dropped = await dropOldEdits(tx, locked.id, version, locked.editBytes + entryBytes);
  const added = bytes - locked.documentBytes + entryBytes - dropped;
  await checkRoom(tx, locked.ownerId, { flows: 0, bytes: added });
  const updatedAt = new Date();
  await tx
    .update(flow)
    .set({
      document: text,
      name: applied.document.name,
      description: applied.document.description,
      version,
      documentBytes: bytes,
      editBytes: locked.editBytes + entryBytes - dropped,
      storedBytes: locked.storedBytes + added,
      othersEdited: locked.othersEdited || locked.ownerId !== userId,
      updatedAt,
    })
    .where(eq(flow.id, locked.id));
  if (kind === 'edit' || isOwnHistory(locked)) await keepApproval(tx, userId, locked);
  const notice = await noticeOf(tx, locked.id, version);
  await announceFlow(tx, notice);
  return { version, updatedAt, edits: applied.edits, notice };
}

/** Whether undo and restore points bring back only what this user wrote. */
const isOwnHistory = ({ access, othersEdited }: LockedFlow): boolean => access === 'owner' && !othersEdited;

async function findByKey(tx: Transaction, flowId: string, userId: string, key: string) {
  const [row] = await tx
    .select({ version: flowEdit.version, edits: flowEdit.edits })
    .from(flowEdit)
    .where(and(eq(flowEdit.flowId, flowId), eq(flowEdit.userId, userId), eq(flowEdit.requestKey, key)));
  return row && { version: row.version, edits: JSON.parse(row.edits) as Edit[] };
}

/** Removes the oldest entries above the limits; the newest one stays. @returns their bytes */
async function dropOldEdits(tx: Transaction, flowId: string, version: number, bytes: number): Promise<number> {
  // In batches, because each removal reads all entries.
  if (bytes <= FLOW_LIMITS.keptEditBytes && version % 50 !== 0) return 0;
  const { rows } = await tx.execute<{ bytes: string }>(sql`
    WITH dropped AS (
      DELETE FROM ${flowEdit} AS old USING (
        SELECT version, sum(bytes) OVER (ORDER BY version DESC) AS total FROM ${flowEdit} WHERE flow_id = ${flowId}
      ) AS sized
      WHERE old.flow_id = ${flowId} AND old.version = sized.version AND old.version < ${version}
        AND (sized.total > ${FLOW_LIMITS.keptEditBytes} OR old.version <= ${version - FLOW_LIMITS.keptEdits})
      RETURNING old.bytes
    ) SELECT coalesce(sum(bytes), 0) AS bytes FROM dropped`);
  return Number(rows[0]?.bytes ?? 0);
}
