import { type FlowDocument, nodeTitle } from '@croft/flow';
import type { ComponentsRegistry } from '../api/flows.ts';
import { fitsAddition } from './add-component.ts';
import type { Place } from './canvas-actions.ts';

/** The components that fit a place. */
export function componentsFor(flow: FlowDocument, registry: ComponentsRegistry, place: Place) {
  const all = registry.entries.map(({ descriptor }) => descriptor);
  if (!place.from && !place.to) return all;
  const fits = fitsAddition(flow, registry, place);
  return all.filter(({ type }) => fits(type));
}

/** A place in words. */
export function titleOf(flow: FlowDocument, registry: ComponentsRegistry, { from, to }: Place): string {
  const name = (id: string) => {
    const node = flow.nodes.find((each) => each.id === id);
    return node ? nodeTitle(node, registry) : id;
  };
  if (from && to) return `Insert between ${name(from.node)} and ${name(to.node)}`;
  if (from) return `Add after ${name(from.node)}`;
  return to ? `Add before ${name(to.node)}` : 'Add component';
}
