import type { Edit } from '@croft/flow';
import { and, desc, eq, lt, like, or, sql } from 'drizzle-orm';
import type { Db } from '../store/database.ts';
import { flowEdit } from '../store/flow-schema.ts';
import { user } from '../store/schema.ts';
import { type EditMaker, makerOfKey } from './edit-key.ts';

/** The edit that added a component. */
export interface ComponentOrigin {
  readonly by: EditMaker;
  /** The user whose edit it was. Null: the user was removed. */
  readonly author: string | null;
  /** The version of the flow after it. */
  readonly version: number;
  readonly addedAt: Date;
}

/**
 * Finds the edit that added a component. Undo and restore bring a component back and do not count. Undefined for a component that
 * the flow had when it was made, and where the edit is not kept any more.
 */
export async function findOrigin(db: Db, flowId: string, nodeId: string): Promise<ComponentOrigin | undefined> {
  const quoted = JSON.stringify(nodeId);
  for (let before: number | undefined; ; ) {
    // One at a time: an edit can have the size of a flow.
    const [row] = await db
      .select({
        version: flowEdit.version,
        edits: flowEdit.edits,
        inverses: flowEdit.inverses,
        key: flowEdit.requestKey,
        addedAt: flowEdit.createdAt,
        author: user.name,
      })
      .from(flowEdit)
      .leftJoin(user, eq(user.id, flowEdit.userId))
      .where(
        and(
          eq(flowEdit.flowId, flowId),
          eq(flowEdit.kind, 'edit'),
          before === undefined ? undefined : lt(flowEdit.version, before),
          or(like(flowEdit.edits, '%"add_component"%'), like(flowEdit.edits, '%"set_flow"%')),
          sql`strpos(${flowEdit.edits}, ${quoted}) > 0`,
        ),
      )
      .orderBy(desc(flowEdit.version))
      .limit(1);
    if (row === undefined) return undefined;
    const { edits, inverses, key, ...origin } = row;
    if (adds(JSON.parse(edits) as Edit[], JSON.parse(inverses) as Edit[], nodeId))
      return { ...origin, by: makerOfKey(key) };
    before = row.version;
  }
}

function adds(edits: readonly Edit[], inverses: readonly Edit[], id: string): boolean {
  const has = (edit: Edit): boolean =>
    edit.kind === 'batch' ? edit.edits.some(has) : edit.kind === 'add_component' ? edit.node.id === id : hadAll(edit);
  // A replaced flow kept the components that it had before.
  const hadAll = (edit: Edit): boolean =>
    edit.kind === 'batch'
      ? edit.edits.some(hadAll)
      : edit.kind === 'set_flow' && edit.flow.nodes.some((node) => node.id === id);
  return edits.some(has) && !inverses.some(hadAll);
}
