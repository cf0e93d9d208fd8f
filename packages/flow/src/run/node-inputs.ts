import { FlowError } from '../errors.ts';
import { isShown } from '../node-ports.ts';
import { fillVariables } from '../variables.ts';
import type { PlanNode } from './plan-node.ts';

/** The values that edges brought to a node: a list for each port, in the order of the edges. */
export type Arrived = ReadonlyMap<string, readonly unknown[]>;

export interface NodeInputs {
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly connected: ReadonlySet<string>;
}

/**
 * The values of a node's fields for one run: what an edge brought, else what the run was `given`, else what is set, else
 * the default; variables in texts are filled in.
 *
 * @throws FlowError `unknown_field` where a required field has no value; the message names node and field
 */
export function inputsOf(
  plan: PlanNode<never>,
  arrived: Arrived,
  given: Readonly<Record<string, unknown>> = {},
): NodeInputs {
  const { node, fields } = plan;
  const inputs: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  const connected = new Set<string>();
  for (const field of fields) {
    const brought = arrived.get(field.name);
    if (brought !== undefined && brought.length > 0) {
      connected.add(field.name);
      inputs[field.name] = field.list === true ? brought.flat() : brought.at(-1);
      continue;
    }
    const value = given[field.name] ?? node.values[field.name] ?? field.default;
    const isMissing = value === undefined || value === null || value === '';
    const isFilledByModel = node.toolMode === true && field.toolParameter === true;
    if (isMissing && field.required === true && !isFilledByModel && isShown(field.showWhen, node, fields))
      throw new FlowError(
        'unknown_field',
        `Required input '${field.name}' (${field.label}) of ${node.id} has no value. Set it or connect it.`,
        { node: node.id, field: field.name },
      );
    if (value !== undefined) inputs[field.name] = value;
  }
  if (plan.variableInputs.length === 0) return { inputs, connected };
  for (const input of plan.variableInputs) {
    const [value] = arrived.get(input.name) ?? [];
    const filled = value ?? given[input.name] ?? node.values[input.name];
    if (value !== undefined) connected.add(input.name);
    if (filled !== undefined) inputs[input.name] = filled;
  }
  fillTexts(plan, inputs, connected);
  return { inputs, connected };
}

function fillTexts(plan: PlanNode<never>, inputs: Record<string, unknown>, connected: ReadonlySet<string>): void {
  const fields = new Set(plan.variableInputs.map(({ variableOf }) => variableOf));
  for (const field of fields) {
    const text = inputs[field as string];
    if (typeof text === 'string' && !connected.has(field as string))
      inputs[field as string] = fillVariables(text, (name) => inputs[name]);
  }
}
