import { useReactFlow, useStoreApi, ViewportPortal } from '@xyflow/react';
import { useEffect } from 'react';
import { GHOST, type PlanGhosts } from '../assistant/plan-ghosts.ts';
import { READABLE } from './first-view.ts';

/** The part of the canvas around the plan. */
const PADDING = 0.15;

/** The outlines of a plan over the canvas. They take no clicks, and the view moves to them. */
export function PlanOutlines({ ghosts: { boxes, wires } }: { ghosts: PlanGhosts }) {
  const { fitBounds, getNodesBounds, getNodes } = useReactFlow();
  const store = useStoreApi();
  const left = Math.min(...boxes.map(({ x }) => x));
  const top = Math.min(...boxes.map(({ y }) => y));
  const right = Math.max(...boxes.map(({ x }) => x)) + GHOST.width;
  const bottom = Math.max(...boxes.map(({ y }) => y)) + GHOST.height;
  useEffect(() => {
    const own = { x: left, y: top, width: right - left, height: bottom - top };
    const nodes = getNodes();
    const there = nodes.length > 0 ? getNodesBounds(nodes) : own;
    const [x, y] = [Math.min(left, there.x), Math.min(top, there.y)];
    const width = Math.max(right, there.x + there.width) - x;
    const height = Math.max(bottom, there.y + there.height) - y;
    const { width: shownWidth, height: shownHeight } = store.getState();
    // Beside a large flow the names would be too small: then only the plan is shown.
    const isReadable = Math.min(shownWidth / width, shownHeight / height) * (1 - PADDING) >= READABLE.whole;
    void fitBounds(isReadable ? { x, y, width, height } : own, { padding: PADDING });
  }, [left, top, right, bottom, fitBounds, getNodes, getNodesBounds, store]);
  const names = boxes.map(({ title }) => title).join(', ');
  const [width, height] = [right - left, bottom - top];
  return (
    <ViewportPortal>
      <div
        role="img"
        aria-label={`Planned, not on the canvas: ${names}`}
        style={{ width, height, transform: `translate(${left}px, ${top}px)` }}
        className="pointer-events-none absolute"
      >
        <svg className="absolute size-full overflow-visible" viewBox={`${left} ${top} ${width} ${height}`}>
          <path d={wires} fill="none" stroke="var(--color-accent)" strokeWidth="2" strokeDasharray="6 6" />
        </svg>
        {boxes.map(({ id, title, x, y }) => (
          <div
            key={id}
            style={{ ...GHOST, left: x - left, top: y - top }}
            className="absolute grid content-center gap-0.5 rounded-lg border-2 border-dashed border-accent bg-canvas/80 px-3"
          >
            <span className="truncate font-medium text-ink">{title}</span>
            <span className="text-xs text-soft">Planned</span>
          </div>
        ))}
      </div>
    </ViewportPortal>
  );
}
