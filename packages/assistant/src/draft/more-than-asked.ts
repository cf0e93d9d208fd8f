import type { Descriptor, FlowSpec, Registry } from '@croft/flow';
import { vocabularyOf } from './coverage.ts';
import { isMiddle, PATTERN_TYPE } from './from-components.ts';
import { onceFor } from './once-for.ts';
import type { RequestParts } from './request-parts.ts';
import { stemsOf } from './words.ts';

/** Whether a flow reaches the network, and a request says nothing of it: neither an address nor a word of the component. */
export function reachesMore({ nodes }: FlowSpec, { urls, words }: RequestParts, registry: Registry): boolean {
  if (urls.length > 0) return false;
  const all = nodes.flatMap(({ type }) => registry.get(type)?.descriptor ?? []);
  const isOutside = ({ effects, control }: Descriptor) =>
    control !== 'flow' && effects.some((effect) => effect.startsWith('network-'));
  const inside = new Set(all.filter((each) => !isOutside(each)).flatMap(namesOf));
  const outside = all
    .filter(isOutside)
    .flatMap(namesOf)
    .filter((word) => !inside.has(word));
  return all.some(isOutside) && !outside.some((word) => words.has(word));
}

/** Whether a flow has a step of which a request has no word. */
export const doesMore = ({ nodes }: FlowSpec, words: ReadonlySet<string>, registry: Registry): boolean =>
  nodes
    .flatMap(({ type }) => registry.get(type)?.descriptor ?? [])
    .some(
      (each) => each.type !== PATTERN_TYPE && isMiddle(each) && !vocabularyOf(each).some((word) => words.has(word)),
    );

/** Some words, and those that name the components of a flow. */
export const withComponents = (
  some: ReadonlySet<string>,
  { nodes }: FlowSpec,
  registry: Registry,
): ReadonlySet<string> =>
  new Set([...some, ...nodes.flatMap(({ type }) => registry.get(type)?.descriptor ?? []).flatMap(namesOf)]);

const namesOf = onceFor(({ label, type, keywords = [] }: Descriptor): readonly string[] =>
  [label, type, ...keywords].flatMap(stemsOf),
);
