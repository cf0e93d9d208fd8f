import { type FlowSpec, type Json, type Registry, typesFit } from '@croft/flow';
import { FILE_NAME, portForFile, WRITER } from './file-form.ts';

/** Its field that keeps the content of the file, and adds to its end. */
export const APPEND = 'append_mode';

/** The spec with a value in place of another one, wherever it is: a file that a flow reads and writes stays one file. */
export const withValue = (spec: FlowSpec, from: Json, to: Json | undefined): FlowSpec =>
  to === undefined
    ? spec
    : { ...spec, config: spec.config.map((entry) => (entry.value === from ? { ...entry, value: to } : entry)) };

/**
 * The spec with a component that writes each file from the value that the flow shows, or adds to it. A file of records gets the
 * rows behind a shown text, unless that text is the user's own.
 */
export function withTargets(
  spec: FlowSpec,
  targets: readonly string[],
  registry: Registry,
  { adds = false, isOwnText = false }: { readonly adds?: boolean; readonly isOwnText?: boolean } = {},
): FlowSpec {
  const portFor = (target: string, from: Port) => portForFile(target, from, spec, { registry, isOwnText });
  const written = withWriters(spec, targets, registry, portFor);
  if (!adds || written === spec) return written;
  const writers = written.nodes.filter(({ type }) => type === WRITER);
  const others = written.config.filter(({ field }) => field !== APPEND);
  return { ...written, config: [...others, ...writers.map(({ id }) => ({ node: id, field: APPEND, value: true }))] };
}

type Port = FlowSpec['edges'][number]['from'];
type PortFor = (target: string, from: Port) => Port;

function withWriters(spec: FlowSpec, targets: readonly string[], registry: Registry, portFor: PortFor): FlowSpec {
  const writer = registry.get(WRITER)?.descriptor;
  const shown = spec.edges.find(({ to }) => spec.nodes.some(({ id, type }) => id === to.node && type === 'ChatOutput'));
  if (writer === undefined || shown === undefined || targets.length === 0) return spec;
  const written = spec.nodes.find(({ type }) => type === WRITER);
  const from = registry.get(spec.nodes.find(({ id }) => id === shown.from.node)?.type ?? '')?.descriptor;
  const types = from?.outputs.find(({ name }) => name === shown.from.port)?.types ?? [];
  const input = writer.fields.find(({ name }) => name === 'input');
  if (!typesFit(types, input?.accepts ?? [])) return spec;
  const [first, ...rest] = targets;
  if (written !== undefined && first !== undefined) {
    const own = spec.config.find(({ node, field }) => node === written.id && field === FILE_NAME);
    const named = own
      ? withValue(spec, own.value, first)
      : { ...spec, config: [...spec.config, { node: written.id, field: FILE_NAME, value: first }] };
    const isInput = ({ to }: FlowSpec['edges'][number]) => to.node === written.id && to.port === 'input';
    const edges = named.edges.map((edge) => (isInput(edge) ? { ...edge, from: portFor(first, edge.from) } : edge));
    const wired = { ...named, edges };
    return rest.length === 0 ? wired : { ...wired, ...added(wired, rest, (target) => portFor(target, shown.from)) };
  }
  return { ...spec, ...added(spec, targets, (target) => portFor(target, shown.from)) };
}

const added = (
  { nodes, edges, config }: FlowSpec,
  targets: readonly string[],
  fromOf: (target: string) => Port,
): Pick<FlowSpec, 'nodes' | 'edges' | 'config'> => {
  const writers = targets.map((value, at) => ({ id: `W${nodes.length + at + 1}`, value }));
  return {
    nodes: [...nodes, ...writers.map(({ id }) => ({ id, type: WRITER }))],
    edges: [...edges, ...writers.map(({ id, value }) => ({ from: fromOf(value), to: { node: id, port: 'input' } }))],
    config: [...config, ...writers.map(({ id, value }) => ({ node: id, field: FILE_NAME, value }))],
  };
};
