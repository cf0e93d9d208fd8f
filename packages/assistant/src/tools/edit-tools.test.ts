import { describe, expect, it } from 'vitest';
import { flowOf, toolContext } from '../../../../tests/support/tool-context.ts';
import { EDIT_TOOLS } from './edit-tools.ts';
import { shownTools } from '../testing.ts';

const flow = flowOf(
  'nodes:\n  I: ChatInput\n  P: PromptTemplate\n  O: ChatOutput\nedges:\n  I.message -> O.input_value\nconfig:\n  P.template: old {text}\n',
);
const use = async (name: string, args: Record<string, unknown>) => {
  const made = await toolContext(flow);
  return { ...made, result: await made.call(EDIT_TOOLS, name, args) };
};
const edge = { source_id: 'P-1', source_output: 'prompt', target_id: 'O-1', target_input: 'input_value' };

describe('an edit of the flow', () => {
  it('adds a component, or says how to find its type', async () => {
    const { result, canvas } = await use('add_component', { component_type: 'SortRows' });
    expect(result).toEqual({
      id: canvas.flow.nodes.at(-1)?.id,
      type: 'SortRows',
      text: `Added SortRows (${String(result['id'])})`,
    });
    const none = await use('add_component', { component_type: 'None' });
    expect([none.result['error'], none.canvas.version]).toEqual([
      expect.stringContaining('Unknown component: None'),
      1,
    ]);
  });

  it('removes a component with its connections', async () => {
    const { result, canvas } = await use('remove_component', { component_id: 'O-1' });
    expect(result).toEqual({ removed: 'O-1', text: 'Removed O-1' });
    expect([canvas.flow.nodes.length, canvas.flow.edges]).toEqual([2, []]);
  });

  it('needs the user for a component that was there before the turn', async () => {
    const { context } = await toolContext(flow);
    const needs = EDIT_TOOLS.find(({ name }) => name === 'remove_component')?.needs as Function;
    expect([needs({ component_id: 'O-1' }, context), needs({ component_id: 'new' }, context)]).toEqual([
      'remove',
      'change',
    ]);
  });

  it('connects ports', async () => {
    const { result, canvas } = await use('connect_components', {
      ...edge,
      source_id: 'I-1',
      source_output: 'message',
      target_id: 'P-1',
      target_input: 'text',
    });
    expect(result).toEqual({ text: 'Connected I-1.message -> P-1.text' });
    expect(canvas.flow.edges).toHaveLength(2);
    await expect(use('connect_components', { ...edge, source_output: 'none' })).rejects.toThrow('none');
  });

  it('removes connections between two components, or only those of a port', async () => {
    const between = { source_id: 'I-1', target_id: 'O-1' };
    const { result, canvas } = await use('disconnect_components', between);
    expect([result, canvas.flow.edges]).toEqual([{ removed_count: 1, text: 'Removed 1 connection' }, []]);
    const none = await use('disconnect_components', { ...between, source_output: 'other' });
    expect([none.result['error'], none.canvas.version]).toEqual(["No connections found between 'I-1' and 'O-1'", 1]);
  });

  it('sets values', async () => {
    const { result } = await use('configure_component', { component_id: 'I-1', params: { none: 1 } });
    expect(result).toHaveProperty('error');
  });

  it('proposes a value of a field, and changes nothing', async () => {
    const { result, canvas, events } = await use('propose_field_edit', {
      component_id: 'P-1',
      field_name: 'template',
      new_value: 'new',
    });
    expect(result).toMatchObject({
      proposed: ['template'],
      text: expect.stringMatching(/^Proposed: .*\(pending user approval\)$/),
    });
    expect(result['summary']).toMatch(/\. Accept or dismiss it\.$/);
    expect([canvas.version, events[0]]).toEqual([
      1,
      expect.objectContaining({ action: 'edit_field', new_value: 'new' }),
    ]);
    const empty = await use('propose_field_edit', { component_id: 'P-1', field_name: 'template' });
    expect(empty.events[0]).toMatchObject({ new_value: '' });
  });
});

it('says what each does, and asks for consent', () => {
  const args = { component_type: 'SortRows', component_id: 'O-1' };
  expect(EDIT_TOOLS.map((tool) => tool.label(args))).toEqual([
    'Adding SortRows',
    'Removing O-1',
    'Wiring components',
    'Removing connections',
    'Configuring O-1',
    'Proposing an edit',
  ]);
  expect(EDIT_TOOLS.map(({ needs }) => (typeof needs === 'function' ? 'by call' : needs))).toEqual([
    'change',
    'by call',
    'change',
    'change',
    'change',
    undefined,
  ]);
});

it('shows its tools to models and people in these words', () => {
  expect(shownTools(EDIT_TOOLS)).toEqual([
    'add_component | Adding COMPONENT_TYPE | needs string | Adds a component to the flow. Connect it afterwards. | {"type":"object","additionalProperties":false}',
    '- component_type: {"type":"string"} The type, as search_components gives it.',
    'remove_component | Removing COMPONENT_ID | needs function | Removes a component and its connections from the flow. | {"type":"object","additionalProperties":false}',
    '- component_id: {"type":"string"} The id of the component.',
    'connect_components | Wiring components | needs string | Connects an output of a component to an input of another one. | {"type":"object","additionalProperties":false}',
    '- source_id: {"type":"string"} The id of the component where the connection begins.',
    '- source_output: {"type":"string"} The name of its output.',
    '- target_id: {"type":"string"} The id of the component where it ends.',
    '- target_input: {"type":"string"} The name of its input.',
    'disconnect_components | Removing connections | needs string | Removes connections between two components. | {"type":"object","additionalProperties":false}',
    '- source_id: {"type":"string"} The id of the component where the connection begins.',
    '- target_id: {"type":"string"} The id of the component where it ends.',
    '- source_output?: {"type":"string"} Only connections of this output.',
    '- target_input?: {"type":"string"} Only connections of this input.',
    'configure_component | Configuring COMPONENT_ID | needs string | Sets values of a component. Texts of a component that the user made become proposals, which the user accepts or dismisses. | {"type":"object","additionalProperties":false}',
    '- component_id: {"type":"string"} The id of the component.',
    '- params: {"type":"object","additionalProperties":true} Values by the names of the fields.',
    'propose_field_edit | Proposing an edit | Proposes a new value for one field of a component. Nothing changes until the user accepts it. | {"type":"object","additionalProperties":false}',
    '- component_id: {"type":"string"} The id of the component.',
    '- field_name: {"type":"string"} The name of the field to change.',
    '- new_value: {"type":"string"} The new value.',
  ]);
});
