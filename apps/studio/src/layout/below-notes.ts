import type { Position } from '@croft/flow';
import type { Size } from '../editing/free-place.ts';

type Box = Position & Size;

/** The room between a note and the components below it. */
const GAP = 40;

/** How far down components move together so that they cover no note; 0 where they cover none. */
export function belowNotes(components: readonly Box[], notes: readonly Box[]): number {
  let by = 0;
  // Each step puts a component below a note that it covered, so the loop ends.
  for (;;) {
    let step = 0;
    for (const each of components) for (const note of notes) step = Math.max(step, wayOff(each, by, note));
    if (step === 0) return by;
    by += step;
  }
}

/** How far down a component must move to be off a note; 0 where it does not cover the note. */
function wayOff({ x, y, width, height }: Box, by: number, note: Box): number {
  const top = y + by;
  const isOn = x < note.x + note.width && note.x < x + width && top < note.y + note.height && note.y < top + height;
  return isOn ? Math.ceil(note.y + note.height + GAP - top) : 0;
}
