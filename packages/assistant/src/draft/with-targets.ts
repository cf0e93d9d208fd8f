import { type FlowSpec, type Json, type Registry, typesFit } from '@croft/flow';

/** The component that writes files. */
export const WRITER = 'SaveToFile';
/** Its field for the path. */
export const FILE_NAME = 'file_name';
/** Its field that keeps the content of the file, and adds to its end. */
export const APPEND = 'append_mode';

/** The spec with a value in place of another one, wherever it is: a file that a flow reads and writes stays one file. */
export const withValue = (spec: FlowSpec, from: Json, to: Json | undefined): FlowSpec =>
  to === undefined
    ? spec
    : { ...spec, config: spec.config.map((entry) => (entry.value === from ? { ...entry, value: to } : entry)) };

/** The spec with a component that writes each file from the value that the flow shows, or adds to it. */
export function withTargets(spec: FlowSpec, targets: readonly string[], registry: Registry, adds = false): FlowSpec {
  const written = withWriters(spec, targets, registry);
  if (!adds || written === spec) return written;
  const writers = written.nodes.filter(({ type }) => type === WRITER);
  const others = written.config.filter(({ field }) => field !== APPEND);
  return { ...written, config: [...others, ...writers.map(({ id }) => ({ node: id, field: APPEND, value: true }))] };
}

function withWriters(spec: FlowSpec, targets: readonly string[], registry: Registry): FlowSpec {
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
    return rest.length === 0 ? named : { ...named, ...added(named, rest, shown.from) };
  }
  return { ...spec, ...added(spec, targets, shown.from) };
}

const added = (
  { nodes, edges, config }: FlowSpec,
  targets: readonly string[],
  from: FlowSpec['edges'][number]['from'],
): Pick<FlowSpec, 'nodes' | 'edges' | 'config'> => {
  const writers = targets.map((value, at) => ({ id: `W${nodes.length + at + 1}`, value }));
  return {
    nodes: [...nodes, ...writers.map(({ id }) => ({ id, type: WRITER }))],
    edges: [...edges, ...writers.map(({ id }) => ({ from, to: { node: id, port: 'input' } }))],
    config: [...config, ...writers.map(({ id, value }) => ({ node: id, field: FILE_NAME, value }))],
  };
};
