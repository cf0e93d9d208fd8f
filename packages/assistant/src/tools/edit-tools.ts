import { connectPorts, type Edit, type Json } from '@croft/flow';
import { refused } from '../component-values.ts';
import { edgesBetween, newComponent, noEdges } from '../flow-parts.ts';
import {
  type AssistantTool,
  failed,
  textOf,
  textParameters,
  type ToolArguments,
  type ToolContext,
  type ToolData,
} from './assistant-tool.ts';
import { configureComponent, propose } from './configure-component.ts';

const edgeArguments = textParameters({
  source_id: 'The id of the component where the connection begins.',
  source_output: 'The name of its output.',
  target_id: 'The id of the component where it ends.',
  target_input: 'The name of its input.',
});

const edgeOf = (args: ToolArguments) => ({
  from: { node: textOf(args, 'source_id'), port: textOf(args, 'source_output') },
  to: { node: textOf(args, 'target_id'), port: textOf(args, 'target_input') },
});

/** Tools that change the flow step by step. Each change is stored before its event. */
export const EDIT_TOOLS: readonly AssistantTool[] = [
  {
    name: 'add_component',
    needs: 'change',
    description: 'Adds a component to the flow. Connect it afterwards.',
    parameters: textParameters({ component_type: 'The type, as search_components gives it.' }),
    label: (args) => `Adding ${textOf(args, 'component_type')}`,
    run: (args, context) => addComponent(textOf(args, 'component_type'), context),
  },
  {
    name: 'remove_component',
    // Components of this turn may go without a question.
    needs: (args, { working }) => (working.existedBefore(textOf(args, 'component_id')) ? 'remove' : 'change'),
    description: 'Removes a component and its connections from the flow.',
    parameters: textParameters({ component_id: 'The id of the component.' }),
    label: (args) => `Removing ${textOf(args, 'component_id')}`,
    async run(args, { working }) {
      const id = textOf(args, 'component_id');
      await working.apply([{ kind: 'remove_component', id }]);
      return { removed: id, text: `Removed ${id}` };
    },
  },
  {
    name: 'connect_components',
    needs: 'change',
    description: 'Connects an output of a component to an input of another one.',
    parameters: edgeArguments,
    label: () => 'Wiring components',
    async run(args, { working, turn }) {
      const edge = edgeOf(args);
      await working.apply(connectPorts(await working.read(), turn.registry, edge));
      return { text: `Connected ${edge.from.node}.${edge.from.port} -> ${edge.to.node}.${edge.to.port}` };
    },
  },
  {
    name: 'disconnect_components',
    needs: 'change',
    description: 'Removes connections between two components.',
    parameters: textParameters({
      source_id: 'The id of the component where the connection begins.',
      target_id: 'The id of the component where it ends.',
      'source_output?': 'Only connections of this output.',
      'target_input?': 'Only connections of this input.',
    }),
    label: () => 'Removing connections',
    async run(args, { working }) {
      const { from, to } = edgeOf(args);
      const found = edgesBetween(await working.read(), from, to);
      if (found.length === 0) return failed(noEdges(from.node, to.node));
      await working.apply(found.map((edge): Edit => ({ kind: 'disconnect', edge })));
      return {
        removed_count: found.length,
        text: `Removed ${found.length} ${found.length === 1 ? 'connection' : 'connections'}`,
      };
    },
  },
  {
    name: 'configure_component',
    needs: 'change',
    description:
      'Sets values of a component. Texts of a component that the user made become proposals, which the user accepts or dismisses.',
    parameters: {
      type: 'object',
      properties: {
        component_id: { type: 'string', description: 'The id of the component.' },
        params: { type: 'object', description: 'Values by the names of the fields.', additionalProperties: true },
      },
      required: ['component_id', 'params'],
      additionalProperties: false,
    },
    label: (args) => `Configuring ${textOf(args, 'component_id')}`,
    run: configureComponent,
  },
  {
    name: 'propose_field_edit',
    description: 'Proposes a new value for one field of a component. Nothing changes until the user accepts it.',
    parameters: textParameters({
      component_id: 'The id of the component.',
      field_name: 'The name of the field to change.',
      new_value: 'The new value.',
    }),
    label: () => 'Proposing an edit',
    async run(args, context) {
      const [node, field] = [textOf(args, 'component_id'), textOf(args, 'field_name')];
      const raw = args['new_value'];
      const proposal = await propose(node, field, (raw ?? '') as Json, context);
      return {
        text: `Proposed: ${proposal} (pending user approval)`,
        summary: `${proposal}. Accept or dismiss it.`,
        proposed: [field],
      };
    },
  },
];

async function addComponent(type: string, { working, turn }: ToolContext): Promise<ToolData> {
  const node = newComponent(await working.read(), turn.registry, type);
  if ('error' in node) return refused(node);
  await working.apply([{ kind: 'add_component', node }]);
  return { id: node.id, type: node.type, text: `Added ${node.type} (${node.id})` };
}
