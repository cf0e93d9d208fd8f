import type { FlowTool, NodeCall, Outputs } from '@croft/flow';
import type { Services } from '../services.ts';
import { calculator } from '../editable/builtins.ts';
import { currentDate } from '../tools/current-date.ts';
import { type Row, toText } from '../values.ts';

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
      async call({ expression }) {
        const { result } = (await calculator.run({ ...call, inputs: { expression } })) as { result: Row };
        return result['result'] ?? result;
      },
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
      async call({ timezone = 'UTC' }) {
        const { current_date: date } = (await currentDate.run({ ...call, inputs: { timezone } })) as Outputs;
        return toText(date);
      },
    });
  return tools;
}
