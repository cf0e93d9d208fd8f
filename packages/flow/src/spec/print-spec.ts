import type { FlowDocument } from '../document.ts';
import type { FlowSpec } from './parse-spec.ts';
import { printValue } from './spec-values.ts';

const MAX_SUMMARY = 2_000;

/** The spec of a flow: ids, types, edges and values. Positions, notes, groups, pins and code are not part of it. */
export function specOf(flow: FlowDocument): FlowSpec {
  return {
    name: flow.name,
    ...(flow.description !== '' && { description: flow.description.replace(/\s*\n\s*/g, ' ') }),
    nodes: flow.nodes.map(({ id, type }) => ({ id, type })),
    edges: flow.edges.map(({ from, to }) => ({ from, to })),
    config: flow.nodes.flatMap(({ id, values }) =>
      Object.entries(values).map(([field, value]) => ({ node: id, field, value })),
    ),
  };
}

/** The text of a spec; `parseSpec` reads it back to the same nodes, edges and values. */
export function printSpec({ name, description, nodes, edges, config }: FlowSpec): string {
  const lines: string[] = [];
  if (name !== undefined && name !== '') lines.push(`name: ${name}`);
  if (description !== undefined && description !== '') lines.push(`description: ${description}`);
  lines.push('nodes:', ...nodes.map(({ id, type }) => `  ${id}: ${type}`));
  if (edges.length > 0)
    lines.push('edges:', ...edges.map(({ from, to }) => `  ${from.node}.${from.port} -> ${to.node}.${to.port}`));
  if (config.length > 0)
    lines.push('config:', ...config.map(({ node, field, value }) => `  ${node}.${field}:${printValue(value, '  ')}`));
  return `${lines.join('\n')}\n`;
}

/**
 * A flow for a prompt: names, types and connections, no values, at most 2,000 characters. Values stay out for privacy and
 * to save tokens.
 */
export function summariseFlow(flow: FlowDocument): string {
  if (flow.nodes.length === 0) return '(empty canvas)';
  const components = flow.nodes.map(({ id, type }) => `  ${id}: ${type}`);
  const connections = flow.edges.map(({ from, to }) => `  ${from.node}.${from.port} -> ${to.node}.${to.port}`);
  const parts = [`name: ${flow.name}`, '', 'components:', ...components];
  if (connections.length > 0) parts.push('', 'connections:', ...connections);
  return parts.join('\n').slice(0, MAX_SUMMARY);
}
