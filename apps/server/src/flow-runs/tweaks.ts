import { isOfAuthor, type Services } from '@croft/components';
import {
  type ComponentRegistry,
  describeFlowIo,
  type Field,
  type FlowDocument,
  type FlowNode,
  isShown,
  type Json,
  portsOf,
  wrongValue,
} from '@croft/flow';
import { problem } from '../routes/route.ts';

/** Values for exposed fields, by node id. */
export type Tweaks = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/**
 * The flow with other values in exposed fields: those that the inspector shows at once, and that have no connection. Only
 * the owner of a flow changes them for a run; a run of a shared flow uses it as it is stored.
 *
 * @throws Problem `forbidden` in a shared flow; `invalid` for another field or a wrong value. Both name the allowed fields
 */
export function tweakedFlow(
  flow: FlowDocument,
  registry: ComponentRegistry<Services>,
  tweaks: Tweaks,
  isOwner: boolean,
): FlowDocument {
  const wanted = new Map(Object.entries(tweaks).filter(([, fields]) => Object.keys(fields).length > 0));
  if (wanted.size === 0) return flow;
  if (!isOwner) refuseShared(flow, registry, wanted);
  const known = new Set(flow.nodes.map(({ id }) => id));
  for (const id of wanted.keys())
    if (!known.has(id)) throw problem('invalid', `tweaks: the flow has no component '${id.slice(0, 200)}'.`);
  const nodes = flow.nodes.map((node) => {
    const values = wanted.get(node.id);
    if (values === undefined) return node;
    const tweaked = { ...node, values: { ...node.values, ...(values as Record<string, Json>) } };
    checkFields(flow, registry, tweaked, values);
    return tweaked;
  });
  return { ...flow, nodes };
}

function checkFields(
  flow: FlowDocument,
  registry: ComponentRegistry<Services>,
  node: FlowNode,
  values: Readonly<Record<string, unknown>>,
): void {
  const component = registry.get(node.type);
  const fields = component === undefined ? [] : portsOf(node, component).fields;
  const connected = new Set(flow.edges.filter(({ to }) => to.node === node.id).map(({ to }) => to.port));
  const exposed = fields.filter(
    (field) =>
      field.advanced !== true &&
      !isOfAuthor(component?.descriptor.type ?? node.type, field) &&
      // The value of a handle comes from a connection.
      field.kind !== 'handle' &&
      !connected.has(field.name) &&
      isShown(field.showWhen, node, fields),
  );
  for (const [name, value] of Object.entries(values)) {
    const field = exposed.find((each) => each.name === name);
    const refuse = (what: string) => problem('invalid', `tweaks: '${name.slice(0, 200)}' of ${node.id} ${what}`);
    if (field === undefined) throw refuse(`is not an exposed field. Exposed are ${namesOf(exposed)}.`);
    const fault = wrongValue(field, value);
    if (fault !== undefined) throw refuse(`${fault}.`);
  }
}

const namesOf = (fields: readonly Field[]): string => fields.map(({ name }) => name).join(', ') || 'none';

function refuseShared(
  flow: FlowDocument,
  registry: ComponentRegistry<Services>,
  wanted: ReadonlyMap<string, Readonly<Record<string, unknown>>>,
): never {
  const [[id = '', fields = {}] = []] = wanted;
  const [name = ''] = Object.keys(fields);
  const allowed = describeFlowIo(flow, registry).inputs.map((each) => `${each.id}.${each.value_field}`);
  throw problem(
    'forbidden',
    `tweaks: '${name.slice(0, 200)}' of ${id.slice(0, 200)} cannot be changed, because the flow is shared with you. Use \`inputs\` for ${allowed.join(', ') || 'nothing: it has no inputs'}, or duplicate the flow.`,
  );
}
