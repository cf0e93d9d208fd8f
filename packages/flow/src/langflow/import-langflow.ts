import type { Descriptor, Field } from '../component.ts';
import {
  edgeKey,
  emptyFlow,
  type FlowDocument,
  type FlowEdge,
  type FlowNode,
  type FlowNote,
  type Json,
} from '../document.ts';
import { layoutFlow } from '../layout.ts';
import { portsOf } from '../node-ports.ts';
import type { Registry } from '../registry.ts';
import type { Finding } from '../validate.ts';
import { wrongValue } from '../wrong-value.ts';
import { withCounterparts } from './counterparts.ts';
import { type ExportedNode, type LangflowExport, ONLY_OUTPUT, readLangflowExport } from './read-export.ts';

/** An imported flow and everything that could not be taken over. */
export interface LangflowImport {
  readonly flow: FlowDocument;
  /** One finding for each node, edge or value that has no counterpart. */
  readonly findings: readonly Finding[];
}

const NOTE_TYPES = new Set(['note', 'noteNode']);

/**
 * Makes a flow of an export of Langflow 1.x. Runs nothing and takes over no Python code.
 *
 * A component is matched by type or alias. Ids, positions, edges, values and notes are kept. A node without a counterpart
 * keeps its type, its edges and its original JSON, and is reported; a run leaves it out where it is only a tool, and else
 * refuses to start. Secrets are dropped; the name of a variable is kept.
 *
 * @throws FlowError `invalid_document` where the export cannot be read
 */
export function importLangflow(value: unknown, registry: Registry): LangflowImport {
  const renamed = withCounterparts(readLangflowExport(value), registry);
  const { exported } = renamed;
  const findings: Finding[] = [...renamed.findings];
  const toolSources = new Set(exported.edges.filter(({ isTool }) => isTool).map(({ from }) => from.node));
  const nodes: FlowNode[] = [];
  const notes: FlowNote[] = [];
  const taken = new Set<string>();
  for (const node of exported.nodes) {
    if (taken.has(node.id)) continue;
    taken.add(node.id);
    if (NOTE_TYPES.has(node.type)) notes.push(noteOf(node));
    else nodes.push(importNode(node, toolSources.has(node.id), registry, findings));
  }
  const flow: FlowDocument = {
    ...emptyFlow(exported.name),
    description: exported.description,
    nodes,
    notes,
    viewport: exported.viewport,
  };
  const edges = importEdges(exported, flow, registry, findings);
  return { flow: { ...flow, nodes: placed(exported, flow.nodes, edges), edges }, findings };
}

/** Columns for a flow that a program wrote without positions. */
function placed(exported: LangflowExport, nodes: readonly FlowNode[], edges: readonly FlowEdge[]): readonly FlowNode[] {
  if (exported.isPlaced) return nodes;
  const positions = layoutFlow({ nodes, edges });
  return nodes.map((node) => ({ ...node, position: positions[node.id] ?? node.position }));
}

function noteOf({ id, position, size, description, color }: ExportedNode): FlowNote {
  return { id, position, size, text: description, ...(color !== undefined && { color }) };
}

function importNode(exported: ExportedNode, isTool: boolean, registry: Registry, findings: Finding[]): FlowNode {
  const { id, type, displayName, position } = exported;
  const entry = registry.get(type) ?? (displayName === undefined ? undefined : registry.get(displayName));
  const toolMode = exported.toolMode || isTool;
  if (entry === undefined) {
    findings.push({
      severity: 'warning',
      code: 'unmapped',
      node: id,
      message: `${id} has the type '${type}', which this Croft does not have.`,
      fix: 'Replace the component. It keeps its connections until then.',
    });
    const name = displayName === undefined ? {} : { name: displayName };
    return { id, type, ...name, position, values: {}, ...(toolMode && { toolMode }), original: exported.original };
  }
  const { descriptor } = entry;
  if (exported.isEdited)
    findings.push({
      severity: 'warning',
      code: 'unmapped',
      node: id,
      message: `The Python code of ${id} was edited. Croft's own component takes its place.`,
      fix: 'Check what the edited code did, and write it as a TypeScript component where it matters.',
    });
  const node: FlowNode = {
    id,
    type: descriptor.type,
    ...(displayName !== undefined && displayName !== descriptor.label && { name: displayName }),
    position,
    values: importValues(exported, descriptor, findings),
    ...(toolMode && { toolMode }),
    ...(exported.frozen && { run: { frozen: true } }),
  };
  const { outputs } = portsOf(node, entry);
  const selected = exported.selectedOutput;
  const isSelectable = outputs.length > 1 && outputs.some(({ name }) => name === selected);
  return isSelectable ? { ...node, selectedOutput: selected } : node;
}

function importValues(exported: ExportedNode, descriptor: Descriptor, findings: Finding[]): Record<string, Json> {
  const values: Record<string, Json> = {};
  const drop = (field: Field, message: string, fix: string) =>
    findings.push({ severity: 'warning', code: 'wrong_value', node: exported.id, field: field.name, message, fix });
  for (const field of descriptor.fields) {
    const found = exported.fields[field.name];
    if (found === undefined || isEmpty(field, found.value) || isHidden(field, exported, descriptor)) continue;
    const what = `'${field.label}' of ${exported.id}`;
    if (field.kind === 'secret' ? !found.isVariable : found.isSecret) {
      drop(
        field,
        `${what} was a secret in the export and is left out.`,
        'Save it as a variable and choose the variable.',
      );
      continue;
    }
    const value = convertValue(field, found.value, exported);
    const wrong = wrongValue(field, value);
    if (wrong !== undefined) drop(field, `${what} ${wrong}; the exported value is left out.`, `Set '${field.name}'.`);
    else if (JSON.stringify(value) !== JSON.stringify(field.default)) values[field.name] = value;
  }
  return values;
}

/** Whether another value says that the field is not used. */
function isHidden({ showWhen }: Field, { fields }: ExportedNode, descriptor: Descriptor): boolean {
  if (showWhen === undefined) return false;
  const other = descriptor.fields.find(({ name }) => name === showWhen.field);
  const value = fields[showWhen.field]?.value ?? other?.default ?? null;
  return !showWhen.is.includes(value);
}

/** Langflow writes 0 where a limit is not set. */
const isEmpty = (field: Field, value: Json): boolean =>
  value === null ||
  value === '' ||
  (Array.isArray(value) && value.length === 0) ||
  (value === 0 && field.default === undefined && (field.min ?? 0) > 0);

/** The value in Croft's form. Langflow keeps whole numbers of some fields as text, and one file as a list. */
function convertValue(field: Field, value: Json, exported: ExportedNode): Json {
  const isNumber = field.kind === 'integer' || field.kind === 'number' || field.kind === 'slider';
  if (isNumber && typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value)))
    return Number(value);
  if (field.kind === 'text' && field.list !== true && Array.isArray(value) && value.every(isText))
    return value.join(', ');
  if (field.kind === 'file' && field.list !== true && Array.isArray(value) && value.length === 1)
    return value[0] as Json;
  const usesDoubleBraces =
    exported.fields['use_double_brackets']?.value === true || exported.fields['mode']?.value === 'mustache';
  return field.name === 'template' && usesDoubleBraces && typeof value === 'string' ? fromDoubleBraces(value) : value;
}

const isText = (value: Json): boolean => typeof value === 'string';

/** `{{name}}` becomes `{name}`, and a single brace becomes a literal one. */
function fromDoubleBraces(text: string): string {
  return text.replace(/\{\{\s*([A-Za-z_]\w*)\s*\}\}|\{|\}/g, (match, name: string | undefined) =>
    name === undefined ? `${match}${match}` : `{${name}}`,
  );
}

/** Keeps every edge between two nodes of the flow whose ports exist, or whose component has no counterpart. */
function importEdges(
  exported: LangflowExport,
  flow: FlowDocument,
  registry: Registry,
  findings: Finding[],
): readonly FlowEdge[] {
  const ports = new Map(
    flow.nodes.map((node) => {
      const entry = registry.get(node.type);
      return [node.id, entry && node.original === undefined ? portsOf(node, entry) : 'any'] as const;
    }),
  );
  const edges = new Map<string, FlowEdge>();
  for (const { from: end, to } of exported.edges) {
    const source = ports.get(end.node);
    const target = ports.get(to.node);
    if (source === undefined || target === undefined) continue;
    const isOnlyOutput = end.port === ONLY_OUTPUT && source !== 'any';
    const from = isOnlyOutput ? { ...end, port: source.outputs[0]?.name ?? end.port } : end;
    const hasOutput = source === 'any' || source.outputs.some(({ name }) => name === from.port);
    const hasInput =
      target === 'any' ||
      target.inputs.some(({ name }) => name === to.port) ||
      target.outputs.some(({ name, loop }) => name === to.port && loop === true);
    const edge = { from, to };
    if (hasOutput && hasInput) edges.set(edgeKey(edge), edge);
    else {
      const [node, port] = hasOutput ? [to.node, to.port] : [from.node, from.port];
      findings.push({
        severity: 'warning',
        code: 'unknown_port',
        node,
        field: port,
        message: `The edge ${from.node}.${from.port} -> ${to.node}.${to.port} is left out: ${node} has no port '${port}' in Croft.`,
        fix: 'Connect another port.',
      });
    }
  }
  return [...edges.values()];
}
