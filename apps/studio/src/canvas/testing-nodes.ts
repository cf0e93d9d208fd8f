import type { Edit, FlowEdge, FlowNode } from '@croft/flow';

/** Parts of flows, for tests. */

export const nodeOf = (id: string, type = 'T', values: FlowNode['values'] = {}): FlowNode => ({
  id,
  type,
  position: { x: 0, y: 0 },
  values,
});

export const edgeOf = (from: string, to: string): FlowEdge => ({
  from: { node: from, port: 'out' },
  to: { node: to, port: 'in' },
});

export const addNode = (id: string): Edit => ({ kind: 'add_component', node: nodeOf(id) });
