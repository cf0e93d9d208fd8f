import {
  type Edit,
  type FlowDocument,
  type FlowEdge,
  type FlowNode,
  isToolCapable,
  nodesById,
  type PortType,
  TOOL_OUTPUT,
  checkConnection,
  connectPorts,
  typesFit,
  nodeTitle,
} from '@croft/flow';
import type { ComponentsRegistry } from '../api/flows.ts';
import { additionOf } from './add-component.ts';
import { findPort, type Port } from './fitting-ports.ts';

/** Why two ports cannot be connected, and what would work. */
export interface WireRefusal {
  readonly sentence: string;
  readonly offer?: { readonly label: string; readonly edits: readonly Edit[] };
}

/** The values of ports, in words. */
export const TYPE_WORDS: Readonly<Record<PortType, string>> = {
  Message: 'messages',
  Data: 'data',
  Table: 'tables',
  LanguageModel: 'language models',
  Embeddings: 'embeddings',
  Tool: 'tools',
  File: 'files',
  Any: 'any value',
};

/** The reason against a connection; undefined where it can be made. */
export function refusalOf(flow: FlowDocument, registry: ComponentsRegistry, edge: FlowEdge): WireRefusal | undefined {
  const nodes = nodesById(flow);
  const [source, target] = [nodes.get(edge.from.node), nodes.get(edge.to.node)];
  if (!source || !target) return { sentence: 'One of the two components was removed.' };
  const unknown = [source, target].find(({ type }) => !registry.get(type));
  if (unknown)
    return {
      sentence: `This server has no component “${unknown.type}”, so its ports are not known. Replace it first.`,
    };
  const { problem, converter } = checkConnection(nodes, registry, edge);
  if (problem === undefined) {
    if (source === target && registry.get(source.type)?.descriptor.control === undefined)
      return { sentence: 'A component cannot feed itself. Only loops and routers can.' };
    return undefined;
  }
  const output = findPort('output', source, registry, edge.from.port);
  const input = findPort('input', target, registry, edge.to.port);
  if (!output || !input) return { sentence: `${problem.message}.` };
  const sentence = typesSentence({ node: source, port: output }, { node: target, port: input }, registry);
  const offer = asTool(flow, registry, edge, input.types) ?? between(flow, registry, edge, converter);
  return { sentence, ...(offer && { offer }) };
}

interface End {
  readonly node: FlowNode;
  readonly port: Port;
}

/** Says that an output does not fit an input, by the types of both. */
export function typesSentence(from: End, to: End, registry: ComponentsRegistry): string {
  const portOf = ({ node, port }: End) => `“${port.label}” of ${nodeTitle(node, registry)}`;
  return `${portOf(from)} gives ${words(from.port.types)}. ${portOf(to)} takes ${words(to.port.types)}.`;
}

/** An input for tools takes the component itself. */
function asTool(flow: FlowDocument, registry: ComponentsRegistry, edge: FlowEdge, accepts: readonly PortType[]) {
  const source = flow.nodes.find(({ id }) => id === edge.from.node);
  const entry = source && registry.get(source.type);
  if (!source || !entry || !typesFit(TOOL_OUTPUT.types, accepts) || !isToolCapable(entry)) return undefined;
  const from = { node: source.id, port: TOOL_OUTPUT.name };
  return {
    label: `Use ${nodeTitle(source, registry)} as a tool`,
    edits: connectPorts(flow, registry, { from, to: edge.to }),
  };
}

function between(
  flow: FlowDocument,
  registry: ComponentsRegistry,
  { from, to }: FlowEdge,
  converter: ReturnType<typeof checkConnection>['converter'],
) {
  const entry = converter && registry.get(converter.component);
  if (!converter || !entry) return undefined;
  const at = (id: string) => flow.nodes.find((node) => node.id === id)?.position ?? { x: 0, y: 0 };
  const [start, end] = [at(from.node), at(to.node)];
  const added = additionOf(flow, registry, {
    type: converter.component,
    position: { x: Math.round((start.x + end.x) / 2), y: Math.round((start.y + end.y) / 2) },
    from,
    to,
    ports: converter,
  });
  return added && { label: `Put ${withArticle(entry.descriptor.label)} between them`, edits: added.edits };
}

const withArticle = (label: string): string => `${/^[aeiou]/i.test(label) ? 'an' : 'a'} ${label}`;

function words(types: readonly PortType[]): string {
  const all = types.map((type) => TYPE_WORDS[type]);
  return all.length > 1 ? `${all.slice(0, -1).join(', ')} or ${all.at(-1) ?? ''}` : (all[0] ?? 'nothing');
}
