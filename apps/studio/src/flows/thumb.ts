/** The parts of a flow that a drawing shows. */
export interface Drawn {
  readonly nodes: readonly { readonly id: string; readonly position: { readonly x: number; readonly y: number } }[];
  readonly edges: readonly { readonly from: { readonly node: string }; readonly to: { readonly node: string } }[];
}

/** A drawing of a flow: one box for each component, one line for each connection. */
export interface Thumb {
  readonly viewBox: string;
  /** The size of each box. */
  readonly width: number;
  readonly height: number;
  readonly boxes: readonly { readonly id: string; readonly x: number; readonly y: number }[];
  /** The path of all lines. */
  readonly wires: string;
}

const WIDTH = 320;
const HEIGHT = 180;
const MARGIN = 60;
/** More boxes are not visible at this size. */
const MAX_BOXES = 200;
/** Width to height of the picture. */
const SHAPE = 64 / 44;

/** Draws a flow. Undefined for a flow without components. */
export function thumbOf({ nodes, edges }: Drawn): Thumb | undefined {
  if (nodes.length === 0) return undefined;
  const boxes = nodes.slice(0, MAX_BOXES).map(({ id, position: { x, y } }) => ({ id, x, y }));
  const places = new Map(boxes.map((box) => [box.id, box]));
  const left = Math.min(...boxes.map(({ x }) => x)) - MARGIN;
  const top = Math.min(...boxes.map(({ y }) => y)) - MARGIN;
  const width = Math.max(...boxes.map(({ x }) => x)) + WIDTH + MARGIN - left;
  const height = Math.max(...boxes.map(({ y }) => y)) + HEIGHT + MARGIN - top;
  // A single row of components would be drawn far too large.
  const shown = Math.max(width, height * SHAPE, 3 * WIDTH);
  const tall = shown / SHAPE;
  const wires = edges.slice(0, 2 * MAX_BOXES).flatMap(({ from, to }) => {
    const [start, end] = [places.get(from.node), places.get(to.node)];
    if (!start || !end) return [];
    return `M${start.x + WIDTH} ${start.y + HEIGHT / 2}L${end.x} ${end.y + HEIGHT / 2}`;
  });
  return {
    viewBox: `${left - (shown - width) / 2} ${top - (tall - height) / 2} ${shown} ${tall}`,
    width: WIDTH,
    height: HEIGHT,
    boxes,
    wires: wires.join(''),
  };
}
