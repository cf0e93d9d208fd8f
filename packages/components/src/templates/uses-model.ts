import { buildFromSpec, type ComponentRegistry } from '@croft/flow';
import type { Services } from '../services.ts';
import type { Template } from './template.ts';
import { TEMPLATES } from './templates.ts';

/** Components whose only model is an embedder: templates embed with croft/lexical. */
const EMBEDS: ReadonlySet<string> = new Set(['EmbeddingModel', 'VectorStoreWrite', 'VectorSearch']);

/**
 * Whether a component of the template asks a language model. Follows `RunFlow` to the template that it runs, since its
 * own effects are those of every flow.
 */
export function usesModel(template: Pick<Template, 'spec'>, registry: ComponentRegistry<Services>): boolean {
  const built = buildFromSpec(template.spec, registry, (_type, id) => id);
  if ('error' in built) throw new Error(built.error);
  return built.flow.nodes.some(({ type, values }) => {
    if (EMBEDS.has(type)) return false;
    if (type !== 'RunFlow') return registry.get(type)?.descriptor.effects.includes('model') ?? false;
    const inner = TEMPLATES.find(({ name }) => name === values['flow_name_selected']);
    return inner !== undefined && usesModel(inner, registry);
  });
}
