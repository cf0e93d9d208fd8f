import { edgesBetween, fieldValues, newComponent, noComponent, noEdges, readParams, valuesFor } from '@croft/assistant';
import { connectPorts, type Edit, layoutEdit, nodeTitle } from '@croft/flow';
import { ADDS, READS, REPLACES } from '@croft/tools';
import { z } from 'zod';
import { editOnDesk, type OpenFlow, openFlow, shownFlow } from './flow-desk.ts';
import { flowTool, type FlowToolCall, refuse } from './flow-tool.ts';
import { anyObject, componentId, flowId, flowInfo, ifRevision, infoOf } from './shown.ts';

const revision = z.number();
const port = z.string().min(1).max(200);
const ends = { source_id: componentId, source_output: port, target_id: componentId, target_input: port };

/** Tools over the components of a flow. */
export const COMPONENT_TOOLS = [
  flowTool({
    name: 'add_component',
    title: 'Add component',
    description: 'Adds a component to a flow. Connect it afterwards.',
    input: {
      flow_id: flowId,
      component_type: z.string().min(1).max(200).describe('The type, as search_component_types gives it.'),
      if_revision: ifRevision,
    },
    output: { id: z.string(), display_name: z.string(), revision },
    annotations: ADDS,
    async run({ flow_id, component_type, if_revision }, { desk }) {
      let added = { id: '', display_name: '' };
      const after = await editOnDesk(desk, flow_id, { revision: if_revision }, ({ document, registry }) => {
        const node = newComponent(document, registry, component_type);
        if ('error' in node) throw refuse(node.error.replace('search_components', 'search_component_types'));
        added = { id: node.id, display_name: nodeTitle(node, registry) };
        return [{ kind: 'add_component', node }];
      });
      return { ...added, revision: after };
    },
  }),
  flowTool({
    name: 'remove_component',
    title: 'Remove component',
    description: 'Removes a component and its connections. A restore point is kept.',
    input: { flow_id: flowId, component_id: componentId, if_revision: ifRevision },
    output: { removed: z.string(), revision },
    annotations: REPLACES,
    async run({ flow_id, component_id: id, if_revision }, { desk }) {
      const edit = { revision: if_revision, point: 'remove_component' };
      const after = await editOnDesk(desk, flow_id, edit, (flow) => {
        requireNode(flow, id);
        return [{ kind: 'remove_component', id }];
      });
      return { removed: id, revision: after };
    },
  }),
  flowTool({
    name: 'configure_component',
    title: 'Configure component',
    description: 'Sets values of a component. describe_component_type lists its fields.',
    input: {
      flow_id: flowId,
      component_id: componentId,
      params: z.union([anyObject, z.string()]).describe('Values by the names of the fields.'),
      if_revision: ifRevision,
    },
    output: {
      component_id: z.string(),
      configured: z.array(z.string()),
      warnings: z.array(z.string()).optional(),
      revision,
    },
    annotations: { ...REPLACES, idempotentHint: true },
    async run({ flow_id, component_id, params, if_revision }, { desk }) {
      let done: { configured: string[]; warnings?: string[] } = { configured: [] };
      const after = await editOnDesk(desk, flow_id, { revision: if_revision }, (flow) => {
        const { edit, ...rest } = configureEdit(flow, component_id, params);
        done = rest;
        return [edit];
      });
      return { component_id, ...done, revision: after };
    },
  }),
  flowTool({
    name: 'list_components',
    title: 'List components of a flow',
    description: 'Lists the components of a flow with their ids and types.',
    input: { flow_id: flowId },
    output: { result: flowInfo.components, revision },
    annotations: READS,
    async run({ flow_id }, { desk }) {
      const info = infoOf(await openFlow(desk, flow_id));
      return { result: info.components, revision: info.revision };
    },
  }),
  flowTool({
    name: 'get_component_info',
    title: 'Get values of a component',
    description: 'Reads the values of a component, or one of them. Secret values are not shown.',
    input: { flow_id: flowId, component_id: componentId, field_name: z.string().max(200).optional() },
    output: {
      component_id: z.string(),
      type: z.string(),
      fields: anyObject.optional(),
      field: z.string().optional(),
      value: z.unknown().optional(),
      revision,
    },
    annotations: READS,
    async run({ flow_id, component_id, field_name }, { desk }) {
      const flow = await openFlow(desk, flow_id);
      const { type } = requireNode(flow, component_id);
      const values = fieldValues(
        await shownFlow(desk, flow),
        { ...flow, secrets: new Set() },
        component_id,
        field_name,
      );
      if ('error' in values) throw refuse(values.error);
      return { ...values, type, revision: flow.version };
    },
  }),
  flowTool({
    name: 'connect_components',
    title: 'Connect components',
    description:
      'Connects an output of a component to an input of another one. The output component_as_tool makes the component a tool of an agent.',
    input: { flow_id: flowId, ...ends, if_revision: ifRevision },
    output: {
      source_id: z.string(),
      source_output: z.string(),
      target_id: z.string(),
      target_input: z.string(),
      revision,
    },
    annotations: { ...ADDS, idempotentHint: true },
    async run({ flow_id, if_revision, ...named }, { desk }) {
      const edge = edgeOf(named);
      const after = await editOnDesk(desk, flow_id, { revision: if_revision }, ({ document, registry }) =>
        connectPorts(document, registry, edge),
      );
      return { ...named, revision: after };
    },
  }),
  flowTool({
    name: 'disconnect_components',
    title: 'Disconnect components',
    description: 'Removes the connections between two components, or those of one port. A restore point is kept.',
    input: {
      flow_id: flowId,
      source_id: componentId,
      target_id: componentId,
      source_output: port.optional(),
      target_input: port.optional(),
      if_revision: ifRevision,
    },
    output: { removed_count: z.number(), revision },
    annotations: REPLACES,
    async run({ flow_id, if_revision, source_id, target_id, source_output = '', target_input = '' }, { desk }) {
      const { from, to } = edgeOf({ source_id, target_id, source_output, target_input });
      let count = 0;
      const edit = { revision: if_revision, point: 'disconnect_components' };
      const after = await editOnDesk(desk, flow_id, edit, ({ document }) => {
        const found = edgesBetween(document, from, to);
        if (found.length === 0) throw refuse(noEdges(source_id, target_id));
        count = found.length;
        return found.map((edge): Edit => ({ kind: 'disconnect', edge }));
      });
      return { removed_count: count, revision: after };
    },
  }),
  flowTool({
    name: 'freeze_component',
    title: 'Freeze component',
    description:
      'A frozen component gives the outputs of its first run since then while its inputs are the same, instead of running again.',
    input: { flow_id: flowId, component_id: componentId, if_revision: ifRevision },
    output: { frozen: z.string(), revision },
    annotations: { ...ADDS, idempotentHint: true },
    run: async (input, call) => ({ frozen: input.component_id, revision: await freeze(input, true, call) }),
  }),
  flowTool({
    name: 'unfreeze_component',
    title: 'Unfreeze component',
    description: 'Lets a frozen component run again.',
    input: { flow_id: flowId, component_id: componentId, if_revision: ifRevision },
    output: { unfrozen: z.string(), revision },
    annotations: { ...ADDS, idempotentHint: true },
    run: async (input, call) => ({ unfrozen: input.component_id, revision: await freeze(input, false, call) }),
  }),
  flowTool({
    name: 'layout_flow',
    title: 'Arrange flow',
    description: 'Arranges the components of a flow from left to right.',
    input: { flow_id: flowId, if_revision: ifRevision },
    output: { laid_out: z.string(), revision },
    annotations: { ...ADDS, idempotentHint: true },
    async run({ flow_id, if_revision }, { desk }) {
      const after = await editOnDesk(desk, flow_id, { revision: if_revision }, ({ document }) =>
        document.nodes.length === 0 ? [] : [layoutEdit(document)],
      );
      return { laid_out: flow_id, revision: after };
    },
  }),
];

interface NamedEdge {
  readonly source_id: string;
  readonly source_output: string;
  readonly target_id: string;
  readonly target_input: string;
}

const edgeOf = ({ source_id, source_output, target_id, target_input }: NamedEdge) => ({
  from: { node: source_id, port: source_output },
  to: { node: target_id, port: target_input },
});

/** @throws ForModel where the flow has no such component */
export function requireNode({ document }: Pick<OpenFlow, 'document'>, id: string) {
  const node = document.nodes.find((each) => each.id === id);
  if (node === undefined) throw refuse(noComponent(document, id));
  return node;
}

/** The edit that sets values, and what its author should know. @throws ForModel */
export function configureEdit({ document, registry }: OpenFlow, id: string, given: unknown) {
  const read = readParams(given);
  if ('error' in read) throw refuse(read.error);
  const found = valuesFor(document, registry, id, read.params);
  if ('error' in found) throw refuse(found.error);
  const configured = Object.keys(found.values);
  if (configured.length === 0) throw refuse('params has no values.');
  const connected = new Set(document.edges.filter(({ to }) => to.node === id).map(({ to }) => to.port));
  const warnings = configured
    .filter((name) => connected.has(name))
    .map((name) => `'${name}' of ${id} is connected: a run uses the value that the connection brings.`);
  const edit: Edit = { kind: 'configure', id, values: found.values };
  return { edit, configured, ...(warnings.length > 0 && { warnings }) };
}

function freeze(
  input: { readonly flow_id: string; readonly component_id: string; readonly if_revision?: number | undefined },
  frozen: boolean,
  { desk }: FlowToolCall,
): Promise<number> {
  const { flow_id, component_id: id, if_revision } = input;
  return editOnDesk(desk, flow_id, { revision: if_revision }, (flow) => {
    const { frozen: was = false, ...rest } = requireNode(flow, id).run ?? {};
    if (was === frozen) return [];
    const run = frozen ? { ...rest, frozen } : rest;
    return [{ kind: 'set_run_options', id, run: Object.keys(run).length === 0 ? null : run }];
  });
}
