import { emptyFlow, layoutFlow, type FlowDocument, type FlowEdge, type FlowNode, type Json } from '@croft/flow';
import { type Source, word } from './request-sources.ts';

/** A flow under construction: nodes by id, and edges. */
export class FlowDraft {
  readonly #nodes = new Map<string, FlowNode>();
  readonly #edges = new Map<string, FlowEdge>();

  flow(name: string): FlowDocument {
    const edges = [...this.#edges.values()];
    const nodes = [...this.#nodes.values()];
    const positions = layoutFlow({ nodes, edges });
    return {
      ...emptyFlow(name),
      nodes: nodes.map((node) => ({ ...node, position: positions[node.id] as FlowNode['position'] })),
      edges,
    };
  }

  typeOf(id: string): string | undefined {
    return this.#nodes.get(id)?.type;
  }

  /** Adds a node, or replaces it. */
  add(id: string, type: string, values: Record<string, Json> = {}): void {
    this.#nodes.set(id, { id, type, position: { x: 0, y: 0 }, values });
  }

  connect(source: Source, node: string, port: string): void {
    const result = this.typeOf(node) === 'LoopComponent' ? 'dataframe' : 'message';
    const from = source.path === undefined ? source : this.#field(source, source.path, result);
    const edge = { from: { node: from.node, port: from.port }, to: { node, port } };
    this.#edges.set(JSON.stringify(edge), edge);
  }

  /** Leads the edges of a port to another port of the node. */
  moveEdges(node: string, port: string, to: string): void {
    for (const [key, edge] of this.#edges) {
      if (edge.to.node !== node || edge.to.port !== port) continue;
      this.#edges.delete(key);
      this.connect(edge.from, node, to);
    }
  }

  /** One field of a record, as a value of its own. */
  #field(source: Source, path: string, port: string): Source {
    const id = `${source.node}__${word(path)}`;
    if (!this.#nodes.has(id)) {
      this.add(id, 'JSONQuery', { expression: path });
      this.connect({ node: source.node, port: source.port }, id, 'data');
    }
    return { node: id, port };
  }
}
