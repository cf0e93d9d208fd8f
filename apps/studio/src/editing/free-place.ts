import type { Position } from '@croft/flow';

/** The size of a node, in the units of the positions. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

const GAP = { x: 72, y: 28 };

/** The first place from here downwards, or to the right, at which a node of this size covers no other. */
export function freePlace(
  at: Position,
  size: Size,
  others: readonly (Position & Size)[],
  towards: 'down' | 'right' = 'down',
): Position {
  const place = { ...at };
  for (;;) {
    const hit = others.find(
      (other) =>
        place.x < other.x + other.width + GAP.y &&
        other.x < place.x + size.width + GAP.y &&
        place.y < other.y + other.height + GAP.y / 2 &&
        other.y < place.y + size.height + GAP.y / 2,
    );
    if (hit === undefined) return place;
    if (towards === 'right') Object.assign(place, { x: hit.x + hit.width + GAP.x, y: hit.y });
    else place.y = hit.y + hit.height + GAP.y;
  }
}
