import { landEdit } from '@croft/assistant/events';
import { applyEdit, type Descriptor, type FlowContent, type FlowDocument, type Registry, nodeTitle } from '@croft/flow';
import { CARD_WIDTH } from '../canvas/card-size.ts';
import { type Chat, latestTurn } from './chat.ts';

/** The outlines of a plan on the canvas. They do not belong to the flow. */
export interface PlanGhosts {
  readonly boxes: readonly {
    readonly id: string;
    readonly title: string;
    readonly x: number;
    readonly y: number;
  }[];
  /** The path of all connections. */
  readonly wires: string;
}

export const GHOST = { width: CARD_WIDTH, height: 72 } as const;

/** The flow of the plan that waits for the user. */
export function openPlan(chat: Chat): FlowContent | undefined {
  const plan = latestTurn(chat)?.plan;
  return plan?.status === 'pending' || plan?.status === 'refining' ? plan.flow : undefined;
}

/** Draws what a plan would add where **Add to canvas** would put it. Components of the canvas are not drawn. */
export function ghostsOf(
  plan: FlowContent,
  canvas: FlowDocument,
  registry: Pick<Registry<{ readonly descriptor: Descriptor }>, 'get'>,
): PlanGhosts {
  const there = new Set(canvas.nodes.map(({ id }) => id));
  const { nodes, edges } = applyEdit(canvas, landEdit(canvas, plan, 'add')).flow;
  const boxes = nodes
    .filter(({ id }) => !there.has(id))
    .map((node) => ({ id: node.id, title: nodeTitle(node, registry), ...node.position }));
  const places = new Map(boxes.map((box) => [box.id, box]));
  const wires = edges.flatMap(({ from, to }) => {
    const [start, end] = [places.get(from.node), places.get(to.node)];
    if (!start || !end) return [];
    const [x1, y1] = [start.x + GHOST.width, start.y + GHOST.height / 2];
    const [x2, y2] = [end.x, end.y + GHOST.height / 2];
    const bend = Math.max(40, Math.abs(x2 - x1) / 2);
    return `M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`;
  });
  return { boxes, wires: wires.join('') };
}
