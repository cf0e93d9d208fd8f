import type { Json } from '@croft/flow';

/** A provider and a model; both empty for the preferred model. */
export interface ModelName {
  readonly provider: string;
  /** Empty for the provider's default. */
  readonly name: string;
}

/**
 * Reads the forms in which documents have a model: `provider/name`, a provider alone, a known model alone, an object or a
 * list of provider and name. A value that cannot be read is shown as the provider, so that it stays visible.
 */
export function readModel(
  value: Json,
  providers: readonly { readonly name: string; readonly models: readonly string[] }[],
): ModelName {
  const first: unknown = Array.isArray(value) ? value[0] : value;
  if (first === null || first === undefined || first === '') return { provider: '', name: '' };
  const named = (text: string) => providers.find((each) => each.name.toLowerCase() === text.toLowerCase())?.name;
  if (typeof first === 'object') {
    const { provider, name } = first as { provider?: unknown; name?: unknown };
    const model = typeof name === 'string' ? name : '';
    if (typeof provider === 'string' && provider !== '') return { provider: named(provider) ?? provider, name: model };
    return readModel(model, providers);
  }
  const text = typeof first === 'string' ? first : JSON.stringify(first);
  const slash = text.indexOf('/');
  if (slash > 0) return { provider: named(text.slice(0, slash)) ?? text.slice(0, slash), name: text.slice(slash + 1) };
  const alone = named(text);
  if (alone !== undefined) return { provider: alone, name: '' };
  const owner = providers.find(({ models }) => models.includes(text));
  return owner ? { provider: owner.name, name: text } : { provider: text, name: '' };
}

/** The value that a flow stores. */
export const modelText = (provider: string, name: string): string => (name === '' ? provider : `${provider}/${name}`);

/** The embedder of an empty field. It belongs to no provider. */
export const LEXICAL_EMBEDDER = 'croft/lexical';

/** The providers that have embedding models, with these as their models. */
export const embeddingProviders = <
  Provider extends { readonly models: readonly string[]; readonly embeddingModels: readonly string[] | null },
>(
  providers: readonly Provider[],
): Provider[] =>
  providers.flatMap((each) => (each.embeddingModels === null ? [] : [{ ...each, models: each.embeddingModels }]));
