import { useCallback, useRef, useState } from 'react';
import type { SideTab } from './side-panel.tsx';

/** The component that the inspector shows, and the part of the column that is open. */
export function useSelected(selectOnCanvas: (node: string | undefined) => void) {
  const [ids, setIds] = useState<readonly string[]>([]);
  const [tab, setTab] = useState<SideTab>('run');
  const [wanted, setWanted] = useState<{ readonly node: string; readonly field: string | undefined }>();
  // The same function with each render: the canvas calls another one at once.
  const follow = useCallback((next: readonly string[]) => {
    setIds(next);
    setTab((before) => (next.length === 1 ? 'component' : before === 'component' ? 'run' : before));
  }, []);
  const select = useRef(selectOnCanvas);
  select.current = selectOnCanvas;
  const open = useCallback((node: string | undefined, field?: string) => {
    select.current(node);
    setIds(node === undefined ? [] : [node]);
    setTab(node === undefined ? 'run' : 'component');
    setWanted(node === undefined ? undefined : { node, field });
  }, []);
  return {
    /** Everything that is selected. */
    ids,
    /** The one selected component or note. */
    id: ids.length === 1 ? ids[0] : undefined,
    tab,
    setTab,
    /** The field to focus when its component is shown. */
    wanted,
    reached: () => setWanted(undefined),
    /** The canvas selected something else. */
    follow,
    /** Opens a component, at a field where one is given. */
    open,
  };
}
