import { type RefObject, startTransition, useEffect, useState } from 'react';

/** A table of fewer rows is rendered completely. */
const ALL_ROWS = 300;
/** Rows rendered at first. */
const FIRST_ROWS = 200;
/** Rows above and below the visible ones: rendered when the rendered ones move, and left when they do. */
const AROUND = 30;
const LEFT = 20;
const FIRST_GUESS_PX = 45;

/** A part of a list of rows: rows from `from` up to `to`, or a gap as high as they would be. */
export interface RowPart {
  readonly from: number;
  readonly to: number;
  readonly isGap: boolean;
}

/** The rows near the visible part of the window, and the height of one. */
export function useVisibleRows(total: number, body: RefObject<HTMLElement | null>) {
  const [seen, setSeen] = useState({ from: 0, to: FIRST_ROWS, rowPx: FIRST_GUESS_PX });
  const isLong = total > ALL_ROWS;
  useEffect(() => {
    if (!isLong) return undefined;
    const look = () => {
      const box = body.current?.getBoundingClientRect();
      if (!box) return;
      const rowPx = body.current?.querySelector('tr[aria-rowindex]')?.getBoundingClientRect().height || FIRST_GUESS_PX;
      const top = Math.floor(-box.top / rowPx);
      const bottom = Math.ceil((window.innerHeight - box.top) / rowPx);
      // Rendered between frames: rows further away need not be there in this one.
      startTransition(() => setSeen((was) => moved({ ...was, rowPx }, was, top, bottom)));
    };
    look();
    // Captured, because scroll events of an inner box do not bubble.
    window.addEventListener('scroll', look, { passive: true, capture: true });
    window.addEventListener('resize', look);
    return () => {
      window.removeEventListener('scroll', look, { capture: true });
      window.removeEventListener('resize', look);
    };
  }, [isLong, total, body]);
  return isLong ? seen : { from: 0, to: total, rowPx: seen.rowPx };
}

interface Seen {
  readonly from: number;
  readonly to: number;
  readonly rowPx: number;
}

/** Moves the rendered rows only when few of them are left above or below the visible ones: most frames render nothing. */
function moved(now: Seen, was: Seen, top: number, bottom: number): Seen {
  const isEnough = (was.from === 0 || was.from <= top - LEFT) && was.to >= bottom + LEFT;
  if (isEnough && was.to - was.from <= ALL_ROWS) return now.rowPx === was.rowPx ? was : now;
  return { ...now, from: Math.max(0, top - AROUND), to: Math.max(0, bottom + AROUND) };
}

/**
 * Divides `total` rows, of which the first `loaded` can be rendered, into the window, the active row, which keeps the focus
 * wherever it is, and the gaps around them.
 */
export function partsOf(
  total: number,
  loaded: number,
  window: { from: number; to: number },
  active: number,
): RowPart[] {
  const from = Math.min(window.from, loaded);
  const to = Math.min(window.to, loaded);
  const rendered = from < to ? [{ from, to }] : [];
  if (active >= 0 && active < from) rendered.unshift({ from: active, to: active + 1 });
  if (active >= to) rendered.push({ from: active, to: active + 1 });
  const parts: RowPart[] = [];
  let at = 0;
  for (const each of rendered) {
    if (each.from > at) parts.push({ from: at, to: each.from, isGap: true });
    parts.push({ ...each, isGap: false });
    at = each.to;
  }
  if (total > at) parts.push({ from: at, to: total, isGap: true });
  return parts.filter((part) => part.to > part.from);
}
