import { describeFlowIo, type FlowDocument, summariseFlow, nodeTitle } from '@croft/flow';
import { z } from 'zod';
import { drawingOf } from '../flows/read-flow.ts';
import type { OpenFlow } from './flow-desk.ts';

/** Arguments that many tools have. */
export const flowId = z.string().min(1).max(100).describe('The id of the flow.');
export const componentId = z.string().min(1).max(200).describe('The id of the component.');
export const ifRevision = z
  .number()
  .int()
  .min(1)
  .optional()
  .describe('Refuses the change if the flow has another revision. Tools that read a flow give it.');

/** Any object: the fields differ from one to the next. */
export const anyObject = z.looseObject({});

/** The head of a flow in results. */
export const flowHead = { id: z.string(), name: z.string(), description: z.string(), revision: z.number() };

export const headOf = ({
  id,
  version,
  name,
  description,
}: Omit<OpenFlow, 'document' | 'registry' | 'access'> & Pick<FlowDocument, 'name' | 'description'>) => ({
  id,
  name,
  description,
  revision: version,
});

/** The shape of a flow in results, without values. */
export const flowShape = {
  node_count: z.number(),
  edge_count: z.number(),
  graph: z.string(),
  spec_summary: z.string(),
};

const NOT_DRAWN = '(too large to draw)';

export const shapeOf = (document: FlowDocument) => ({
  node_count: document.nodes.length,
  edge_count: document.edges.length,
  graph: drawingOf(document) ?? NOT_DRAWN,
  spec_summary: summariseFlow(document),
});

/** Everything about a flow but the values of its components. */
export const flowInfo = {
  ...flowHead,
  ...flowShape,
  components: z.array(z.object({ id: z.string(), type: z.string(), display_name: z.string(), frozen: z.boolean() })),
  inputs: z.array(anyObject),
  outputs: z.array(anyObject),
};

export function infoOf({ id, version, document, registry }: Omit<OpenFlow, 'access'>) {
  const { inputs, outputs } = describeFlowIo(document, registry);
  const components = document.nodes.map((node) => ({
    id: node.id,
    type: node.type,
    display_name: nodeTitle(node, registry),
    frozen: node.run?.frozen === true,
  }));
  return { ...headOf({ ...document, id, version }), ...shapeOf(document), components, inputs, outputs };
}
