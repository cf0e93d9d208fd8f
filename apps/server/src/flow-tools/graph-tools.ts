import { fieldValues } from '@croft/assistant';
import { type FlowDocument, portsOf, printSpec, specOf, nodeTitle } from '@croft/flow';
import { READS, REPLACES } from '@croft/tools';
import { eq } from 'drizzle-orm';
import { z } from 'zod';
import { drawingOf } from '../flows/read-flow.ts';
import { canReadFlow } from '../flows/get-flow.ts';
import { listFlows } from '../flows/list-flows.ts';
import { flow as flows } from '../store/flow-schema.ts';
import { configureEdit, requireNode } from './component-tools.ts';
import { editOnDesk, type FlowDesk, type OpenFlow, openFlow, shownFlow } from './flow-desk.ts';
import { flowTool, refuse } from './flow-tool.ts';
import { anyObject, componentId, ifRevision } from './shown.ts';

const flow = z.string().min(1).max(200).describe('The id of the flow, or its name.');
const field_name = z.string().min(1).max(200);
const place = { component_id: z.string(), flow_id: z.string() };
const counts = { vertex_count: z.number(), edge_count: z.number() };
const head = { flow_id: z.string(), flow_name: z.string() };

/** Tools that show a flow, and read and change single fields, as older clients call them. */
export const GRAPH_TOOLS = [
  flowTool({
    name: 'visualize_flow_graph',
    title: 'Draw flow',
    description: 'Draws a flow and gives its text form, without secrets.',
    input: { flow_id_or_name: flow },
    output: { ...head, ascii_graph: z.string().nullable(), text_repr: z.string(), ...counts },
    annotations: READS,
    async run({ flow_id_or_name }, { desk }) {
      const found = await find(desk, flow_id_or_name);
      const shown = await shownFlow(desk, found);
      return { ...headOf(found), ascii_graph: drawingOf(shown), text_repr: textOf(shown), ...countsOf(shown) };
    },
  }),
  flowTool({
    name: 'get_flow_ascii_diagram',
    title: 'Drawing of a flow',
    description: 'Draws a flow: one line for each component.',
    input: { flow_id_or_name: flow },
    output: { result: z.string() },
    annotations: READS,
    async run({ flow_id_or_name }, { desk }) {
      const { document } = await find(desk, flow_id_or_name);
      const result = drawingOf(document);
      if (result === null) throw refuse('The flow is too large to draw. Use get_flow_text_representation.');
      return { result };
    },
  }),
  flowTool({
    name: 'get_flow_text_representation',
    title: 'Text of a flow',
    description: 'Gives the text form of a flow with its values, without secrets.',
    input: { flow_id_or_name: flow },
    output: { result: z.string() },
    annotations: READS,
    run: async ({ flow_id_or_name }, { desk }) => ({
      result: textOf(await shownFlow(desk, await find(desk, flow_id_or_name))),
    }),
  }),
  flowTool({
    name: 'get_flow_structure_summary',
    title: 'Structure of a flow',
    description: 'Lists the components and connections of a flow, without values.',
    input: { flow_id_or_name: flow },
    output: { ...head, ...counts, vertices: z.array(z.string()), edges: z.array(z.array(z.string())) },
    annotations: READS,
    async run({ flow_id_or_name }, { desk }) {
      const found = await find(desk, flow_id_or_name);
      const { nodes, edges } = found.document;
      const vertices = nodes.map(({ id }) => id);
      return {
        ...headOf(found),
        ...countsOf(found.document),
        vertices,
        edges: edges.map(({ from, to }) => [from.node, to.node]),
      };
    },
  }),
  flowTool({
    name: 'get_flow_component_details',
    title: 'Component of a flow',
    description: 'Reads a component of a flow: its type, values and connections. Secret values are not shown.',
    input: { flow_id_or_name: flow, component_id: componentId },
    output: { ...place, flow_name: z.string(), type: z.string(), display_name: z.string(), fields: anyObject },
    annotations: READS,
    async run({ flow_id_or_name, component_id }, { desk }) {
      const found = await find(desk, flow_id_or_name);
      const node = requireNode(found, component_id);
      const values = fieldValues(await shownFlow(desk, found), { ...found, secrets: new Set() }, component_id);
      const { edges } = found.document;
      return {
        ...headOf(found),
        component_id,
        type: node.type,
        display_name: nodeTitle(node, found.registry),
        fields: 'fields' in values ? values.fields : {},
        incoming: edges.filter(({ to }) => to.node === component_id),
        outgoing: edges.filter(({ from }) => from.node === component_id),
      };
    },
  }),
  flowTool({
    name: 'get_flow_component_field_value',
    title: 'Value of a field',
    description: 'Reads one value of a component. A secret value is not shown.',
    input: { flow_id_or_name: flow, component_id: componentId, field_name },
    output: {
      ...place,
      field_name: z.string(),
      value: z.unknown(),
      field_type: z.string(),
      display_name: z.string(),
      required: z.boolean(),
    },
    annotations: READS,
    async run({ flow_id_or_name, component_id, field_name: name }, { desk }) {
      const found = await find(desk, flow_id_or_name);
      requireNode(found, component_id);
      const read = fieldValues(await shownFlow(desk, found), { ...found, secrets: new Set() }, component_id, name);
      if (!('value' in read)) throw refuse('error' in read ? read.error : 'There is no such field.');
      return { ...fieldOf(found, component_id, name), value: read.value, component_id, flow_id: found.id };
    },
  }),
  flowTool({
    name: 'update_flow_component_field',
    title: 'Set a field',
    description: 'Sets one value of a component.',
    input: {
      flow_id_or_name: flow,
      component_id: componentId,
      field_name,
      new_value: z.unknown(),
      if_revision: ifRevision,
    },
    output: {
      ...place,
      success: z.boolean(),
      field_name: z.string(),
      old_value: z.unknown(),
      new_value: z.unknown(),
      flow_name: z.string(),
      revision: z.number(),
    },
    annotations: { ...REPLACES, idempotentHint: true },
    async run({ flow_id_or_name, component_id, field_name: name, new_value, if_revision }, { desk }) {
      const before = await find(desk, flow_id_or_name);
      const valueIn = async (from: OpenFlow): Promise<unknown> => {
        const read = fieldValues(await shownFlow(desk, from), { ...from, secrets: new Set() }, component_id, name);
        return 'value' in read ? read.value : null;
      };
      const old_value = await valueIn(before);
      const revision = await editOnDesk(desk, before.id, { revision: if_revision }, (opened) => [
        configureEdit(opened, component_id, { [name]: new_value ?? null }).edit,
      ]);
      const after = await openFlow(desk, before.id);
      return {
        success: true,
        field_name: name,
        old_value,
        new_value: await valueIn(after),
        component_id,
        ...headOf(after),
        revision,
      };
    },
  }),
  flowTool({
    name: 'list_flow_component_fields',
    title: 'Fields of a component',
    description: 'Lists the fields of a component with their kinds and values. Secret values are not shown.',
    input: { flow_id_or_name: flow, component_id: componentId },
    output: { ...place, flow_name: z.string(), fields: z.array(anyObject), field_count: z.number() },
    annotations: READS,
    async run({ flow_id_or_name, component_id }, { desk }) {
      const found = await find(desk, flow_id_or_name);
      requireNode(found, component_id);
      const read = fieldValues(await shownFlow(desk, found), { ...found, secrets: new Set() }, component_id);
      const values = 'fields' in read ? read.fields : {};
      const fields = Object.keys(values).map((name) => ({
        ...fieldOf(found, component_id, name),
        value: values[name],
      }));
      return { ...headOf(found), component_id, fields, field_count: fields.length };
    },
  }),
];

const headOf = ({ id, document }: OpenFlow) => ({ flow_id: id, flow_name: document.name });
const textOf = (document: FlowDocument): string => printSpec(specOf(document));
const countsOf = ({ nodes, edges }: FlowDocument) => ({ vertex_count: nodes.length, edge_count: edges.length });

/** A flow by its id, else the one with this name. @throws Problem `not_found`, ForModel for a name of several flows */
async function find(desk: FlowDesk, idOrName: string): Promise<OpenFlow> {
  const { options, caller } = desk;
  const db = await options.storage();
  // The id first: another user may share a flow whose name is the id of this one.
  if (await canReadFlow(db, caller.userId, idOrName)) return openFlow(desk, idOrName);
  const { flows: named } = await listFlows(db, caller.userId, { limit: 50, where: eq(flows.name, idOrName) });
  if (named.length > 1)
    throw refuse(`You have several flows with this name. Use an id: ${named.map(({ id }) => id).join(', ')}.`);
  return openFlow(desk, named[0]?.id ?? idOrName);
}

function fieldOf({ document, registry }: OpenFlow, id: string, name: string) {
  const node = document.nodes.find((each) => each.id === id);
  const entry = node && registry.get(node.type);
  const field = node && entry && portsOf(node, entry).fields.find((each) => each.name === name);
  return {
    field_name: name,
    field_type: field?.kind ?? 'text',
    display_name: field?.label ?? name,
    required: field?.required === true,
  };
}
