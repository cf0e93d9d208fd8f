import type { Component, Descriptor } from './component.ts';
import type { FlowNode } from './document.ts';
import { FlowError } from './errors.ts';

/** Components by type. Looks up aliases too. */
export interface Registry<Entry extends { readonly descriptor: Descriptor } = { readonly descriptor: Descriptor }> {
  /** In the order they were given. */
  readonly entries: readonly Entry[];
  get(type: string): Entry | undefined;
}

export type ComponentRegistry<Services> = Registry<Component<Services>>;

/**
 * A registry of these entries. Where two entries claim a type, the first one wins, and a type wins over an alias.
 */
export function createRegistry<Entry extends { readonly descriptor: Descriptor }>(
  entries: readonly Entry[],
): Registry<Entry> {
  const byName = new Map<string, Entry>();
  for (const entry of entries) if (!byName.has(entry.descriptor.type)) byName.set(entry.descriptor.type, entry);
  for (const entry of entries)
    for (const alias of entry.descriptor.aliases ?? []) if (!byName.has(alias)) byName.set(alias, entry);
  return { entries: [...new Set(byName.values())], get: (type) => byName.get(type) };
}

/** The name of a node that people see: its own, that of its component, or its type where the registry has none. */
export const nodeTitle = (
  { name, type }: Pick<FlowNode, 'name' | 'type'>,
  registry: { get(type: string): { readonly descriptor: Pick<Descriptor, 'label'> } | undefined },
): string => name ?? registry.get(type)?.descriptor.label ?? type;

/** The entry of a node's type. @throws FlowError where the registry has none */
export function requireEntry<Entry extends { readonly descriptor: Descriptor }>(
  registry: Registry<Entry>,
  node: FlowNode,
): Entry {
  const entry = registry.get(node.type);
  if (entry === undefined)
    throw new FlowError(
      'unknown_component',
      `Node '${node.id}' has the type '${node.type}', which this Croft does not have. Replace or remove the node.`,
      { node: node.id },
    );
  return entry;
}
