import { type KeyboardEvent, type PointerEvent, useState } from 'react';
import type { Kept, PanelSize } from './kept.ts';

const DEFAULT: PanelSize = { width: 400, height: 620 };
const MIN: PanelSize = { width: 320, height: 360 };
const STEP = 32;

/** The size of the panel, which the browser keeps. */
export function usePanelSize(kept: Kept) {
  const [size, setSize] = useState(() => fitting(kept.readSize() ?? DEFAULT));
  return {
    size,
    resize(next: PanelSize) {
      const fit = fitting(next);
      setSize(fit);
      kept.writeSize(fit);
    },
  };
}

function fitting({ width, height }: PanelSize): PanelSize {
  return {
    width: Math.max(MIN.width, Math.min(width, innerWidth - 32)),
    height: Math.max(MIN.height, Math.min(height, innerHeight - 32)),
  };
}

/** The corner by which the panel is resized: dragged, or with the arrow keys. */
export function ResizeHandle({ size, onResize }: { size: PanelSize; onResize: (size: PanelSize) => void }) {
  function drag(event: PointerEvent<HTMLButtonElement>) {
    const { clientX, clientY, pointerId, currentTarget } = event;
    currentTarget.setPointerCapture(pointerId);
    const move = (next: globalThis.PointerEvent) =>
      onResize({ width: size.width + clientX - next.clientX, height: size.height + clientY - next.clientY });
    currentTarget.addEventListener('pointermove', move);
    const end = () => currentTarget.removeEventListener('pointermove', move);
    currentTarget.addEventListener('lostpointercapture', end, { once: true });
  }
  function press(event: KeyboardEvent) {
    const [dx, dy] = { ArrowLeft: [1, 0], ArrowRight: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key] ?? [];
    if (dx === undefined || dy === undefined) return;
    event.preventDefault();
    onResize({ width: size.width + dx * STEP, height: size.height + dy * STEP });
  }
  return (
    <button
      type="button"
      aria-label="Resize the assistant with the arrow keys"
      title="Drag to resize"
      onPointerDown={drag}
      onKeyDown={press}
      className="absolute top-0 left-0 z-10 size-6 cursor-nwse-resize touch-none rounded-tl-xl max-sm:hidden"
    >
      <svg
        aria-hidden="true"
        viewBox="0 0 12 12"
        className="absolute top-1.5 left-1.5 size-3 stroke-edge"
        strokeWidth="1.5"
      >
        <path d="M1 11 11 1M1 6 6 1" strokeLinecap="round" />
      </svg>
    </button>
  );
}
