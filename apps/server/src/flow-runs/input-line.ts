import type { Services } from '@croft/components';
import {
  type ComponentRegistry,
  describeFlowIo,
  type FlowDocument,
  type FlowNode,
  portsOf,
  previewOf,
  shortLine,
} from '@croft/flow';

const MAX_CHARS = 160;
/** Fields of one component: a request to a webhook has its headers last. */
const MAX_FIELDS = 3;
/** Not what a run is about. */
const LEFT_OUT: ReadonlySet<string> = new Set(['session_id']);

type Inputs = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/**
 * The input of a run as lists show it: one line of at most 160 characters, without secrets. Empty for a flow without input.
 * Reads at most 2,000 characters of a value.
 */
export function inputLine(
  flow: FlowDocument,
  registry: Pick<ComponentRegistry<Services>, 'get'>,
  inputs: Inputs,
  secrets: ReadonlySet<string>,
): string {
  const parts: string[] = [];
  const nodes = new Map(flow.nodes.map((node) => [node.id, node]));
  let room = MAX_CHARS;
  for (const { id, value_field } of describeFlowIo(flow, registry as ComponentRegistry<Services>).inputs) {
    const node = nodes.get(id);
    if (node === undefined || room <= 0) continue;
    for (const value of valuesOf(node, value_field, registry, inputs[id], secrets)) {
      parts.push(value);
      room -= value.length;
    }
  }
  return shortLine(parts.join(' · '), MAX_CHARS);
}

/** The values that the run gives a component; without them, what the flow's input has. */
function valuesOf(
  node: FlowNode,
  field: string,
  registry: Pick<ComponentRegistry<Services>, 'get'>,
  inputs: Inputs[string] = {},
  secrets: ReadonlySet<string>,
): readonly string[] {
  const entry = registry.get(node.type);
  const fields = entry === undefined ? [] : portsOf(node, entry).fields;
  const isSecret = (name: string) => fields.find((each) => each.name === name)?.kind === 'secret';
  const given = Object.keys(inputs).filter((name) => !LEFT_OUT.has(name) && !isSecret(name));
  const own = entry?.descriptor.boundary === 'input' ? [field] : [];
  const names = given.includes(field) ? [field] : given.length > 0 ? given.slice(0, MAX_FIELDS) : own;
  return names.flatMap((name) => {
    const value = Object.hasOwn(inputs, name) ? inputs[name] : node.values[name];
    const shown = (previewOf({ [name]: value }, secrets) as Record<string, unknown>)[name];
    const text = typeof shown === 'string' ? shown : JSON.stringify(shown ?? '');
    const line = text.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim();
    return line === '' || line === '""' || line === '{}' ? [] : [line];
  });
}
