import { expect, it } from 'vitest';
import { describeFlowIo } from './describe-io.ts';
import { createRegistry } from './registry.ts';
import { anyField, fakeComponent, flowOf } from './testing.ts';

const registry = createRegistry([
  fakeComponent('ChatInput', { fields: [anyField('sender'), anyField('input_value')] }),
  fakeComponent('Agent', { fields: [anyField('tools'), anyField('input_value')] }),
  fakeComponent('Tool', { fields: [anyField('city'), anyField('unit')] }),
  fakeComponent('Empty', { fields: [] }),
]);

it('finds where a flow takes values in, gives results, and which nodes are tools', () => {
  const flow = flowOf({ in: 'ChatInput', tool: 'Tool', agent: 'Agent', out: 'Agent' }, [
    'in.out -> agent.input_value',
    'tool.out -> agent.tools',
    'agent.out -> out.input_value',
  ]);
  expect(describeFlowIo(flow, registry)).toEqual({
    inputs: [{ id: 'in', type: 'ChatInput', value_field: 'input_value' }],
    outputs: [{ id: 'out', type: 'Agent' }],
    tools: [{ id: 'tool', type: 'Tool' }],
    text: 'inputs: in\noutputs: out\ntools: tool',
  });
});

it('takes a node that leads elsewhere too for an input, and one without edges for both', () => {
  const both = flowOf({ tool: 'Tool', agent: 'Agent', alone: 'Empty' }, [
    'tool.out -> agent.input_value',
    'tool.out -> agent.tools',
  ]);
  expect(describeFlowIo(both, registry).text).toBe('inputs: tool, alone\noutputs: agent, alone\ntools: (none)');
  expect(describeFlowIo(flowOf({}), registry).text).toBe('inputs: (none)\noutputs: (none)\ntools: (none)');
});

it('names the field of the value: the usual one, else the first, of unknown components too', () => {
  const fieldOf = (type: string, values = {}) =>
    describeFlowIo(flowOf({ a: { type, values } }), registry).inputs[0]?.value_field;
  expect([fieldOf('Tool'), fieldOf('Empty'), fieldOf('Unknown', { x: 1, text: 'a' }), fieldOf('Unknown')]).toEqual([
    'city',
    '',
    'text',
    '',
  ]);
});
