import type { Component, Descriptor, Field, Output } from './component.ts';
import type { FlowNode, Json } from './document.ts';
import type { PortType } from './port-types.ts';
import { variablesIn } from './variables.ts';

/** An input port of a node as it is configured now. */
export interface InputPort {
  readonly name: string;
  readonly label: string;
  readonly accepts: readonly PortType[];
  readonly required: boolean;
  /** A run prunes the node where edges end here and none brings a value. */
  readonly prunes: boolean;
  readonly list: boolean;
  /** The text field whose `{variable}` made the port; absent for a port of the descriptor. */
  readonly variableOf?: string;
}

/** Fields, inputs and outputs of a node as it is configured now. */
export interface NodePorts {
  readonly fields: readonly Field[];
  readonly inputs: readonly InputPort[];
  readonly outputs: readonly Output[];
}

/** The one output of a component that is used as a tool. */
export const TOOL_OUTPUT: Output = { name: 'component_as_tool', label: 'Toolset', types: ['Tool'] };

/** The output that carries a failure, where the node sends its errors on. */
export const ERROR_OUTPUT: Output = { name: 'error', label: 'Error', types: ['Data'], branch: true };

type Entry = { readonly descriptor: Descriptor; readonly ports?: Component['ports'] };

/** Variables of one text that make ports. */
const MAX_VARIABLES = 1_000;
/** A text from this length on is read once for each node, and not again for each of its edges. */
const LONG_TEXT = 2_000;
const ofLongTexts = new WeakMap<FlowNode, { readonly entry: Entry; readonly ports: NodePorts }>();

/** The fields, inputs and outputs of a node. They depend on its values, its tool mode and its variables. */
export function portsOf(node: FlowNode, entry: Entry): NodePorts {
  const known = ofLongTexts.get(node);
  if (known?.entry === entry) return known.ports;
  const ports = readPorts(node, entry);
  const isLong = ({ name }: Field) => {
    const value = node.values[name];
    return typeof value === 'string' && value.length >= LONG_TEXT;
  };
  if (ports.fields.some((field) => takesVariables(field) && isLong(field))) ofLongTexts.set(node, { entry, ports });
  return ports;
}

function readPorts(node: FlowNode, entry: Entry): NodePorts {
  const dynamic = entry.ports?.(node.values, node.code);
  const fields = dynamic?.fields ?? entry.descriptor.fields;
  const declared = dynamic?.outputs ?? [...outputsOfRows(node, entry.descriptor), ...entry.descriptor.outputs];
  const outputs =
    node.toolMode === true ? [TOOL_OUTPUT] : declared.filter((each) => isShown(each.showWhen, node, fields));
  const inputs: InputPort[] = [];
  const names = new Set<string>();
  for (const field of fields) {
    if (!field.accepts?.length || !isShown(field.showWhen, node, fields)) continue;
    names.add(field.name);
    inputs.push({
      name: field.name,
      label: field.label,
      accepts: field.accepts,
      required: field.required === true,
      prunes: field.required === true || field.gate === true,
      list: field.list === true,
    });
  }
  for (const field of fields) {
    for (const variable of fieldVariables(field, node)) {
      if (names.has(variable)) continue;
      names.add(variable);
      inputs.push({
        name: variable,
        label: variable,
        accepts: ['Message', 'Data', 'Any'],
        required: false,
        prunes: false,
        list: false,
        variableOf: field.name,
      });
    }
  }
  return { fields, inputs, outputs: node.run?.onError === 'port' ? [...outputs, ERROR_OUTPUT] : outputs };
}

/** A row is an object with columns, or the text of its first column. */
function outputsOfRows({ values }: FlowNode, { rowOutputs }: Descriptor): readonly Output[] {
  const rows = rowOutputs && values[rowOutputs.field];
  if (!rowOutputs || !Array.isArray(rows)) return [];
  const { column, output } = rowOutputs;
  return rows.map((row: Json, at): Output => {
    const isRow = typeof row === 'object' && row !== null && !Array.isArray(row);
    const cell = isRow ? (row as Record<string, Json>)[column] : row;
    const text = typeof cell === 'string' || typeof cell === 'number' ? `${cell}`.trim() : '';
    const number = (words: string) => words.replace('{n}', `${at + 1}`);
    return { ...output, name: number(output.name), label: text === '' ? number(output.label) : text };
  });
}

/** The variables that a field of this node makes ports of; the first thousand. */
export function fieldVariables(field: Field, node: FlowNode): readonly string[] {
  const value = node.values[field.name] ?? field.default;
  return takesVariables(field) && typeof value === 'string' ? variablesIn(value).slice(0, MAX_VARIABLES) : [];
}

/** Whether variables in the field's text make input ports. */
export function takesVariables({ variables, kind }: Field): boolean {
  return variables ?? (kind === 'text' || kind === 'multiline');
}

/** Whether a field or output is shown with the values the node has now. */
export function isShown(showWhen: Field['showWhen'], node: FlowNode, fields: readonly Field[]): boolean {
  if (showWhen === undefined) return true;
  const other = fields.find((each) => each.name === showWhen.field);
  const value: Json = node.values[showWhen.field] ?? other?.default ?? null;
  return showWhen.is.some((allowed) => allowed === value);
}

/** Whether a field needs a value with the values the node has now. */
export function isRequired(field: Field, node: FlowNode, fields: readonly Field[]): boolean {
  if (field.required === true) return true;
  return field.requiredWhen !== undefined && isShown(field.requiredWhen, node, fields);
}

/** Whether the component can be used as a tool. */
export function isToolCapable({ descriptor }: Entry): boolean {
  return descriptor.tool === true || descriptor.fields.some((field) => field.toolParameter === true);
}
