import type { CanvasNode } from './graph.ts';

/** The smallest zoom at which a whole flow is shown when it opens, and the zoom of larger flows. */
export const READABLE = { whole: 0.4, part: 0.6 };
/** The same on a canvas that has room for three components of this size, with texts of 9 px. */
const ROOMY = { width: 720, zoom: 0.75 };
const MARGIN = 28;
/** The heights of the toolbar and of the zoom buttons, with their margins: they cover the canvas. */
const [TOP, BOTTOM] = [64, 60];

/** Shows a whole flow between the toolbar and the zoom buttons. */
export const FIT = {
  padding: { x: `${MARGIN}px`, top: `${TOP}px`, bottom: `${BOTTOM}px` },
  maxZoom: 1,
  minZoom: 0.1,
} as const;

/**
 * The first view of a flow: all of it where that is readable, else its start. Width and height are those of the canvas on
 * the page.
 */
export function firstView(nodes: readonly CanvasNode[], width: number, height: number) {
  if (nodes.length === 0) return { x: 0, y: 0, zoom: 1 };
  const left = Math.min(...nodes.map(({ position }) => position.x));
  const top = Math.min(...nodes.map(({ position }) => position.y));
  const right = Math.max(...nodes.map((each) => each.position.x + (each.width ?? 0)));
  const bottom = Math.max(...nodes.map((each) => each.position.y + (each.height ?? each.measured?.height ?? 0)));
  const fit = Math.min((width - 2 * MARGIN) / (right - left), (height - TOP - BOTTOM) / (bottom - top), 1);
  const { whole, part } = width < ROOMY.width ? READABLE : { whole: ROOMY.zoom, part: ROOMY.zoom };
  if (fit >= whole)
    return { x: (width - (left + right) * fit) / 2, y: (TOP + height - BOTTOM - (top + bottom) * fit) / 2, zoom: fit };
  const first = nodes.find(({ position }) => position.x === left)?.position.y ?? top;
  return { x: MARGIN - left * part, y: height / 3 - first * part, zoom: part };
}
