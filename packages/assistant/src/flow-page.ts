import {
  describeFlowIo,
  type Field,
  type FlowDocument,
  type FlowNode,
  type Json,
  portsOf,
  type Registry,
  nodeTitle,
} from '@croft/flow';

const MAX_VALUE = 400;
const MAX_INLINE = 80;

/**
 * A page about a flow in Markdown, for people: what goes in, what happens in which order, and what comes out, with the names
 * that the canvas shows. Values of secrets are left out.
 */
export function flowPage(flow: FlowDocument, registry: Registry): string {
  const ordered = inOrder(flow);
  const names = namesOf(ordered, registry);
  const nameOf = (id: string) => names.get(id) ?? id;
  const { inputs, outputs } = describeFlowIo(flow, registry);
  const list = (parts: readonly { readonly id: string }[]) =>
    parts.map(({ id }) => `**${nameOf(id)}**`).join(', ') || 'none';
  const steps = ordered.flatMap((node, index) => [
    `${index + 1}. **${nameOf(node.id)}**${aboutOf(node, registry)}`,
    ...sourcesOf(node, flow, registry, nameOf),
    ...valuesOf(node, flow, registry),
  ]);
  return [
    `# ${escaped(flow.name)}`,
    ...(flow.description === '' ? [] : ['', escaped(flow.description)]),
    '',
    '## In and out',
    '',
    `- Goes in: ${list(inputs)}`,
    `- Comes out: ${list(outputs)}`,
    '',
    '## Steps',
    '',
    ...steps,
    '',
  ].join('\n');
}

/** Each component after those that lead to it, where no circle prevents it. */
function inOrder({ nodes, edges }: FlowDocument): readonly FlowNode[] {
  const left = new Set(nodes);
  const done: FlowNode[] = [];
  while (left.size > 0) {
    const waiting = new Set([...left].map(({ id }) => id));
    const isReady = ({ id }: FlowNode) => edges.every(({ from, to }) => to.node !== id || !waiting.has(from.node));
    const ready = [...left].filter(isReady);
    const [first] = left;
    for (const node of ready.length > 0 ? ready : [first as FlowNode]) {
      left.delete(node);
      done.push(node);
    }
  }
  return done;
}

/** The names on the canvas; the same name again gets a number. */
function namesOf(nodes: readonly FlowNode[], registry: Registry): ReadonlyMap<string, string> {
  const counts = new Map<string, number>();
  return new Map(
    nodes.map((node) => {
      const name = escaped(nodeTitle(node, registry));
      const count = (counts.get(name) ?? 0) + 1;
      counts.set(name, count);
      return [node.id, count === 1 ? name : `${name} (${count})`];
    }),
  );
}

function aboutOf(node: FlowNode, registry: Registry): string {
  const descriptor = registry.get(node.type)?.descriptor;
  if (descriptor === undefined) return '';
  const kind = node.name === undefined || node.name === descriptor.label ? '' : ` (${escaped(descriptor.label)})`;
  return `${kind}: ${escaped(descriptor.description)}`;
}

function sourcesOf(
  { id, type }: FlowNode,
  { nodes, edges }: FlowDocument,
  registry: Registry,
  nameOf: (id: string) => string,
): string[] {
  const labelIn = (port: string) =>
    registry.get(type)?.descriptor.fields.find(({ name }) => name === port)?.label ?? port;
  return edges
    .filter(({ to }) => to.node === id)
    .map(({ from, to }) => {
      const source = registry.get(nodes.find((node) => node.id === from.node)?.type ?? '')?.descriptor;
      const output = source?.outputs.find(({ name }) => name === from.port)?.label ?? from.port;
      return `   - ${escaped(labelIn(to.port))}: ${escaped(output)} of **${nameOf(from.node)}**`;
    });
}

/** The values that differ from the defaults, and those that a connection does not bring. */
function valuesOf(node: FlowNode, { edges }: FlowDocument, registry: Registry): string[] {
  const entry = registry.get(node.type);
  if (entry === undefined) return [];
  const connected = new Set(edges.filter(({ to }) => to.node === node.id).map(({ to }) => to.port));
  return portsOf(node, entry).fields.flatMap((field) => {
    const value = node.values[field.name];
    const isDefault = JSON.stringify(value) === JSON.stringify(field.default);
    if (value === undefined || value === null || value === '' || isDefault || connected.has(field.name)) return [];
    return [`   - ${escaped(field.label)}: ${shownValue(field, value)}`];
  });
}

function shownValue({ kind }: Pick<Field, 'kind'>, value: Json): string {
  if (kind === 'secret') return 'set, not shown';
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  if (kind === 'code') return 'code, see the component';
  const text =
    (kind === 'model' ? modelText(value) : undefined) ?? (typeof value === 'string' ? value : JSON.stringify(value));
  const shown = text.length > MAX_VALUE ? `${text.slice(0, MAX_VALUE)}…` : text;
  if (shown.length <= MAX_INLINE && !shown.includes('\n')) return inCode(shown);
  const fence = fenceFor(shown, 3);
  return ['', `     ${fence}`, ...shown.split('\n').map((line) => `     ${line}`), `     ${fence}`].join('\n');
}

function modelText(value: Json): string | undefined {
  const [first] = Array.isArray(value) ? (value as readonly Json[]) : [value];
  if (typeof first !== 'object' || first === null || Array.isArray(first)) return undefined;
  const { provider, name } = first as Readonly<Record<string, Json>>;
  return typeof name === 'string' ? [provider, name].filter((part) => typeof part === 'string').join('/') : undefined;
}

/** A text in backticks, of which it may have some itself. */
function inCode(text: string): string {
  const fence = fenceFor(text, 1);
  const space = text.startsWith('`') || text.endsWith('`') ? ' ' : '';
  return `${fence}${space}${text}${space}${fence}`;
}

function fenceFor(text: string, least: number): string {
  let longest = 0;
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  return '`'.repeat(Math.max(least, longest + 1));
}

/** Names of users as text of a page: no headings, links or HTML. */
const escaped = (text: string): string =>
  text
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[\\`*_[\]<>#|]/g, '\\$&');
