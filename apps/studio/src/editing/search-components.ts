import { type Descriptor, portTypeOf } from '@croft/flow';
import { TYPE_WORDS } from './explain-wire.ts';
import { SEARCH_WORDS } from './search-words.ts';

/** Components of one category, in the order of the registry. */
export interface Category {
  readonly name: string;
  readonly components: readonly Descriptor[];
}

/**
 * The components that fit a search, the best first: by name, then by keyword or the words of other tools, then by
 * purpose, then by the types of their ports. Every word must be found. An empty search finds all.
 */
export function searchComponents(components: readonly Descriptor[], search: string): readonly Descriptor[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const scored = components.flatMap((component, index) => {
    const scores = words.map((word) => scoreOf(component, word));
    return scores.includes(0) ? [] : [{ component, index, score: scores.reduce((sum, score) => sum + score, 0) }];
  });
  scored.sort((one, other) => other.score - one.score || one.index - other.index);
  return scored.map(({ component }) => component);
}

/** The components by category. */
export function categoriesOf(components: readonly Descriptor[]): readonly Category[] {
  const byName = new Map<string, Descriptor[]>();
  for (const component of components) {
    const list = byName.get(component.category);
    if (list) list.push(component);
    else byName.set(component.category, [component]);
  }
  return [...byName].map(([name, list]) => ({ name, components: list }));
}

/** A short word, such as "if", is a part of many others, so only the beginning of a word fits it. */
const hasPart = (text: string, word: string): boolean =>
  word.length < 3 ? ` ${text}`.includes(` ${word}`) : text.includes(word);

function scoreOf(
  { label, type, description, keywords = [], aliases = [], category, fields, outputs }: Descriptor,
  word: string,
): number {
  const name = label.toLowerCase();
  if (name === word) return 12;
  if (name.startsWith(word)) return 10;
  if (name.includes(` ${word}`)) return 8;
  if (hasPart(name, word) || hasPart(type.toLowerCase(), word)) return 6;
  if ([...keywords, ...aliases].some((each) => each.toLowerCase().startsWith(word))) return 5;
  if (SEARCH_WORDS[type]?.some((each) => each.startsWith(word))) return 4;
  if (hasPart(`${description} ${category}`.toLowerCase(), word)) return 3;
  const types = [...fields.flatMap(({ accepts = [] }) => accepts), ...outputs.flatMap((output) => output.types)];
  const isType = types.some(
    (each) => each.toLowerCase() === word || TYPE_WORDS[each].startsWith(word) || portTypeOf(word) === each,
  );
  return isType ? 1 : 0;
}
