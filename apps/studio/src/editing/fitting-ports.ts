import {
  type FlowDocument,
  type FlowEdge,
  type FlowNode,
  isToolCapable,
  portsOf,
  type PortRef,
  type PortType,
  TOOL_OUTPUT,
  typesFit,
} from '@croft/flow';
import type { ComponentsRegistry } from '../api/flows.ts';
import { foldedPorts } from '../canvas/node-view.ts';

type Entry = ComponentsRegistry['entries'][number];

/** The end of a wire that exists already: an output that starts it, or an input that ends it. */
export interface WireEnd extends PortRef {
  readonly side: 'output' | 'input';
}

/** A port that a wire can start at or end at. */
export interface Port {
  readonly name: string;
  readonly label: string;
  readonly types: readonly PortType[];
}

const LOOP_END: readonly PortType[] = ['Message', 'Data', 'Table', 'Any'];

/** The ports of one side of a node, where a round of a loop ends too. */
export function portsOn(side: WireEnd['side'], node: FlowNode, entry: Entry): readonly Port[] {
  const { inputs, outputs } = portsOf(node, entry);
  if (side === 'output') return outputs;
  return [
    ...inputs.map(({ name, label, accepts }) => ({ name, label, types: accepts })),
    ...outputs.filter(({ loop }) => loop === true).map(({ name, label }) => ({ name, label, types: LOOP_END })),
  ];
}

/** The port of a node; undefined where the component is unknown or does not have it. */
export function findPort(side: WireEnd['side'], node: FlowNode, registry: ComponentsRegistry, name: string) {
  const entry = registry.get(node.type);
  return entry && portsOn(side, node, entry).find((port) => port.name === name);
}

/**
 * The ports of a node at which a wire from the other end may finish; those that are rarely used come last. A component that can be
 * a tool offers itself to tool inputs.
 */
export function fittingPorts(
  { side }: Pick<WireEnd, 'side'>,
  types: readonly PortType[],
  node: FlowNode,
  entry: Entry,
): readonly Port[] {
  if (side === 'output') {
    const fits = portsOn('input', node, entry).filter((port) => typesFit(types, port.types));
    const isCommon = commonIn(node, entry);
    return [...fits.filter(isCommon), ...fits.filter((port) => !isCommon(port))];
  }
  const found = portsOn('output', node, entry).filter((port) => typesFit(port.types, types));
  return found.length === 0 && types.includes('Tool') && isToolCapable(entry) ? [TOOL_OUTPUT] : found;
}

/** The port that a wire takes of a component as a whole: one that needs a value first; none that is rarely used. */
export function bestPort(
  end: Pick<WireEnd, 'side'>,
  types: readonly PortType[],
  node: FlowNode,
  entry: Entry,
): Port | undefined {
  const fits = fittingPorts(end, types, node, entry);
  if (end.side === 'input') return fits[0];
  const { fields } = portsOf(node, entry);
  const isRequired = ({ name }: Port) => fields.find((field) => field.name === name)?.required === true;
  return fits.find(isRequired) ?? fits.find(commonIn(node, entry));
}

/** Whether an input takes a value that most flows give it, and not one of the advanced fields or of those that only wait. */
function commonIn(node: FlowNode, entry: Entry): (port: Port) => boolean {
  const { fields } = portsOf(node, entry);
  return ({ name }) => {
    const field = fields.find((each) => each.name === name);
    return field?.advanced !== true && field?.gate !== true;
  };
}

/** The names of the ports that a wire fits, by node. Empty where its own port is not known. */
export function fitsIn(
  flow: FlowDocument,
  registry: ComponentsRegistry,
  end: WireEnd,
): ReadonlyMap<string, ReadonlySet<string>> {
  const fits = new Map<string, ReadonlySet<string>>();
  const own = flow.nodes.find(({ id }) => id === end.node);
  const types = own && findPort(end.side, own, registry, end.port)?.types;
  if (types === undefined) return fits;
  for (const node of flow.nodes) {
    const entry = registry.get(node.type);
    if (entry === undefined || (node.id === end.node && entry.descriptor.control === undefined)) continue;
    const names = fittingPorts(end, types, node, entry).map(({ name }) => name);
    if (names.length > 0) fits.set(node.id, new Set(names));
  }
  return fits;
}

/** The port that a wire takes when it is dropped on a card: the first one drawn there that fits, if possible a free one. */
export function portUnder(
  flow: FlowDocument,
  registry: ComponentsRegistry,
  end: WireEnd,
  id: string,
): string | undefined {
  const fits = [...(fitsIn(flow, registry, end).get(id) ?? [])];
  const node = flow.nodes.find((each) => each.id === id);
  const folded = foldedPorts((node && registry.get(node.type)?.descriptor.fields) ?? []);
  const drawn = fits.filter((name) => !folded.has(name));
  const isTaken = (port: string) => flow.edges.some(({ to }) => to.node === id && to.port === port);
  return drawn.find((name) => !isTaken(name)) ?? drawn[0] ?? fits[0];
}

/** The edge of a wire between two ends. */
export const edgeBetween = (end: WireEnd, other: PortRef): FlowEdge => {
  const [one, two] = [
    { node: end.node, port: end.port },
    { node: other.node, port: other.port },
  ];
  return end.side === 'output' ? { from: one, to: two } : { from: two, to: one };
};
