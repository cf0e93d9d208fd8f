import type { FlowDocument, PortRef, Position } from '@croft/flow';
import { toDocument } from '../canvas/graph.ts';
import type { Size } from './free-place.ts';

/** The size that a new component takes at most, in units of the canvas. */
export const NEW_SIZE: Size = { width: 248, height: 150 };
const GAP = 72;

/**
 * The place between two connected components side by side, and the positions of the right one and all that it leads
 * to, which move to the right so that a new component fits. Undefined where it fits already, or the two are not side by side.
 */
export function makeRoom(
  flow: FlowDocument,
  { from, to }: { readonly from?: PortRef | undefined; readonly to?: PortRef | undefined },
  boxes: ReadonlyMap<string, Position & Size> | undefined,
): { readonly at: Position; readonly positions: Readonly<Record<string, Position>> } | undefined {
  const [left, right] = [from && boxes?.get(from.node), to && boxes?.get(to.node)];
  if (!left || !right || to === undefined || right.x < left.x + left.width) return undefined;
  const missing = left.x + left.width + NEW_SIZE.width + 2 * GAP - right.x;
  if (missing <= 0) return undefined;
  const later = downstream(flow, to.node);
  if (from !== undefined && later.has(from.node)) return undefined;
  // One more: positions are whole numbers.
  const by = toDocument({ x: missing + 1, y: 0 }).x;
  const moved = flow.nodes.filter(({ id }) => later.has(id));
  return {
    at: { x: left.x + left.width + GAP, y: right.y },
    positions: Object.fromEntries(moved.map(({ id, position: { x, y } }) => [id, { x: x + by, y }])),
  };
}

/** A component and all that it leads to. */
function downstream({ edges }: FlowDocument, start: string): ReadonlySet<string> {
  const next = new Map<string, string[]>();
  for (const { from, to } of edges) next.set(from.node, [...(next.get(from.node) ?? []), to.node]);
  const found = new Set([start]);
  for (const id of found) for (const each of next.get(id) ?? []) found.add(each);
  return found;
}
