import type { ReactFlowInstance, Viewport } from '@xyflow/react';
import { useEffect, useRef } from 'react';
import type { WireEdge } from '../editing/wire.tsx';
import { firstView } from './first-view.ts';
import type { FrameNode } from './frames.ts';
import type { CanvasNode } from './graph.ts';
import { isSameView, resizedView, type SeenView, type Size } from './resized-view.ts';

type Instance = ReactFlowInstance<CanvasNode | FrameNode, WireEdge>;

/**
 * Keeps what is seen when the canvas gets another size, for example in a window of another size or beside the docked assistant. With
 * its old size the canvas gets its old view, unless the user moved it meanwhile.
 *
 * @returns shows the first view of a flow
 */
export function useKeptView(
  box: { readonly current: HTMLElement | null },
  drawing: { readonly current: { readonly instance: Instance } | undefined },
): (instance: Instance, nodes: readonly CanvasNode[]) => void {
  const size = useRef<Size>(undefined);
  const chosen = useRef<Viewport>(undefined);
  useEffect(() => {
    if (!box.current) return undefined;
    let seen: Omit<SeenView, 'nodes' | 'bounds'> | undefined;
    let own: Viewport | undefined;
    const observer = new ResizeObserver(() => {
      const { clientWidth: width = 0, clientHeight: height = 0 } = box.current ?? {};
      const old = size.current;
      const instance = drawing.current?.instance;
      if (width === 0 || height === 0 || old === undefined || instance === undefined) return;
      if (old.width === width && old.height === height) return;
      size.current = { width, height };
      const view = instance.getViewport();
      // Several sizes in a row start from what the user saw, so that nothing drifts.
      if (seen === undefined || own === undefined || !isSameView(view, own))
        seen = { view, size: old, chosen: chosen.current };
      const all = instance.getNodes();
      const nodes = all.filter((each): each is CanvasNode => each.type !== 'frame');
      const isBack = seen.size.width === width && seen.size.height === height;
      const bounds = instance.getNodesBounds(all);
      own = isBack ? seen.view : resizedView({ ...seen, nodes, bounds }, { width, height });
      if (seen.chosen && isSameView(seen.view, seen.chosen)) chosen.current = own;
      void instance.setViewport(own);
    });
    observer.observe(box.current);
    return () => observer.disconnect();
  }, [box, drawing]);
  return (instance, nodes) => {
    const { clientWidth: width = 0, clientHeight: height = 0 } = box.current ?? {};
    size.current = { width, height };
    chosen.current = firstView(nodes, width, height);
    void instance.setViewport(chosen.current);
  };
}
