import { type Node, ReactFlowProvider, type ReactFlowState, useStoreApi } from '@xyflow/react';
import { createElement, type ReactNode, useLayoutEffect } from 'react';

/** A card of 100 × 50 pixels, for tests. */
export const itemOf = (id: string, more: Partial<Node> = {}): Node => ({
  id,
  type: 'component',
  position: { x: 0, y: 0 },
  data: {},
  width: 100,
  height: 50,
  ...more,
});

/** The parts of a drawing around an element: a store with these items, and the places of toolbars and outlines. For tests. */
export function inFlow(items: readonly Node[], element: ReactNode, state: Partial<ReactFlowState> = {}) {
  const Place = () => {
    const store = useStoreApi();
    useLayoutEffect(() => {
      const domNode = document.body.appendChild(document.createElement('div'));
      domNode.innerHTML = '<div class="react-flow__renderer"></div><div class="react-flow__viewport-portal"></div>';
      store.setState({ domNode, ...state });
      return () => domNode.remove();
    }, [store]);
    return null;
  };
  const children = [createElement(Place, { key: 'place' }), createElement('div', { key: 'element' }, element)];
  return createElement(ReactFlowProvider, { initialNodes: [...items], children });
}
