import type { Position } from '@croft/flow';
import type { Size } from './free-place.ts';

export type Box = Position & Size;
export type Alignment = 'left' | 'center' | 'right' | 'top' | 'middle' | 'bottom';
export type Axis = 'x' | 'y';

type Places = Readonly<Record<string, Position>>;

/** Places at which the boxes have one side or middle in common. Boxes that are there already are left out. */
export function align(boxes: ReadonlyMap<string, Box>, how: Alignment): Places {
  const axis: Axis = how === 'left' || how === 'center' || how === 'right' ? 'x' : 'y';
  const size = axis === 'x' ? 'width' : 'height';
  /** The part of a box that comes before the common line: nothing, half or all of it. */
  const part = how === 'left' || how === 'top' ? 0 : how === 'center' || how === 'middle' ? 0.5 : 1;
  const all = [...boxes.values()];
  const start = Math.min(...all.map((box) => box[axis]));
  const end = Math.max(...all.map((box) => box[axis] + box[size]));
  const line = start + (end - start) * part;
  return placesOf(boxes, axis, (box) => line - box[size] * part);
}

/** Places at which the gaps between neighbours are equal. The first and the last box stay. */
export function distribute(boxes: ReadonlyMap<string, Box>, axis: Axis): Places {
  const size = axis === 'x' ? 'width' : 'height';
  const sorted = [...boxes.values()].sort((one, other) => one[axis] - other[axis]);
  const [first, last] = [sorted[0], sorted.at(-1)];
  if (!first || !last || sorted.length < 3) return {};
  const inside = sorted.slice(1, -1);
  const filled = inside.reduce((sum, box) => sum + box[size], 0);
  const gap = (last[axis] - first[axis] - first[size] - filled) / (sorted.length - 1);
  const places = new Map<Box, number>();
  let next = first[axis] + first[size] + gap;
  for (const box of inside) {
    places.set(box, next);
    next += box[size] + gap;
  }
  return placesOf(boxes, axis, (box) => places.get(box) ?? box[axis]);
}

function placesOf(boxes: ReadonlyMap<string, Box>, axis: Axis, placeOf: (box: Box) => number): Places {
  const moved: Record<string, Position> = {};
  for (const [id, box] of boxes) {
    const place = Math.round(placeOf(box));
    if (place !== Math.round(box[axis])) moved[id] = { x: box.x, y: box.y, [axis]: place };
  }
  return moved;
}
