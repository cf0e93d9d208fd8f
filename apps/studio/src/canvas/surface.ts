import type { ReactFlowInstance } from '@xyflow/react';
import type { Surface } from '../editing/canvas-surface.ts';
import type { WireEdge } from '../editing/wire.tsx';
import { isField } from '../inspector/focus-field.ts';
import type { FrameNode } from './frames.ts';
import type { CanvasNode } from './graph.ts';

type Instance = ReactFlowInstance<CanvasNode | FrameNode, WireEdge>;

/** A new element exists after this many frames at the latest. */
const MAX_FRAMES = 30;
const MARGIN = 24;

/** Questions and movements of the drawing, for actions. */
export function surfaceOf(
  instance: Instance,
  box: { readonly current: HTMLElement | null },
  onSelect: (ids: readonly string[], isDrawn: boolean) => void,
): Omit<Surface, 'fitNext'> {
  const boxOf = ({ position: { x, y }, measured, width, height }: CanvasNode | FrameNode) => ({
    x,
    y,
    width: measured?.width ?? width ?? 0,
    height: measured?.height ?? height ?? 0,
  });
  return {
    middle() {
      const { left = 0, top = 0, width = 0, height = 0 } = box.current?.getBoundingClientRect() ?? {};
      return instance.screenToFlowPosition({ x: left + width / 2, y: top + height / 2 });
    },
    boxes: () =>
      new Map(instance.getNodes().flatMap((node) => (node.type === 'frame' ? [] : [[node.id, boxOf(node)] as const]))),
    selection() {
      const ids = instance.getNodes().flatMap(({ id, selected }) => (selected ? [id] : []));
      const edges = instance.getEdges().flatMap(({ selected, data }) => (selected && data ? [data.edge] : []));
      if (ids.length + edges.length > 0) return { ids: new Set(ids), edges };
      const focused = focusedItem(box.current);
      const edge = instance.getEdges().find(({ id }) => id === focused)?.data?.edge;
      if (edge) return { ids: new Set(), edges: [edge] };
      const isNode = focused !== undefined && instance.getNode(focused) !== undefined;
      return { ids: new Set(isNode ? [focused] : []), edges: [] };
    },
    select: (ids) => onSelect(ids, false),
    selectDrawn: (ids) => onSelect(ids, true),
    show(id, isWhole = false) {
      const { activeElement } = document;
      const attempt = (frames: number) => {
        const node = instance.getNode(id);
        if (node?.measured && box.current) {
          if (isWhole) void instance.fitView({ nodes: [{ id }], maxZoom: 1, padding: 0.6 });
          else bringIntoView(instance, box.current, boxOf(node));
          focusLater(box.current, id, MAX_FRAMES, activeElement);
        } else if (frames > 0) requestAnimationFrame(() => attempt(frames - 1));
      };
      // A dialog that closes now gives the focus back first.
      requestAnimationFrame(() => attempt(MAX_FRAMES));
    },
  };
}

/** Moves the view so that a box is inside of it. */
function bringIntoView(
  instance: Instance,
  element: HTMLElement,
  { x, y, width, height }: { x: number; y: number; width: number; height: number },
) {
  const { zoom, ...view } = instance.getViewport();
  const { clientWidth, clientHeight } = element;
  const shift = (start: number, size: number, room: number) =>
    start < MARGIN
      ? MARGIN - start
      : start + size > room - MARGIN
        ? Math.max(room - MARGIN - size - start, MARGIN - start)
        : 0;
  const dx = shift(x * zoom + view.x, width * zoom, clientWidth);
  const dy = shift(y * zoom + view.y, height * zoom, clientHeight);
  if (dx !== 0 || dy !== 0) void instance.setViewport({ x: view.x + dx, y: view.y + dy, zoom });
}

/**
 * Focuses a node as soon as its element exists. A field that has the focus by then keeps it, unless it is `before`: someone
 * types there.
 */
function focusLater(box: HTMLElement | null, id: string, frames: number, before: Element | null) {
  const element = box?.querySelector<HTMLElement>(`.react-flow__node[data-id="${CSS.escape(id)}"]`);
  const { activeElement } = document;
  if (isField(activeElement) && activeElement !== before) return;
  if (element && !element.contains(activeElement)) element.focus({ preventScroll: true });
  if (!element && frames > 0) requestAnimationFrame(() => focusLater(box, id, frames - 1, before));
}

/** The id of the node or edge that has the focus. */
function focusedItem(box: HTMLElement | null): string | undefined {
  const { activeElement } = document;
  if (!activeElement || !box?.contains(activeElement)) return undefined;
  return activeElement.closest('.react-flow__node, .react-flow__edge')?.getAttribute('data-id') ?? undefined;
}
