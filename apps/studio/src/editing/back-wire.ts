import type { InternalNode, ReactFlowState } from '@xyflow/react';
import type { Box } from './align.ts';

/** The space between a wire and the components that it passes. */
const CLEARANCE = 32;
/** The smallest space between two components that a wire passes through. */
const GAP = 24;

/** A component that a wire ends at, and the height of the port. */
export type WireEnd = Box & { readonly port: number };

/**
 * The height at which a wire turns that leads to the left: between its components where one is below the other. Otherwise
 * it passes them, and those between them, on the side where it is shorter.
 */
export function turnHeight(from: WireEnd, to: WireEnd, others: readonly Box[]): number {
  const [upper, lower] = from.y <= to.y ? [from, to] : [to, from];
  if (lower.y - bottomOf(upper) >= GAP) return (bottomOf(upper) + lower.y) / 2;
  const passed = others.filter((each) => each.x < from.x + from.width && each.x + each.width > to.x);
  const below = lowest(passed, Math.max(bottomOf(from), bottomOf(to)));
  const above = -lowest(passed.map(mirrored), -upper.y);
  const length = (turn: number): number => Math.abs(turn - from.port) + Math.abs(turn - to.port);
  return length(above) < length(below) ? above : below;
}

/** The first height from here downwards at which a wire is clear of all boxes. */
function lowest(boxes: readonly Box[], start: number): number {
  let height = start + CLEARANCE;
  for (const each of [...boxes].sort((one, other) => one.y - other.y))
    if (each.y < height + CLEARANCE && bottomOf(each) > height - CLEARANCE) height = bottomOf(each) + CLEARANCE;
  return height;
}

const bottomOf = ({ y, height }: Box): number => y + height;
const mirrored = (box: Box): Box => ({ ...box, y: -bottomOf(box) });

/** The same for components of a canvas. Undefined until it measured them. */
export function turnOf(
  { nodeLookup }: Pick<ReactFlowState, 'nodeLookup'>,
  {
    source,
    sourceY,
    target,
    targetY,
  }: Readonly<Record<'source' | 'target', string> & Record<'sourceY' | 'targetY', number>>,
): number | undefined {
  const [from, to] = [boxOf(nodeLookup.get(source)), boxOf(nodeLookup.get(target))];
  if (from === undefined || to === undefined) return undefined;
  const components = [...nodeLookup.values()].filter(({ type }) => type === 'component');
  const boxes = components.flatMap((each) => boxOf(each) ?? []);
  return turnHeight({ ...from, port: sourceY }, { ...to, port: targetY }, boxes);
}

function boxOf(node: InternalNode | undefined): Box | undefined {
  const { width, height } = node?.measured ?? {};
  return node && width && height ? { ...node.internals.positionAbsolute, width, height } : undefined;
}
