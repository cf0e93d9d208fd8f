import type { Canvas, CanvasState } from '@croft/assistant';
import type { Edit } from '@croft/flow';
import type { EventStreams } from '../events.ts';
import { sendFlowChange } from '../flows/announce-flow.ts';
import { editFlow, type FlowChange } from '../flows/edit-flow.ts';
import { requireFlow } from '../flows/get-flow.ts';
import { createRestorePoint, deleteRestorePoint, listRestorePoints } from '../flows/restore-points.ts';
import { editKeyOfTurn, revertOwnEdit } from '../flows/undo-edit.ts';
import type { Db } from '../store/database.ts';
import { forModel } from './for-model.ts';

export interface FlowCanvasOptions {
  readonly storage: () => Promise<Db>;
  readonly events: Pick<EventStreams, 'send'>;
  readonly userId: string;
  readonly flowId: string;
  readonly turnId: string;
  /** The message, for the name of the restore point. */
  readonly message: string;
  /** The same decision again changes nothing: the key of its edit. */
  readonly key?: string;
}

/** How the restore points of the assistant begin. The oldest ones make room; points of users are never removed. */
const POINT_NAME = 'Before the assistant: ';
const MAX_POINTS = 20;
const MAX_NAME = 80;

/** The stored flow as a turn's canvas. Edits take the way of every other client's, so open pages follow them. */
export function createFlowCanvas({ storage, events, userId, flowId, turnId, message, key }: FlowCanvasOptions): Canvas {
  const read = async (): Promise<CanvasState> => {
    const { document, version } = await requireFlow(await storage(), userId, flowId);
    return { flow: document, version };
  };
  const change = async (changing: Promise<FlowChange>): Promise<CanvasState> => {
    const { notice } = await changing;
    sendFlowChange(events, notice);
    return read();
  };
  return {
    read: () => forModel(read()),
    edit: (base, changes: readonly Edit[]) =>
      forModel(
        (async () => {
          const request = { userId, flowId, base, edits: changes, key: editKeyOfTurn(turnId, key) };
          return change(editFlow(await storage(), request));
        })(),
      ),
    undo: () =>
      forModel(
        (async () => {
          const { version: base } = await read();
          return change(revertOwnEdit(await storage(), { userId, flowId, base, kind: 'undo' }));
        })(),
      ),
    checkpoint: () =>
      forModel(
        (async () => {
          const db = await storage();
          const points = (await listRestorePoints(db, flowId)).filter(({ name }) => name.startsWith(POINT_NAME));
          for (const { id } of points.slice(MAX_POINTS - 1)) await deleteRestorePoint(db, { userId, flowId, id });
          const name = `${POINT_NAME}${message.replace(/\s+/g, ' ').slice(0, MAX_NAME)}`;
          const { id, notice } = await createRestorePoint(db, { userId, flowId, name });
          sendFlowChange(events, notice);
          return id;
        })(),
      ),
  };
}
