import type { FlowDocument } from '@croft/flow';
import type { FlowComponents } from '../components/flow-components.ts';
import { getFlow, type StoredFlow } from '../flows/get-flow.ts';
import { type ListedTool, readShape, storeShape, type StoredShape } from '../flows/published-tools.ts';
import type { Log } from '../log.ts';
import type { Db } from '../store/database.ts';
import { type ToolInput, toolInputsOf } from './tool-inputs.ts';

/** The title and arguments of a published flow. Its owner wrote the name and the description. */
export interface ToolShape {
  readonly title: string;
  readonly inputs: readonly ToolInput[];
}

export interface ToolShapeOptions {
  readonly flowComponents: Pick<FlowComponents, 'forFlow'>;
  readonly log: Pick<Log, 'warn'>;
  readonly storage: () => Promise<Db>;
}

export interface ToolShapes {
  /** The shape of each tool, in the same order; `undefined` where none is known. */
  of(userId: string, tools: readonly ListedTool[]): Promise<readonly (ToolShape | undefined)[]>;
}

/** Documents that one list reads, in bytes. Where more flows changed, later lists read the others. */
const LIST_BYTES = 16 * 1024 * 1024;
const MAX_TITLE = 100;

/** Computes the shape of a flow. It depends on the document only. */
export async function shapeOfFlow(
  { flowComponents }: Pick<ToolShapeOptions, 'flowComponents'>,
  userId: string,
  document: FlowDocument,
): Promise<ToolShape> {
  const { registry } = await flowComponents.forFlow(userId, document);
  const title = document.name
    .replace(/[\p{C}\s]+/gu, ' ')
    .trim()
    .slice(0, MAX_TITLE);
  return { title, inputs: toolInputsOf(document, registry) };
}

/** The same, to store it. */
export const storedShapeOf = (shape: ToolShape, { version }: Pick<StoredFlow, 'version'>): StoredShape => ({
  version,
  json: JSON.stringify(shape),
});

/**
 * Reads the stored shapes of tools, and computes those of flows that changed. A change that the owner has not accepted keeps the
 * former shape: another user wrote its labels.
 */
export function createToolShapes(options: ToolShapeOptions): ToolShapes {
  const computing = new Map<string, Promise<ToolShape | undefined>>();
  // Documents are large, so all callers together compute one shape at a time.
  let last: Promise<unknown> = Promise.resolve();
  const compute = (userId: string, tool: ListedTool): Promise<ToolShape | undefined> => {
    const key = JSON.stringify([tool.flowId, tool.version]);
    const same = computing.get(key);
    if (same !== undefined) return same;
    const work = last.then(() => computeShape(options, userId, tool)).finally(() => computing.delete(key));
    last = work;
    computing.set(key, work);
    return work;
  };
  return {
    async of(userId, tools) {
      let left = LIST_BYTES;
      const shapes: (ToolShape | undefined)[] = [];
      for (const tool of tools) {
        const stored = tool.shape && (JSON.parse(tool.shape.json) as ToolShape);
        const isCurrent = tool.shape?.version === tool.version || (stored !== undefined && !tool.isAccepted);
        if (isCurrent || left <= 0) shapes.push(stored);
        else {
          left -= tool.documentBytes;
          shapes.push((await compute(userId, tool)) ?? stored);
        }
      }
      return shapes;
    },
  };
}

/**
 * Reads no document where another list stored the shape after this one read its rows. Undefined where the flow cannot be read,
 * which must not hide the other tools of the user.
 */
async function computeShape(
  options: ToolShapeOptions,
  userId: string,
  { flowId, version, shape: former }: ListedTool,
): Promise<ToolShape | undefined> {
  try {
    const db = await options.storage();
    const stored = await readShape(db, flowId);
    if (stored?.version === version) return JSON.parse(stored.json) as ToolShape;
    const found = await getFlow(db, userId, flowId);
    // Its owner may not have accepted a later version.
    if (found === undefined || (found.version !== version && former !== undefined)) return undefined;
    const shape = await shapeOfFlow(options, userId, found.document);
    await storeShape(db, flowId, storedShapeOf(shape, found));
    return shape;
  } catch (error) {
    options.log.warn({ err: error, flow: flowId }, 'the tool of a flow could not be described');
    return undefined;
  }
}
