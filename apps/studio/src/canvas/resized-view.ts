import { getViewportForBounds, type Rect, type Viewport } from '@xyflow/react';
import { FIT, firstView } from './first-view.ts';
import type { CanvasNode } from './graph.ts';

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** The state of a canvas that gets another size. */
export interface SeenView {
  readonly view: Viewport;
  /** The size before. */
  readonly size: Size;
  /** The last view that the page chose itself. */
  readonly chosen: Viewport | undefined;
  readonly nodes: readonly CanvasNode[];
  /** Of the flow with its groups. */
  readonly bounds: Rect;
}

/** The view of a whole flow, as the button **Fit the view** shows it. */
export const fitted = (bounds: Rect, { width, height }: Size): Viewport =>
  getViewportForBounds(bounds, width, height, FIT.minZoom, FIT.maxZoom, FIT.padding);

/**
 * The view after the canvas got another size. One that the page chose is chosen again for the new size. One of the user keeps its
 * zoom and its middle; a flow that was in view as a whole stays in view where it has room.
 */
export function resizedView({ view, size: old, chosen, nodes, bounds }: SeenView, size: Size): Viewport {
  if (chosen && isSameView(view, chosen)) return firstView(nodes, size.width, size.height);
  if (nodes.length > 0 && isSameView(view, fitted(bounds, old))) return fitted(bounds, size);
  const { zoom } = view;
  const [x, y] = [view.x + (size.width - old.width) / 2, view.y + (size.height - old.height) / 2];
  if (!isWithin(view.x, bounds.x, bounds.width, zoom, old.width)) return { x, y, zoom };
  if (!isWithin(view.y, bounds.y, bounds.height, zoom, old.height)) return { x, y, zoom };
  return {
    x: within(x, bounds.x, bounds.width, zoom, size.width),
    y: within(y, bounds.y, bounds.height, zoom, size.height),
    zoom,
  };
}

export const isSameView = (one: Viewport, other: Viewport): boolean =>
  Math.abs(one.x - other.x) < 0.5 && Math.abs(one.y - other.y) < 0.5 && Math.abs(one.zoom - other.zoom) < 0.001;

const isWithin = (offset: number, start: number, length: number, zoom: number, room: number): boolean =>
  start * zoom + offset >= 0 && (start + length) * zoom + offset <= room;

/** The offset with which a range is inside of the room; as it is where there is not enough. */
function within(offset: number, start: number, length: number, zoom: number, room: number): number {
  if (length * zoom > room) return offset;
  return Math.min(Math.max(offset, -start * zoom), room - (start + length) * zoom);
}
