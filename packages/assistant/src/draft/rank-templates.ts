import { type FlowSpec, parseSpec, type Registry } from '@croft/flow';
import type { FlowTemplate } from '../turn.ts';
import { chosenIn, vocabularyOf } from './coverage.ts';
import type { RequestParts } from './request-parts.ts';
import { onceFor } from './once-for.ts';
import { stemsOf } from './words.ts';

const MAX_OFFERED = 3;
/** Weights of a word of the template's name and description, and of one that only its components say. */
const OWN = 2;
const OF_COMPONENTS = 1;

/** Name and description of a template. */
export const aboutTemplate = ({ name, description }: FlowTemplate): string =>
  `${name.replace(/-/g, ' ')} ${description}`;

/** The flow of a template. */
export const specOf = onceFor(({ spec }: FlowTemplate): FlowSpec => parseSpec(spec));

/** The words that a template says about itself: name, description, and the short values of its flow. */
export const wordsOfTemplate = (template: FlowTemplate, registry: Registry): ReadonlySet<string> =>
  new Set([...stemsOf(aboutTemplate(template)), ...chosenIn(specOf(template), registry)]);

/** Templates by the words that they share with a request, best first. A word that few templates have counts more. */
export function rankTemplates(
  { words, urls, paths, targets }: Pick<RequestParts, 'words' | 'urls' | 'paths' | 'targets'>,
  templates: readonly FlowTemplate[],
  registry: Registry,
): readonly FlowTemplate[] {
  const asked = new Set([
    ...words,
    ...(urls.length > 0 ? stemsOf('web page') : []),
    ...(paths.length + targets.length > 0 ? stemsOf('file') : []),
    ...[...paths, ...targets].flatMap((path) => stemsOf(path)),
  ]);
  const known = templates.map((template) => ({
    template,
    own: wordsOfTemplate(template, registry),
    components: new Set(
      specOf(template).nodes.flatMap(({ type }) => {
        const descriptor = registry.get(type)?.descriptor;
        return descriptor === undefined || descriptor.boundary !== undefined ? [] : vocabularyOf(descriptor);
      }),
    ),
  }));
  const rarity = (word: string) =>
    Math.log(1 + templates.length / Math.max(1, known.filter(({ own }) => own.has(word)).length));
  const scored = known.map(({ template, own, components }) => ({
    template,
    shared: [...asked].filter((word) => own.has(word)).length,
    score: [...asked].reduce(
      (sum, word) => sum + rarity(word) * (own.has(word) ? OWN : components.has(word) ? OF_COMPONENTS : 0),
      0,
    ),
  }));
  const found = scored.filter(({ shared }) => shared > 0).sort((one, other) => other.score - one.score);
  const best = found[0]?.score ?? 0;
  return found
    .filter(({ score }) => score > best / 2)
    .slice(0, MAX_OFFERED)
    .map(({ template }) => template);
}
