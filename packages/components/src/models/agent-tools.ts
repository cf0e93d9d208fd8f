import type { FlowNode, FlowTool, NodeCall, Outputs } from '@croft/flow';
import type { Services } from '../services.ts';
import { calculator } from '../editable/builtins.ts';
import { currentDate } from '../tools/current-date.ts';
import { type Row, toText } from '../values.ts';

/** The fields of an agent that offer a tool, on unless set otherwise, with the name of the tool for a person. */
const TOOL_FIELDS = { add_calculator_tool: 'calculator', add_current_date_tool: 'date' } as const;

/** The tools that a component offers to its model without a connection, for a person. Empty for all components but agents. */
export function builtinToolNames({ type, values }: Pick<FlowNode, 'type' | 'values'>): readonly string[] {
  if (type !== 'Agent') return [];
  return Object.entries(TOOL_FIELDS).flatMap(([field, name]) => (values[field] === false ? [] : [name]));
}

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
