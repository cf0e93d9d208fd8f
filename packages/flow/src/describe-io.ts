import type { FlowContent, FlowNode } from './document.ts';
import { portsOf } from './node-ports.ts';
import type { Registry } from './registry.ts';

/** Where a flow takes values in and gives results, read from its wiring. */
export interface FlowIo {
  readonly inputs: readonly { readonly id: string; readonly type: string; readonly value_field: string }[];
  readonly outputs: readonly { readonly id: string; readonly type: string }[];
  readonly tools: readonly { readonly id: string; readonly type: string }[];
  readonly text: string;
}

const VALUE_FIELDS = ['input_value', 'input_text', 'text'];

/**
 * Inputs are nodes that nothing leads to and that are not tools; outputs are nodes that lead nowhere; tools are nodes all
 * of whose edges end at a tools port.
 */
export function describeFlowIo(flow: FlowContent, registry: Registry): FlowIo {
  const incoming = new Set(flow.edges.map(({ to }) => to.node));
  /** For each node that leads somewhere, whether all its edges end at a tools port. */
  const outgoing = new Map<string, boolean>();
  for (const { from, to } of flow.edges)
    outgoing.set(from.node, outgoing.get(from.node) !== false && to.port === 'tools');
  const isTool = ({ id }: FlowNode) => outgoing.get(id) === true;
  const brief = ({ id, type }: FlowNode) => ({ id, type });
  const tools = flow.nodes.filter(isTool).map(brief);
  const inputs = flow.nodes
    .filter((node) => !incoming.has(node.id) && !isTool(node))
    .map((node) => ({ ...brief(node), value_field: valueField(node, registry) }));
  const outputs = flow.nodes.filter(({ id }) => !outgoing.has(id)).map(brief);
  const line = (label: string, list: readonly { readonly id: string }[]) =>
    `${label}: ${list.length === 0 ? '(none)' : list.map(({ id }) => id).join(', ')}`;
  return {
    inputs,
    outputs,
    tools,
    text: [line('inputs', inputs), line('outputs', outputs), line('tools', tools)].join('\n'),
  };
}

function valueField(node: FlowNode, registry: Registry): string {
  const entry = registry.get(node.type);
  const names = entry === undefined ? Object.keys(node.values) : portsOf(node, entry).fields.map(({ name }) => name);
  return VALUE_FIELDS.find((name) => names.includes(name)) ?? names[0] ?? '';
}
