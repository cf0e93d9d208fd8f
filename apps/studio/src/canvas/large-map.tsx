import { Panel, useReactFlow, useStore } from '@xyflow/react';
import { memo, type PointerEvent, useMemo } from 'react';
import type { CanvasNode } from './graph.ts';

const SIZE = { width: 140, height: 96 };

/**
 * The map of a large flow: one shape for all components, with the visible part. A click or a drag moves there. React Flow's map
 * follows each component by itself, which takes longer than the canvas for thousands. While components are dragged, they stay
 * on this map where they were.
 */
export const LargeMap = memo(function LargeMap({ nodes }: { nodes: readonly CanvasNode[] }) {
  const { setCenter, getZoom } = useReactFlow();
  const { path, left, top, width, height } = useMemo(() => shapeOf(nodes), [nodes]);
  const view = useStore(({ transform: [x, y, zoom], width: wide, height: high }) =>
    [-x / zoom, -y / zoom, wide / zoom, high / zoom].join(' '),
  );
  const [x, y, wide, high] = view.split(' ').map(Number);
  function follow(event: PointerEvent<SVGSVGElement>) {
    if (event.buttons !== 1) return;
    const box = event.currentTarget.getBoundingClientRect();
    const scale = Math.max(width / box.width, height / box.height);
    const at = (point: number, start: number, size: number, begin: number, whole: number) =>
      begin + whole / 2 + (point - start - size / 2) * scale;
    void setCenter(
      at(event.clientX, box.left, box.width, left, width),
      at(event.clientY, box.top, box.height, top, height),
      { zoom: getZoom() },
    );
  }
  return (
    <Panel position="bottom-right" className="rounded-md border border-line bg-surface max-md:hidden">
      <svg
        {...SIZE}
        role="img"
        aria-label="Map of the flow"
        viewBox={`${left} ${top} ${width} ${height}`}
        className="block cursor-pointer touch-none rounded-md"
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          follow(event);
        }}
        onPointerMove={follow}
      >
        <path d={path} fill="var(--color-edge)" />
        <rect
          x={x}
          y={y}
          width={wide}
          height={high}
          fill="none"
          stroke="var(--color-accent)"
          strokeWidth="2"
          vectorEffect="non-scaling-stroke"
        />
      </svg>
    </Panel>
  );
});

function shapeOf(nodes: readonly CanvasNode[]) {
  let [left, top, right, bottom] = [0, 0, 1, 1];
  const parts: string[] = [];
  for (const [at, node] of nodes.entries()) {
    const { x, y } = node.position;
    const { width = 0, height = node.measured?.height ?? 0 } = node;
    left = at === 0 ? x : Math.min(left, x);
    top = at === 0 ? y : Math.min(top, y);
    right = at === 0 ? x + width : Math.max(right, x + width);
    bottom = at === 0 ? y + height : Math.max(bottom, y + height);
    parts.push(`M${Math.round(x)} ${Math.round(y)}h${Math.round(width)}v${Math.round(height)}h-${Math.round(width)}z`);
  }
  const margin = (right - left) / 20;
  return {
    path: parts.join(''),
    left: left - margin,
    top: top - margin,
    width: right - left + 2 * margin,
    height: bottom - top + 2 * margin,
  };
}
