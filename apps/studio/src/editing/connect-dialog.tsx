import { edgeKey, type FlowDocument, type FlowEdge, nodeTitle } from '@croft/flow';
import { useMemo } from 'react';
import type { ComponentsRegistry } from '../api/flows.ts';
import type { PickItem } from '../ui/pick-list.tsx';
import { edgeBetween, findPort, fitsIn, portsOn } from './fitting-ports.ts';
import { PickDialog } from './pick-dialog.tsx';

/** Connects a component, or removes its connections, without a pointer. */
export function ConnectDialog({
  flow,
  registry,
  node,
  onConnect,
  onDisconnect,
  onClose,
}: {
  flow: FlowDocument;
  registry: ComponentsRegistry;
  node: string;
  onConnect: (edge: FlowEdge) => void;
  onDisconnect: (edge: FlowEdge) => void;
  onClose: () => void;
}) {
  const choices = useMemo(() => choicesOf(flow, registry, node), [flow, registry, node]);
  const own = flow.nodes.find(({ id }) => id === node);
  return (
    <PickDialog
      title={`Connect ${own ? nodeTitle(own, registry) : node}`}
      about="Ports whose types do not fit are not in the list."
      label="Search components and ports"
      items={choices.map(({ item }) => item)}
      empty="No port of another component fits. Add a component first."
      onPick={({ id }) => {
        const choice = choices.find(({ item }) => item.id === id);
        if (!choice) return;
        onClose();
        if (choice.isConnected) onDisconnect(choice.edge);
        else onConnect(choice.edge);
      }}
      onClose={onClose}
    />
  );
}

interface Choice {
  readonly item: PickItem;
  readonly edge: FlowEdge;
  readonly isConnected: boolean;
}

/** The connections that a node can have, outputs first, then those that it has. */
export function choicesOf(flow: FlowDocument, registry: ComponentsRegistry, id: string): readonly Choice[] {
  const node = flow.nodes.find((each) => each.id === id);
  const entry = node && registry.get(node.type);
  if (!node || !entry) return [];
  const made = new Set(flow.edges.map(edgeKey));
  const choices: Choice[] = [];
  for (const side of ['output', 'input'] as const)
    for (const port of portsOn(side, node, entry)) {
      const end = { node: id, port: port.name, side };
      for (const [other, names] of fitsIn(flow, registry, end))
        for (const name of names) {
          const edge = edgeBetween(end, { node: other, port: name });
          if (!made.has(edgeKey(edge)))
            choices.push({
              item: {
                id: edgeKey(edge),
                title: describe(flow, registry, other, side === 'output' ? 'input' : 'output', name),
                group: side === 'output' ? `From “${port.label}” to` : `To “${port.label}” from`,
              },
              edge,
              isConnected: false,
            });
        }
    }
  for (const edge of flow.edges) {
    if (edge.from.node !== id && edge.to.node !== id) continue;
    const from = describe(flow, registry, edge.from.node, 'output', edge.from.port);
    const to = describe(flow, registry, edge.to.node, 'input', edge.to.port);
    const item = { id: `remove ${edgeKey(edge)}`, title: `Disconnect ${from} from ${to}`, group: 'Connections now' };
    choices.push({ item, edge, isConnected: true });
  }
  return choices;
}

function describe(
  flow: FlowDocument,
  registry: ComponentsRegistry,
  id: string,
  side: 'input' | 'output',
  port: string,
): string {
  const node = flow.nodes.find((each) => each.id === id);
  if (!node) return port;
  const label = findPort(side, node, registry, port)?.label ?? port;
  return `“${label}” of ${nodeTitle(node, registry)}`;
}
