import type { Field } from '../component.ts';
import { FlowError } from '../errors.ts';
import { isRequired, isShown } from '../node-ports.ts';
import { fillVariables } from '../variables.ts';
import type { EdgeValues } from './edge-values.ts';
import type { PlanNode } from './plan-node.ts';

export interface NodeInputs {
  readonly inputs: Readonly<Record<string, unknown>>;
  /** Fields and variables that got their value from an edge. */
  readonly connected: ReadonlySet<string>;
}

type Values = Readonly<Record<string, unknown>>;

const NOTHING: ReadonlySet<string> = new Set();

/** A record without `Object.prototype`. Cheaper than `Object.create(null)`. */
const Inputs = function () {} as unknown as new () => Record<string, unknown>;
Inputs.prototype = Object.create(null);

/**
 * The values of a node's fields for one run: what an edge brought, else what the run was `given`, else what is set, else
 * the default; variables in texts are filled in. Takes the values off the edges.
 *
 * @throws FlowError `unknown_field` where a required field has no value; the message names node and field
 */
export function inputsOf(plan: PlanNode<never>, edges: EdgeValues, given: Values | undefined): NodeInputs {
  const { node, setup } = plan;
  const inputs = new Inputs();
  const hasEdges = plan.incoming.length > 0;
  let first: string | undefined;
  let connected: Set<string> | undefined;
  for (let at = 0; at < setup.fields.length; at++) {
    const field = setup.fields[at] as Field;
    const { name } = field;
    const brought = hasEdges ? edges.take(plan, name) : undefined;
    if (brought !== undefined) {
      if (first === undefined) first = name;
      else (connected ??= new Set([first])).add(name);
      inputs[name] = field.list === true ? asList(field, brought) : brought[brought.length - 1];
      continue;
    }
    const value = own(given, name) ?? own(node.values, name) ?? field.default;
    if (value === undefined || value === null || value === '') requireValue(plan, field);
    if (value !== undefined) inputs[name] = value;
  }
  if (setup.variableInputs.length > 0) return withVariables(plan, edges, given, inputs, connected ?? setOf(first));
  if (connected !== undefined) return { inputs, connected };
  return { inputs, connected: first === undefined ? NOTHING : (setup.connectedOne.get(first) ?? setOf(first)) };
}

const setOf = (name: string | undefined): Set<string> => new Set(name === undefined ? [] : [name]);

function withVariables(
  plan: PlanNode<never>,
  edges: EdgeValues,
  given: Values | undefined,
  inputs: Record<string, unknown>,
  connected: Set<string>,
): NodeInputs {
  for (const { name } of plan.setup.variableInputs) {
    const value = edges.take(plan, name)?.[0];
    const filled = value ?? own(given, name) ?? own(plan.node.values, name);
    if (value !== undefined) connected.add(name);
    if (filled !== undefined) inputs[name] = filled;
  }
  fillTexts(plan, inputs, connected);
  return { inputs, connected };
}

/** A variable may be called `constructor`: properties of every object are not its value. */
const own = (values: Values | undefined, name: string): unknown =>
  values !== undefined && Object.hasOwn(values, name) ? values[name] : undefined;

function asList(field: Field, values: unknown[]): unknown[] {
  if (field.keepsLists === true) return values;
  for (let at = 0; at < values.length; at++) if (Array.isArray(values[at])) return values.flat();
  return values;
}

/** A model fills in the parameters of a tool; a hidden field needs no value. */
function requireValue({ node, setup }: PlanNode<never>, field: Field): void {
  if (!isRequired(field, node, setup.fields)) return;
  if (node.toolMode === true && field.toolParameter === true) return;
  if (!isShown(field.showWhen, node, setup.fields)) return;
  throw new FlowError(
    'unknown_field',
    `Required input '${field.name}' (${field.label}) of ${node.id} has no value. ${field.kind === 'handle' ? 'Connect it.' : 'Set it or connect it.'}`,
    { node: node.id, field: field.name },
  );
}

function fillTexts({ setup }: PlanNode<never>, inputs: Record<string, unknown>, connected: ReadonlySet<string>): void {
  const fields = new Set(setup.variableInputs.map(({ variableOf }) => variableOf));
  for (const field of fields) {
    const text = inputs[field as string];
    if (typeof text === 'string' && !connected.has(field as string))
      inputs[field as string] = fillVariables(text, (name) => inputs[name]);
  }
}
