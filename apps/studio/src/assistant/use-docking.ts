import { useLayoutEffect, useState, useSyncExternalStore } from 'react';
import type { Kept } from './kept.ts';

/** From this width of the window on, the panel begins beside the canvas; from the second one on, the rail stays wide. */
const WIDE = matchMedia('(min-width: 1280px)');
const ROOMY = matchMedia('(min-width: 1600px)');

/**
 * Whether the panel is beside the canvas or floats over it, which the browser keeps. The page of the flow leaves room of the
 * width `--docked`. Narrower windows get `data-docked="tight"`: the rail shows icons only, and the column of the run is narrow.
 */
export function useDocking(kept: Kept, isOpen: boolean, width: number) {
  const [isWanted, setIsWanted] = useState(() => kept.readIsDocked() ?? true);
  const isWide = useSyncExternalStore(followWidth, () => WIDE.matches);
  const isRoomy = useSyncExternalStore(followWidth, () => ROOMY.matches);
  const isDocked = isWide && isWanted;
  // At most what leaves the canvas 35rem beside the narrow rail and the narrow column of the run.
  const dockedWidth = `min(${width}px, max(20rem, 100vw - 56.5rem))`;
  useLayoutEffect(() => {
    if (!isOpen || !isDocked) return undefined;
    const { style, dataset } = document.documentElement;
    style.setProperty('--docked', dockedWidth);
    dataset['docked'] = isRoomy ? 'roomy' : 'tight';
    return () => {
      style.removeProperty('--docked');
      delete dataset['docked'];
    };
  }, [isOpen, isDocked, isRoomy, dockedWidth]);
  return {
    isDocked,
    dockedWidth,
    /** Absent where the window has no room. */
    toggle: isWide
      ? () => {
          kept.writeIsDocked(!isWanted);
          setIsWanted(!isWanted);
        }
      : undefined,
  };
}

function followWidth(listener: () => void): () => void {
  const widths = [WIDE, ROOMY];
  for (const each of widths) each.addEventListener('change', listener);
  return () => {
    for (const each of widths) each.removeEventListener('change', listener);
  };
}
