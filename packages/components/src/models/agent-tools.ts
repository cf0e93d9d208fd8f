import type { FlowTool, NodeCall } from '@croft/flow';
import type { Services } from '../services.ts';
import { calculator } from '../tools/calculator.ts';
import { currentDate } from '../tools/current-date.ts';

/** The tools that an agent offers by itself, where its fields say so. */
export function builtinTools(call: NodeCall<Services>): readonly FlowTool[] {
  const tools: FlowTool[] = [];
  if (call.inputs['add_calculator_tool'] === true)
    tools.push({
      name: 'evaluate_expression',
      description: calculator.descriptor.description,
      parameters: {
        type: 'object',
        properties: { expression: { type: 'string', description: 'The arithmetic expression.' } },
        required: ['expression'],
        additionalProperties: false,
      },
      readOnly: true,
      call: async ({ expression }) => calculator.run({ ...call, inputs: { expression } }),
    });
  if (call.inputs['add_current_date_tool'] === true)
    tools.push({
      name: 'get_current_date',
      description: currentDate.descriptor.description,
      parameters: {
        type: 'object',
        properties: { timezone: { type: 'string', description: 'IANA name, such as Europe/Vienna.' } },
        required: [],
        additionalProperties: false,
      },
      readOnly: true,
      call: async ({ timezone = 'UTC' }) => currentDate.run({ ...call, inputs: { timezone } }),
    });
  return tools;
}
