import type { FlowEdge, Position } from '@croft/flow';
import type { Connection, Edge, FinalConnectionState, HandleType, OnConnectStartParams } from '@xyflow/react';
import { useContext, useMemo } from 'react';
import type { CanvasActions } from './canvas-actions.ts';
import type { WireEnd } from './fitting-ports.ts';
import { WiringContext } from './wiring.ts';
import type { WireEdge } from './wire.tsx';

/** A wire that was dropped on the empty canvas. `at` is a point of the window. */
export interface DroppedWire {
  readonly end: WireEnd;
  readonly at: Position;
}

/** Draws wires: ports that fit light up, others say why they do not. */
export function useWires(actions: CanvasActions | undefined, onDropped: (wire: DroppedWire) => void) {
  const wiring = useContext(WiringContext);
  return useMemo(() => {
    if (!actions) return { nodesConnectable: false };
    const start = (_: unknown, { nodeId, handleId, handleType }: OnConnectStartParams) => {
      const end = endOf(nodeId, handleId, handleType);
      if (end) wiring.set({ end, fits: actions.fits(end) });
    };
    const finish = (
      event: MouseEvent | TouchEvent,
      state: Pick<FinalConnectionState, 'isValid' | 'fromHandle' | 'toHandle'>,
    ) => {
      const end = wiring.get()?.end;
      wiring.set(undefined);
      const { isValid, fromHandle, toHandle } = state;
      if (!end || !fromHandle || isValid === true) return;
      if (toHandle)
        return actions.meet(end, { node: toHandle.nodeId, port: toHandle.id ?? '' }, toHandle.type === fromHandle.type);
      const at = pointOf(event);
      const under = document.elementFromPoint(at.x, at.y);
      const node = under?.closest('.react-flow__node')?.getAttribute('data-id');
      if (node) {
        if (node !== end.node) actions.connectToNode(end, node);
      } else if (under?.closest('.react-flow__pane')) onDropped({ end, at });
    };
    return {
      nodesConnectable: true,
      connectionDragThreshold: 4,
      isValidConnection: (connection: Connection | Edge) => actions.canConnect(edgeOf(connection)),
      onConnect: (connection: Connection) => void actions.connect(edgeOf(connection)),
      onConnectStart: start,
      onClickConnectStart: start,
      onConnectEnd: finish,
      onClickConnectEnd: finish as never,
      onReconnect: (old: WireEdge, connection: Connection) => {
        if (old.data) actions.reconnect(old.data.edge, edgeOf(connection));
      },
    };
  }, [actions, wiring, onDropped]);
}

function endOf(node: string | null, port: string | null, type: HandleType | null): WireEnd | undefined {
  if (node === null || port === null) return undefined;
  return { node, port, side: type === 'source' ? 'output' : 'input' };
}

const edgeOf = ({ source, sourceHandle, target, targetHandle }: Connection | Edge): FlowEdge => ({
  from: { node: source, port: sourceHandle ?? '' },
  to: { node: target, port: targetHandle ?? '' },
});

function pointOf(event: MouseEvent | TouchEvent): Position {
  const point = 'changedTouches' in event ? event.changedTouches[0] : event;
  return { x: point?.clientX ?? 0, y: point?.clientY ?? 0 };
}
