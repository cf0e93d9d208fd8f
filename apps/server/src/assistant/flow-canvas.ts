import type { Canvas, CanvasState } from '@croft/assistant';
import type { Edit } from '@croft/flow';
import { sendFlowChange } from '../flows/announce-flow.ts';
import { keepAutomaticPoint } from '../flows/automatic-point.ts';
import { changeFlow, type ChangeFlowOptions } from '../flows/change-flow.ts';
import { requireFlow } from '../flows/get-flow.ts';
import { Problem } from '../problem.ts';
import { editKeyOfTurn } from '../flows/edit-key.ts';
import { revertOwnEdit } from '../flows/undo-edit.ts';
import { forModel } from './for-model.ts';

export interface FlowCanvasOptions extends ChangeFlowOptions {
  readonly userId: string;
  readonly flowId: string;
  readonly turnId: string;
  /** The message, for the name of the restore point. */
  readonly message: string;
  /** The same decision again changes nothing: the key of its edit. */
  readonly key?: string;
}

/** The stored flow as a turn's canvas. Edits take the way of every other client's, so open pages follow them. */
export function createFlowCanvas(options: FlowCanvasOptions): Canvas {
  const { storage, events, userId, flowId, turnId, message, key } = options;
  const read = async (): Promise<CanvasState> => {
    const { document, version } = await requireFlow(await storage(), userId, flowId);
    return { flow: document, version };
  };
  return {
    read: () => forModel(read()),
    edit: (base, edits: readonly Edit[]) =>
      forModel(
        (async () => {
          await changeFlow(options, { userId, flowId, base, edits, key: editKeyOfTurn(turnId, key) });
          return read();
        })(),
      ),
    editExactly: (base, edits) =>
      forModel(
        (async () => {
          try {
            await changeFlow(options, { userId, flowId, base, edits, key: editKeyOfTurn(turnId, key), isExact: true });
          } catch (error) {
            if (error instanceof Problem && error.code === 'changed') return undefined;
            throw error;
          }
          return read();
        })(),
      ),
    undo: () =>
      forModel(
        (async () => {
          const { version: base } = await read();
          const { notice } = await revertOwnEdit(await storage(), { userId, flowId, base, kind: 'undo' });
          sendFlowChange(events, notice);
          return read();
        })(),
      ),
    checkpoint: () => forModel(keepAutomaticPoint(options, { userId, flowId, author: 'the assistant', what: message })),
  };
}
