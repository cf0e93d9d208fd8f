import { buildFromSpec, type Registry } from '@croft/flow';

/** The content of a small drawing of a template: places of its components, and which are connected. */
export function templatePicture(spec: string, registry: Registry) {
  const built = buildFromSpec(spec, registry, (_type, id) => id);
  if ('error' in built) throw new Error(built.error);
  return {
    nodes: built.flow.nodes.map(({ id, position: { x, y } }) => ({ id, position: { x, y } })),
    edges: built.flow.edges.map(({ from, to }) => ({ from: { node: from.node }, to: { node: to.node } })),
  };
}
