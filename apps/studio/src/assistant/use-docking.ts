import { useLayoutEffect, useState, useSyncExternalStore } from 'react';
import type { Kept } from './kept.ts';

/** From this width of the window on, the panel has room beside the canvas; from the second one on, it begins there. */
const WIDE = matchMedia('(min-width: 1280px)');
const ROOMY = matchMedia('(min-width: 1600px)');

/**
 * Whether the panel is beside the canvas or floats over it, which the browser keeps. The page of the flow leaves room of the
 * width `--docked`.
 */
export function useDocking(kept: Kept, isOpen: boolean, width: number) {
  const [isWanted, setIsWanted] = useState(() => kept.readIsDocked() ?? ROOMY.matches);
  const isWide = useSyncExternalStore(followWidth, () => WIDE.matches);
  const isDocked = isWide && isWanted;
  useLayoutEffect(() => {
    if (!isOpen || !isDocked) return undefined;
    const { style } = document.documentElement;
    style.setProperty('--docked', `${width}px`);
    return () => void style.removeProperty('--docked');
  }, [isOpen, isDocked, width]);
  return {
    isDocked,
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
  WIDE.addEventListener('change', listener);
  return () => WIDE.removeEventListener('change', listener);
}
