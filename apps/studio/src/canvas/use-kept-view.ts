import { getViewportForBounds, type ReactFlowInstance, type Rect, type Viewport } from '@xyflow/react';
import { useEffect } from 'react';
import type { WireEdge } from '../editing/wire.tsx';
import { FIT, READABLE } from './first-view.ts';
import type { FrameNode } from './frames.ts';
import type { CanvasNode } from './graph.ts';

type Instance = ReactFlowInstance<CanvasNode | FrameNode, WireEdge>;

interface Size {
  readonly width: number;
  readonly height: number;
}

/**
 * Keeps what is seen when the canvas gets another size, for example beside the docked assistant: a flow that was in view as a
 * whole stays in view if it is readable then, and of another one the middle stays where it is. With its old size the canvas gets its old view, unless
 * the user moved it meanwhile.
 */
export function useKeptView(
  box: { readonly current: HTMLElement | null },
  drawing: { readonly current: { readonly instance: Instance } | undefined },
) {
  useEffect(() => {
    if (!box.current) return undefined;
    let before: Size | undefined;
    let origin: { readonly view: Viewport; readonly size: Size } | undefined;
    let own: Viewport | undefined;
    const observer = new ResizeObserver(([entry]) => {
      const { width = 0, height = 0 } = entry?.contentRect ?? {};
      if (width === 0 || height === 0) return;
      const [size, old] = [{ width, height }, before];
      before = size;
      const instance = drawing.current?.instance;
      if (old === undefined || instance === undefined) return;
      const now = instance.getViewport();
      if (origin === undefined || own === undefined || !isSame(now, own)) origin = { view: now, size: old };
      const flow = instance.getNodesBounds(instance.getNodes());
      const { view } = origin;
      const moved = {
        x: view.x + (width - origin.size.width) / 2,
        y: view.y + (height - origin.size.height) / 2,
        zoom: view.zoom,
      };
      const isCut = isIn(flow, view, origin.size) && !isIn(flow, moved, size);
      const fit = getViewportForBounds(flow, width, height, FIT.minZoom, FIT.maxZoom, FIT.padding);
      own = isCut && fit.zoom >= READABLE.whole ? fit : moved;
      void instance.setViewport(own);
    });
    observer.observe(box.current);
    return () => observer.disconnect();
  }, [box, drawing]);
}

function isIn({ x, y, width, height }: Rect, view: Viewport, size: Size): boolean {
  const [left, top] = [x * view.zoom + view.x, y * view.zoom + view.y];
  const [right, bottom] = [left + width * view.zoom, top + height * view.zoom];
  return left >= 0 && top >= 0 && right <= size.width && bottom <= size.height;
}

const isSame = (one: Viewport, other: Viewport): boolean =>
  Math.abs(one.x - other.x) < 0.5 && Math.abs(one.y - other.y) < 0.5 && Math.abs(one.zoom - other.zoom) < 0.001;
