import { type FlowDocument, type FlowNode, nodeTitle } from '@croft/flow';
import type { ComponentsRegistry, Finding } from '../api/flows.ts';
import { typesSentence } from '../editing/explain-wire.ts';
import { findPort, portsOn } from '../editing/fitting-ports.ts';

/** Ports that a sentence lists. */
const MAX_LISTED = 12;

/**
 * A finding as people know its components, fields and ports. The messages are written for models: they name ids, and names
 * of fields and ports.
 */
export function inWords(
  finding: Finding,
  edges: FlowDocument['edges'],
  nodes: ReadonlyMap<string, FlowNode>,
  registry: ComponentsRegistry,
): Finding {
  const { code, message } = finding;
  const node = nodes.get(finding.node ?? '');
  if (code === 'type_mismatch') {
    const sentence = mismatchSentence(finding, edges, nodes, registry);
    if (sentence !== undefined) return { ...finding, message: sentence, fix: withLabel(finding.fix, registry) };
  }
  if (code === 'unknown_port' && node) {
    const sentence = portSentence(finding, node, registry);
    if (sentence !== undefined) return { ...finding, message: sentence };
  }
  if (code === 'cycle') return { ...finding, message: withTitles(message, nodes, registry) };
  if (node === undefined) return finding;
  const field = registry.get(node.type)?.descriptor.fields.find(({ name }) => name === finding.field);
  return {
    ...finding,
    message: withTitle(message, node.id, nodeTitle(node, registry)),
    fix: field ? finding.fix.replaceAll(`'${field.name}'`, `'${field.label}'`) : finding.fix,
  };
}

function mismatchSentence(
  { node: to, field, message }: Finding,
  edges: FlowDocument['edges'],
  nodes: ReadonlyMap<string, FlowNode>,
  registry: ComponentsRegistry,
): string | undefined {
  const edge = edges.find(
    (each) =>
      each.to.node === to &&
      each.to.port === field &&
      message.includes(`output '${each.from.port}' on '${each.from.node}' produces`),
  );
  const [source, target] = [nodes.get(edge?.from.node ?? ''), nodes.get(to ?? '')];
  if (!edge || !source || !target) return undefined;
  const output = findPort('output', source, registry, edge.from.port);
  const input = findPort('input', target, registry, edge.to.port);
  if (!output || !input) return undefined;
  return typesSentence({ node: source, port: output }, { node: target, port: input }, registry);
}

function portSentence({ field, message }: Finding, node: FlowNode, registry: ComponentsRegistry): string | undefined {
  const entry = registry.get(node.type);
  if (entry === undefined || field === undefined) return undefined;
  const side = message.startsWith('Output') ? 'output' : 'input';
  const labels = portsOn(side, node, entry).map(({ label }) => `“${label}”`);
  const known = labels.length === 0 ? '' : ` Its ${side}s: ${labels.slice(0, MAX_LISTED).join(', ')}.`;
  return `${nodeTitle(node, registry)} has no ${side} “${field}”.${known}`;
}

/** The converter that a fix names by its type. */
const withLabel = (fix: string, registry: ComponentsRegistry): string =>
  fix.replace(/^Put a (\w+) /, (all, type: string) => {
    const label = registry.get(type)?.descriptor.label;
    return label === undefined ? all : `Put “${label}” `;
  });

/** At the places where messages name their component: an id may be a word such as `a`. */
function withTitle(message: string, id: string, title: string): string {
  if (message.startsWith(`${id} `)) return `${title}${message.slice(id.length)}`;
  return message.replace(` of ${id} `, () => ` of ${title} `).replace(`'${id}'`, () => `“${title}”`);
}

/** Quoted ids as quoted titles. */
const withTitles = (message: string, nodes: ReadonlyMap<string, FlowNode>, registry: ComponentsRegistry): string =>
  message.replace(/'([^']+)'/g, (all, id: string) => {
    const node = nodes.get(id);
    return node ? `“${nodeTitle(node, registry)}”` : all;
  });
