import { ModelError } from './errors.ts';
import { PROVIDERS, providerNamed } from './providers.ts';

/** A model by provider and name: what a flow stores as `[{"provider": "OpenAI", "name": "gpt-4o"}]`. */
export interface ModelRef {
  readonly provider: string;
  /** Empty for the provider's default. */
  readonly name: string;
}

const MAX_NESTING = 4;

/**
 * Reads a model from what documents and agents write: a list or object of provider and name, the same as JSON text,
 * `provider/name`, a provider alone, or a model name whose provider is known.
 *
 * @returns undefined where the value is empty: the caller uses its preferred model
 * @throws ModelError `unknown_model` for a provider or a name that no provider has
 */
export function readModelRef(value: unknown, nesting = 0): ModelRef | undefined {
  if (nesting > MAX_NESTING) throw unknown('the value is nested too deeply');
  if (value === undefined || value === null || value === '') return undefined;
  if (Array.isArray(value)) return readModelRef(value[0], nesting + 1);
  if (typeof value === 'string') return readText(value.trim(), nesting);
  if (typeof value !== 'object') throw unknown(JSON.stringify(value));
  const { provider, name } = value as { provider?: unknown; name?: unknown };
  // An agent may write the whole value, as JSON, into the name of its first element.
  if (typeof name === 'string' && /^\s*[[{]/.test(name)) return readModelRef(name, nesting + 1);
  if (typeof provider !== 'string' || provider === '' || provider === 'Unknown')
    return typeof name === 'string' ? readModelRef(name, nesting + 1) : undefined;
  const known = providerNamed(provider);
  if (known === undefined) throw unknown(provider);
  return { provider: known.name, name: typeof name === 'string' ? name.trim() : '' };
}

function readText(text: string, nesting: number): ModelRef | undefined {
  if (/^[[{]/.test(text)) return readModelRef(parsed(text), nesting + 1);
  const alone = providerNamed(text);
  if (alone !== undefined) return { provider: alone.name, name: '' };
  const slash = text.indexOf('/');
  const named = slash > 0 ? providerNamed(text.slice(0, slash)) : undefined;
  if (named !== undefined) return { provider: named.name, name: text.slice(slash + 1) };
  const lower = text.toLowerCase();
  const owner = PROVIDERS.find(({ models, owns }) => models.includes(lower) || owns?.test(lower) === true);
  if (owner === undefined) throw unknown(text);
  return { provider: owner.name, name: lower };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw unknown(text);
  }
}

const unknown = (what: string): ModelError =>
  new ModelError(
    'unknown_model',
    `There is no model '${what.slice(0, 100)}'.`,
    `Write provider/name with one of these providers: ${PROVIDERS.map(({ name }) => name).join(', ')}.`,
  );
