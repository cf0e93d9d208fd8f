import {
  type FlowDocument,
  type FlowEdge,
  FlowError,
  type FlowNode,
  parseFlow,
  portsOf,
  type Registry,
  validateFlow,
} from '@croft/flow';

/** A flow with one fault. */
export interface Mutation {
  readonly fault: string;
  /** A report has to name one of these nodes first: the node of the fault, or any of a cycle. */
  readonly nodes: readonly string[];
  readonly document: FlowDocument;
}

/** Every fault of each kind that a flow can get. */
export function* mutationsOf(flow: FlowDocument, registry: Registry): Generator<Mutation> {
  for (const edge of flow.edges) yield* edgeMutations(flow, edge, registry);
  for (const node of flow.nodes) yield* nodeMutations(flow, node, registry);
}

function* edgeMutations(flow: FlowDocument, edge: FlowEdge, registry: Registry): Generator<Mutation> {
  const { from, to } = edge;
  const others = flow.edges.filter((each) => each !== edge);
  const withEdge = (changed: FlowEdge): FlowDocument => ({ ...flow, edges: [...others, changed] });
  yield { fault: 'an edge to no node', nodes: ['gone'], document: withEdge({ from, to: { ...to, node: 'gone' } }) };
  yield { fault: 'an edge from no node', nodes: ['gone'], document: withEdge({ from: { ...from, node: 'gone' }, to }) };
  yield {
    fault: 'an edge from no output',
    nodes: [from.node],
    document: withEdge({ from: { ...from, port: 'nothing' }, to }),
  };
  yield {
    fault: 'an edge to no input',
    nodes: [to.node],
    document: withEdge({ from, to: { ...to, port: 'nothing' } }),
  };
  yield { fault: 'an edge twice', nodes: [to.node], document: { ...flow, edges: [...flow.edges, edge] } };
  const target = flow.nodes.find(({ id }) => id === to.node) as FlowNode;
  const entry = registry.get(target.type);
  const port = entry && portsOf(target, entry).inputs.find(({ name }) => name === to.port);
  const isOnly = !others.some((each) => each.to.node === to.node && each.to.port === to.port);
  if (port?.required === true && isOnly)
    yield { fault: 'a required input without an edge', nodes: [to.node], document: { ...flow, edges: others } };
  if (port && !port.accepts.includes('LanguageModel'))
    yield {
      fault: 'an edge of a type that does not fit',
      nodes: [to.node],
      document: {
        ...flow,
        nodes: [
          ...flow.nodes,
          { id: 'model', type: 'LanguageModelComponent', position: { x: 0, y: 0 }, values: {}, toolMode: true },
        ],
        edges: [...others, { from: { node: 'model', port: 'component_as_tool' }, to }],
      },
    };
  yield* cycleThrough(flow, edge, registry);
}

/** An edge back from a template's reader to the template, where neither a loop nor a router is between. */
function* cycleThrough(flow: FlowDocument, { from, to }: FlowEdge, registry: Registry): Generator<Mutation> {
  const [source, target] = [from, to].map((end) => flow.nodes.find(({ id }) => id === end.node) as FlowNode);
  const output = target && registry.get(target.type);
  if (source?.type !== 'PromptTemplate' || target === undefined || output === undefined) return;
  const [port] = portsOf(target, output).outputs;
  if (port === undefined || output.descriptor.control !== undefined) return;
  const back = { from: { node: to.node, port: port.name }, to: { node: from.node, port: 'tool_placeholder' } };
  yield { fault: 'a cycle', nodes: [from.node, to.node], document: { ...flow, edges: [...flow.edges, back] } };
}

function* nodeMutations(flow: FlowDocument, node: FlowNode, registry: Registry): Generator<Mutation> {
  const { id } = node;
  const replaced = (changed: FlowNode): FlowDocument => ({
    ...flow,
    nodes: flow.nodes.map((each) => (each === node ? changed : each)),
  });
  yield { fault: 'an unknown type', nodes: [id], document: replaced({ ...node, type: 'Nothing' }) };
  yield { fault: 'an id twice', nodes: [id], document: { ...flow, nodes: [...flow.nodes, node] } };
  if (flow.edges.some(({ from, to }) => from.node === id || to.node === id))
    yield {
      fault: 'a missing node',
      nodes: [id],
      document: { ...flow, nodes: flow.nodes.filter((each) => each !== node) },
    };
  const entry = registry.get(node.type);
  if (entry === undefined) return;
  const connected = new Set(flow.edges.filter(({ to }) => to.node === id).map(({ to }) => to.port));
  for (const field of portsOf(node, entry).fields) {
    if (connected.has(field.name) || node.values[field.name] === undefined || field.kind === 'json') continue;
    const wrong = replaced({ ...node, values: { ...node.values, [field.name]: { not: 'a value' } } });
    yield { fault: 'a value of the wrong kind', nodes: [id], document: wrong };
    const { [field.name]: _, ...values } = node.values;
    if (field.required === true && field.default === undefined)
      yield { fault: 'a required value that is missing', nodes: [id], document: replaced({ ...node, values }) };
  }
}

/** The nodes that the checks of a document name as the place of an error; empty where they accept it. */
export function rejectedAt(document: FlowDocument, registry: Registry): readonly (string | undefined)[] {
  try {
    const errors = validateFlow(parseFlow(document), registry).filter(({ severity }) => severity === 'error');
    return errors.map(({ node }) => node);
  } catch (error) {
    if (error instanceof FlowError) return [error.place.node];
    throw error;
  }
}
