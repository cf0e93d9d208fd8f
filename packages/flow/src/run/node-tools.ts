import type { Field, FlowTool, NodeCall, Outputs, Progress } from '../component.ts';
import type { Json } from '../document.ts';
import { callKey } from './call-key.ts';
import type { PlanNode } from './plan-node.ts';

/** Output names that say nothing: a component whose only output has one is named after its type. */
const GENERIC = new Set([
  'output',
  'process',
  'build_output',
  'run',
  'execute',
  'main',
  'handler',
  'build_result',
  'result',
  'data',
  'dataframe',
  'response',
  'text',
  'message',
]);

/** The tools of a node in tool mode: what the component says, or the component itself as one tool. */
export function toolsOf<Services>(
  plan: PlanNode<Services>,
  call: NodeCall<Services>,
): readonly FlowTool[] | Promise<readonly FlowTool[]> {
  return plan.setup.component.tools?.(call) ?? [componentAsTool(plan, call)];
}

function componentAsTool<Services>(plan: PlanNode<Services>, call: NodeCall<Services>): FlowTool {
  const { descriptor } = plan.setup.component;
  const parameters = plan.setup.fields.filter((field) => field.toolParameter === true);
  const required = parameters.filter((field) => field.required === true && call.inputs[field.name] === undefined);
  const calls = new Map<string, number>();
  return {
    name: toolName(plan),
    description: descriptor.description,
    parameters: {
      type: 'object',
      properties: Object.fromEntries(parameters.map((field) => [field.name, schemaOf(field)])),
      required: required.map(({ name }) => name),
      additionalProperties: false,
    },
    readOnly: descriptor.effects.every((effect) => effect === 'none' || effect.endsWith('-read')),
    async call(args, signal, report) {
      const allowed = Object.fromEntries(
        parameters.flatMap(({ name }) => (Object.hasOwn(args, name) ? [[name, args[name]]] : [])),
      );
      const inputs = { ...call.inputs, ...allowed };
      const stepKey = callKey(call.stepKey, allowed, calls);
      const result = plan.setup.component.run({ ...call, inputs, signal, stepKey });
      const outputs = await (Symbol.asyncIterator in result ? lastOf(result, report) : result);
      const values = Object.values(outputs);
      return values.length === 1 ? values[0] : outputs;
    },
  };
}

async function lastOf(
  generator: AsyncGenerator<Progress, Outputs, void>,
  report?: (progress: Progress) => void,
): Promise<Outputs> {
  for (;;) {
    const { done, value } = await generator.next();
    if (done === true) return value;
    report?.(value);
  }
}

/** The name a model calls: the person's name for the node, else the output's, else the type in snake case. */
function toolName({ node, setup }: PlanNode<unknown>): string {
  const { descriptor } = setup.component;
  const [only, ...more] = descriptor.outputs;
  const byType = snakeCase(descriptor.type.replace(/Component$/, ''));
  const name = node.name ?? (only !== undefined && more.length === 0 && !GENERIC.has(only.name) ? only.name : byType);
  return name.replace(/[^a-zA-Z0-9_-]/g, '-').slice(0, 64);
}

const snakeCase = (type: string): string =>
  type
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1_$2')
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase();

function schemaOf(field: Field): Json {
  const description = field.help ?? field.label;
  switch (field.kind) {
    case 'number':
    case 'slider':
      return { type: 'number', description, ...bounds(field) };
    case 'integer':
      return { type: 'integer', description, ...bounds(field) };
    case 'switch':
      return { type: 'boolean', description };
    case 'select':
      return { type: 'string', description, ...(field.options && { enum: field.options }) };
    case 'key-value':
    case 'json':
      return { type: 'object', description, additionalProperties: true };
    default:
      return field.list === true
        ? { type: 'array', items: { type: 'string' }, description }
        : { type: 'string', description };
  }
}

const bounds = ({ min, max }: Field) => ({
  ...(min !== undefined && { minimum: min }),
  ...(max !== undefined && { maximum: max }),
});
