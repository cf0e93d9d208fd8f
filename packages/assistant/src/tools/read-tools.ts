import { EMPTY_CANVAS } from './offline-help.ts';
import {
  describeFlowIo,
  type FlowDocument,
  type FlowNode,
  type Registry,
  summariseFlow,
  validateFlow,
  nodeTitle,
} from '@croft/flow';
import { noComponent, type Refused } from '../component-values.ts';
import { hideSecrets, hideSecretsIn, REDACTED } from '../hide-secrets.ts';
import {
  type AssistantTool,
  failed,
  quotedList,
  textOf,
  textParameters,
  type ToolContext,
  type ToolData,
} from './assistant-tool.ts';

/** Names of fields whose values no model may see. */
const SECRET_FIELD =
  /(?:^|[_\W])(api_?key|password|secret|access_?key|private_?key|api_?token|access_?token)(?:$|[_\W])/i;
const MAX_SUMMARY = 2_000;

/** Tools that read the flow. */
export const READ_TOOLS: readonly AssistantTool[] = [
  {
    name: 'find_nodes',
    description:
      'Lists the components and connections of the flow, or those whose id, type, name or text contains a query.',
    parameters: textParameters({ 'query?': 'Words to look for.' }),
    label: () => 'Reading the flow',
    run: async (args, { working, turn }) => findNodes(await working.read(), turn, textOf(args, 'query')),
  },
  {
    name: 'get_field_value',
    description: 'Reads the values of a component, or one of them. Values of secret fields are not shown.',
    parameters: textParameters({ component_id: 'The id of the component.', 'field?': 'The name of a field.' }),
    label: (args) => `Reading ${textOf(args, 'component_id')}`,
    run: async (args, context) => getFieldValue(textOf(args, 'component_id'), textOf(args, 'field'), context),
  },
  {
    name: 'describe_flow_io',
    description: 'Says where the flow takes values in, where it gives results, and which components are tools.',
    parameters: textParameters({}),
    label: () => 'Reading inputs and outputs',
    async run(_, { working, turn }) {
      const flow = await working.read();
      if (flow.nodes.length === 0) return failed(EMPTY_CANVAS);
      const io = describeFlowIo(flow, turn.registry);
      const list = (parts: readonly { readonly id: string }[]) => parts.map(({ id }) => id).join(', ') || 'nothing';
      const summary = `The flow takes in: ${list(io.inputs)}. It gives: ${list(io.outputs)}. Tools: ${list(io.tools)}.`;
      return { ...io, summary };
    },
  },
  {
    name: 'validate_flow',
    description: 'Checks the flow without running it, and lists problems with component, field and a fix.',
    parameters: textParameters({}),
    label: () => 'Checking the flow',
    run: async (_, context) => checkFlow(await context.working.read(), context),
  },
];

/** Whether no model and no event may show the value of this field. */
export function isSecretField(registry: Registry, type: string, name: string): boolean {
  const fields = registry.get(type)?.descriptor.fields ?? [];
  return SECRET_FIELD.test(name) || fields.some((each) => each.name === name && each.kind === 'secret');
}

const MAX_PROBLEMS = 20;
const NO_FLOW =
  'The canvas is empty, so there is nothing to check. Describe a flow, for example: build a flow that lists all files in my folder. Or begin with a template.';

/** A text with the titles of components, which a person reads, in place of their ids. */
const titled = (text: string, { nodes }: FlowDocument, registry: Registry): string =>
  nodes.reduce((read, node) => read.replaceAll(node.id, nodeTitle(node, registry)), text);

/** Checks the flow and reports the result. */
export function checkFlow(flow: FlowDocument, { turn, emit }: Pick<ToolContext, 'turn' | 'emit'>): ToolData {
  if (flow.nodes.length === 0) return { text: NO_FLOW, summary: NO_FLOW, valid: false, problems: [] };
  const findings = validateFlow(flow, turn.registry);
  const errors = findings.filter(({ severity }) => severity === 'error').length;
  const shown = findings
    .slice(0, MAX_PROBLEMS)
    .map(({ message, fix }) => hideSecrets(`${message} ${fix}`, turn.secrets));
  emit({ event: 'validated', errors, warnings: findings.length - errors, problems: shown });
  const text =
    errors === 0
      ? 'The flow has no errors. This check did not run it.'
      : `The flow has ${errors} ${errors === 1 ? 'error' : 'errors'}.`;
  const summary = [text, ...shown.map((each) => `- ${titled(each, flow, turn.registry)}`)].join('\n');
  return { text, summary, valid: errors === 0, problems: shown };
}

function findNodes(flow: FlowDocument, { registry, secrets }: ToolContext['turn'], query: string): ToolData {
  if (query === '') return { text: summary(flow), count: flow.nodes.length };
  const wanted = query.toLowerCase();
  // Searches for a part of a secret would tell whether it is one.
  const shown = ({ type, values }: FlowNode) =>
    Object.entries(values).filter(([field]) => !isSecretField(registry, type, field));
  const text = (node: FlowNode) => {
    const values = JSON.stringify(hideSecretsIn(Object.fromEntries(shown(node)), secrets));
    return `${node.id} ${node.type} ${hideSecrets(node.name ?? '', secrets)} ${values}`.toLowerCase();
  };
  const nodes = flow.nodes.filter((node) => text(node).includes(wanted));
  const ids = new Set(nodes.map(({ id }) => id));
  const edges = flow.edges.filter(({ from, to }) => ids.has(from.node) || ids.has(to.node));
  return { text: summary({ ...flow, nodes, edges }), count: nodes.length };
}

/** The components and connections of a flow, cut at 2,000 characters. */
export function summary(flow: FlowDocument): string {
  const text = summariseFlow(flow);
  return text.length >= MAX_SUMMARY ? `${text.slice(0, MAX_SUMMARY)}\n... [truncated]` : text;
}

async function getFieldValue(id: string, field: string, { working, turn }: ToolContext): Promise<ToolData> {
  const read = fieldValues(await working.read(), turn, id, field);
  if ('error' in read) return failed(read.error);
  const values = 'fields' in read ? read.fields : { [read.field]: read.value };
  const lines = Object.entries(values).map(
    ([name, value]) => `- ${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  return { ...read, summary: lines.join('\n') };
}

/** The values of a component, or of one field. Secret ones are not shown. */
export function fieldValues(
  flow: FlowDocument,
  { registry, secrets }: { readonly registry: Registry; readonly secrets: ReadonlySet<string> },
  id: string,
  field = '',
):
  | { component_id: string; fields: Record<string, unknown> }
  | { component_id: string; field: string; value: unknown }
  | Refused {
  const node = flow.nodes.find((each) => each.id === id);
  if (node === undefined) return { error: noComponent(flow, id) };
  const descriptor = registry.get(node.type)?.descriptor;
  const isSecret = (name: string) => isSecretField(registry, node.type, name);
  const shown = (name: string): unknown => {
    const value = node.values[name] ?? descriptor?.fields.find((each) => each.name === name)?.default ?? null;
    if (value !== null && value !== '' && isSecret(name)) return REDACTED;
    return typeof value === 'string' ? hideSecrets(value, secrets) : value;
  };
  const names = [...new Set([...Object.keys(node.values), ...(descriptor?.fields.map(({ name }) => name) ?? [])])];
  if (field === '') return { component_id: id, fields: Object.fromEntries(names.map((name) => [name, shown(name)])) };
  if (!names.includes(field))
    return { error: `Field '${field.slice(0, 100)}' not found on '${id}'. Available: ${quotedList(names)}` };
  return { component_id: id, field, value: shown(field) };
}
