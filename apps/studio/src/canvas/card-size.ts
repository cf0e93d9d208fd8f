import { Position } from '@xyflow/react';
import type { NodeView } from './node-view.ts';

/** The width of a component on the canvas. */
export const CARD_WIDTH = 248;

/** Pixels of `ComponentCard`: lines of its texts with their gaps, and the dots of ports. */
const HEAD = 54;
const LINE = 20;
const FIELDS_FRAME = 13;
const PORTS_PADDING = 8;
const BORDER = 1;
const DOT = 10;

/** A part of a view that decides about the size. */
type Sized = Pick<NodeView, 'fields' | 'inputs' | 'outputs'>;

const portsTop = ({ fields }: Sized): number => HEAD + (fields.length > 0 ? fields.length * LINE + FIELDS_FRAME : 0);

/** The height of a component before a run, in a browser with 16 px letters. */
export function cardHeight(view: Sized): number {
  const ports = Math.max(view.inputs.length, view.outputs.length);
  return portsTop(view) + 2 * PORTS_PADDING + (ports > 0 ? ports * LINE - 4 : 0) + BORDER;
}

/**
 * Where the ports of a component are. Without this and the height, React Flow draws every component once to measure it, also
 * those outside of the view.
 */
export function cardHandles(view: Sized) {
  const first = portsTop(view) + PORTS_PADDING + 8 - DOT / 2;
  const at = (index: number) => ({ y: first + index * LINE, width: DOT, height: DOT });
  return [
    ...view.inputs.map(({ name }, index) => ({
      id: name,
      type: 'target' as const,
      position: Position.Left,
      x: BORDER - DOT / 2,
      ...at(index),
    })),
    ...view.outputs.map(({ name }, index) => ({
      id: name,
      type: 'source' as const,
      position: Position.Right,
      x: CARD_WIDTH - BORDER - DOT / 2,
      ...at(index),
    })),
  ];
}
