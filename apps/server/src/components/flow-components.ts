import {
  builtinRegistry,
  type CroftComponent,
  type FlowCode,
  type LeftOut,
  withFlowCode,
  withSpecCode,
  withStoredComponents,
} from '@croft/components';
import type { Edit, FlowDocument, FlowNode, Registry } from '@croft/flow';
import type { SkippedComponent, StoredComponent } from '@croft/workspace';
import type { UserComponents } from './user-components.ts';

/** The components of a user's flows. Nothing here runs code. */
export interface FlowComponents {
  readonly builtins: Registry<CroftComponent>;
  /** The built-in components and all of the user; a stored one that cannot be used is left out. */
  ofUser(userId: string): Promise<UserRegistry>;
  /**
   * Components for one flow, with the ports of its code, and what is wrong with that code. A node without code, whose type
   * is not built in, uses the stored component of this user.
   */
  forFlow(userId: string, flow: Pick<FlowDocument, 'nodes'>): Promise<FlowCode>;
  /** The built-in components and all of the user, with the ports of a flow's code: to add components to the flow. */
  forBuilding(userId: string, flow: Pick<FlowDocument, 'nodes'>): Promise<FlowCode>;
  /** Components for a flow in the text form, before it is built. */
  forText(userId: string, text: string): Promise<FlowCode>;
  /** Edits whose new nodes have the code of the user's stored components, where they have none. */
  fillEdits(userId: string, edits: readonly Edit[]): Promise<readonly Edit[]>;
  /** The same for the nodes of a document. */
  fillFlow<Flow extends { readonly nodes: readonly FlowNode[] }>(userId: string, flow: Flow): Promise<Flow>;
}

export interface UserRegistry {
  readonly registry: Registry<CroftComponent>;
  readonly leftOut: readonly LeftOut[];
  readonly skipped: readonly SkippedComponent[];
}

export function createFlowComponents({ list }: Pick<UserComponents, 'list'>): FlowComponents {
  const builtins = builtinRegistry();
  const isOpen = ({ type, code }: Pick<FlowNode, 'type' | 'code'>) =>
    code === undefined && builtins.get(type) === undefined;
  /** The stored components of these types. Reads no file where none can be. */
  const storedOf = async (userId: string, types: ReadonlySet<string>): Promise<StoredComponent[]> =>
    types.size === 0 ? [] : (await list(userId)).components.filter(({ className }) => types.has(className));
  const registryOf = async (userId: string, types: ReadonlySet<string>) => {
    const stored = await storedOf(userId, types);
    return stored.length === 0 ? builtins : (await withStoredComponents(builtins, stored, { user: userId })).registry;
  };
  const codesOf = async (userId: string, nodes: readonly FlowNode[]) => {
    const stored = await storedOf(userId, new Set(nodes.filter(isOpen).map(({ type }) => type)));
    return new Map(stored.map(({ className, code }) => [className, code]));
  };
  return {
    builtins,
    async ofUser(userId) {
      const { components, skipped } = await list(userId);
      return { ...(await withStoredComponents(builtins, components, { user: userId })), skipped };
    },
    async forFlow(userId, flow) {
      const types = new Set(flow.nodes.filter(isOpen).map(({ type }) => type));
      return withFlowCode(await registryOf(userId, types), flow, { user: userId });
    },
    async forBuilding(userId, flow) {
      const { components } = await list(userId);
      const { registry } =
        components.length === 0
          ? { registry: builtins }
          : await withStoredComponents(builtins, components, { user: userId });
      return withFlowCode(registry, flow, { user: userId });
    },
    async forText(userId, text) {
      const { components } = await list(userId);
      const named = new Set(components.map(({ className }) => className).filter((name) => text.includes(name)));
      return withSpecCode(await registryOf(userId, named), text, { user: userId });
    },
    async fillEdits(userId, edits) {
      const codes = await codesOf(userId, edits.flatMap(newNodes));
      return codes.size === 0 ? edits : edits.map((edit) => filledEdit(edit, codes));
    },
    async fillFlow(userId, flow) {
      const codes = await codesOf(userId, flow.nodes);
      return codes.size === 0 ? flow : { ...flow, nodes: flow.nodes.map((node) => filledNode(node, codes)) };
    },
  };
}

type Codes = ReadonlyMap<string, string>;

function newNodes(edit: Edit): readonly FlowNode[] {
  if (edit.kind === 'add_component') return [edit.node];
  if (edit.kind === 'batch') return edit.edits.flatMap(newNodes);
  return edit.kind === 'set_flow' ? nodesOf(edit.flow) : [];
}

/** The nodes of content that is checked only when it is applied. */
function nodesOf({ nodes }: { readonly nodes?: unknown }): readonly FlowNode[] {
  return Array.isArray(nodes) ? nodes.filter(isNode) : [];
}

const isNode = (value: unknown): value is FlowNode =>
  typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string';

function filledEdit(edit: Edit, codes: Codes): Edit {
  if (edit.kind === 'add_component') return { ...edit, node: filledNode(edit.node, codes) };
  if (edit.kind === 'batch') return { ...edit, edits: edit.edits.map((each) => filledEdit(each, codes)) };
  if (edit.kind !== 'set_flow' || nodesOf(edit.flow).length === 0) return edit;
  const nodes = edit.flow.nodes.map((node) => (isNode(node) ? filledNode(node, codes) : node));
  return { ...edit, flow: { ...edit.flow, nodes } };
}

function filledNode(node: FlowNode, codes: Codes): FlowNode {
  const code = node.code === undefined ? codes.get(node.type) : undefined;
  return code === undefined ? node : { ...node, code };
}
