import { withBoundedReplies } from './bounded-replies.ts';
import { type EmbedRequest, type EmbedResult, embedTexts } from './embed.ts';
import { ModelError } from './errors.ts';
import { explainError, type FailureContext } from './explain-error.ts';
import { withFallback } from './fallback.ts';
import { listServedModels } from './list-models.ts';
import type { ModelRef } from './model-ref.ts';
import { isEnabled, type Provider, PROVIDERS, providerNamed, type Variables } from './providers.ts';
import type { ModelEvent, ModelRequest, ModelResult } from './request.ts';
import { withSilenceLimit } from './silence-limit.ts';
import { streamReply } from './stream.ts';
import { withoutRedirects } from './without-redirects.ts';

export interface ModelsOptions {
  /** The user's variables. The package never reads `process.env`. */
  readonly variables: Variables;
  /** Sends every request to providers. A server passes a fetch that refuses private addresses. */
  readonly fetch?: typeof globalThis.fetch;
  /** The model of requests that name none. */
  readonly preferred?: ModelRef | undefined;
  /** Attempts after the first one when a provider is rate-limited or has an error of its own; 2 unless given. */
  readonly retries?: number;
  /** Time in which a provider may send nothing before the request fails; 60 s unless given. */
  readonly silenceMs?: number;
}

/** A provider and whether this user can use it. */
export interface ProviderState {
  readonly name: string;
  readonly isEnabled: boolean;
  /** Variables that still need a value. */
  readonly missing: readonly string[];
  /** Variables without a value that some servers of this kind need, such as a key. */
  readonly optional: readonly string[];
  /** An address as people write it, where the provider is a program of their own. */
  readonly exampleUrl: string | undefined;
  /** Known models, the default first. Empty where the server lists what it has. */
  readonly models: readonly string[];
  /** Known embedding models, the default first; undefined where the provider has none. */
  readonly embeddingModels: readonly string[] | undefined;
}

/** The language models that one user can call. */
export interface Models {
  /** All providers in the order of preference. */
  readonly providers: readonly ProviderState[];
  /**
   * The model of requests that do not name one: the configured model, else the default of the first enabled provider.
   * `croft/offline` where no provider is enabled.
   */
  readonly preferred: ModelRef;
  /** Keys and passwords of the enabled providers: texts that no log and no event may show. */
  readonly secrets: readonly string[];
  /**
   * Asks a model. See {@link ModelRequest}.
   *
   * A model that is not available is replaced by the next one of the same provider. Other failures end the request.
   *
   * @throws ModelError
   */
  stream(request: ModelRequest): AsyncGenerator<ModelEvent, ModelResult, void>;
  /**
   * Turns texts into vectors. Does not replace the model: vectors of two models cannot be compared.
   *
   * @throws ModelError
   */
  embed(request: EmbedRequest): Promise<EmbedResult>;
}

const SILENCE_MS = 60_000;
const RETRIES = 2;

/** The models of a user with these variables. Contacts no provider and loads no SDK before the first request. */
export function createModels(options: ModelsOptions): Models {
  const { variables } = options;
  const fetch = withBoundedReplies(withoutRedirects(options.fetch ?? globalThis.fetch));
  const isUnset = (name: string) => (variables[name] ?? '').trim() === '';
  const enabled = PROVIDERS.filter((provider) => isEnabled(provider, variables));
  const preferred = options.preferred ?? { provider: (enabled[0] as Provider).name, name: '' };
  const settings = {
    variables,
    fetch,
    retries: options.retries ?? RETRIES,
    silenceMs: options.silenceMs ?? SILENCE_MS,
  };
  return {
    providers: PROVIDERS.map((provider) => ({
      name: provider.name,
      isEnabled: enabled.includes(provider),
      missing: provider.required.filter(isUnset),
      optional: provider.secret.filter((name) => !provider.required.includes(name) && isUnset(name)),
      exampleUrl: provider.exampleUrl,
      models: provider.models,
      embeddingModels: provider.embeddings?.models,
    })),
    preferred: { ...preferred, name: preferred.name || (providerNamed(preferred.provider)?.models[0] ?? '') },
    secrets: enabled.flatMap((provider) => contextOf(provider, variables).secrets),
    async embed(request) {
      const provider = enabledProvider(request.model, variables, 'croft/lexical');
      const context = contextOf(provider, variables);
      return embedTexts(provider, request, { ...settings, explain: (error) => explainError(error, context) });
    },
    stream: (request) => ask(request.model ?? preferred, request, settings),
  };
}

interface Settings {
  readonly variables: Variables;
  readonly fetch: typeof globalThis.fetch;
  readonly retries: number;
  readonly silenceMs: number;
}

async function* ask(
  ref: ModelRef,
  request: ModelRequest,
  { variables, fetch, retries, silenceMs }: Settings,
): AsyncGenerator<ModelEvent, ModelResult, void> {
  const provider = enabledProvider(ref, variables);
  const context = contextOf(provider, variables);
  const explain = (error: unknown) => explainError(error, context);
  const candidates = await candidatesOf(provider, ref.name, variables, fetch, request.signal).catch(
    (error: unknown) => {
      throw explain(error);
    },
  );
  const open = await provider.open(variables, fetch);
  const events: ModelEvent[] = [];
  const model = withFallback({
    provider: provider.name,
    candidates,
    open: (name) => withSilenceLimit(open(name), provider.name, silenceMs),
    onFallback: (fallback) => events.push({ kind: 'fallback', provider: provider.name, ...fallback }),
  });
  return yield* streamReply(request, {
    model,
    provider: provider.name,
    modelName: () => model.current(),
    pending: () => events.splice(0),
    explain,
    retries,
  });
}

function enabledProvider(ref: ModelRef, variables: Variables, keyless = 'croft/offline'): Provider {
  const provider = providerNamed(ref.provider);
  if (provider === undefined)
    throw new ModelError(
      'unknown_model',
      `There is no provider '${ref.provider.slice(0, 100)}'.`,
      `Use one of these: ${PROVIDERS.map(({ name }) => name).join(', ')}.`,
    );
  if (isEnabled(provider, variables)) return provider;
  throw new ModelError(
    'not_configured',
    `${provider.name} is not configured.`,
    `Set ${provider.required.join(' and ')}, or use ${keyless}, which needs no key.`,
  );
}

/** The model asked for, then the provider's others. A server that lists its models is asked. */
async function candidatesOf(
  provider: Provider,
  name: string,
  variables: Variables,
  fetch: typeof globalThis.fetch,
  signal: AbortSignal | undefined,
): Promise<readonly string[]> {
  if (provider.models.length > 0) return unique(name, provider.models);
  const base = variables[provider.baseUrl] ?? '';
  try {
    return unique(name, await listServedModels(provider, base, variables, { fetch, signal }));
  } catch (error) {
    // A server without a list can still answer for a name that the user gave.
    if (name !== '') return [name];
    throw error;
  }
}

const unique = (first: string, rest: readonly string[]): readonly string[] => [
  ...new Set(first === '' ? rest : [first, ...rest]),
];

function contextOf(provider: Provider, variables: Variables): FailureContext {
  const secrets = provider.secret.map((name) => (variables[name] ?? '').trim()).filter((each) => each !== '');
  return {
    provider: provider.name,
    variables: provider.secret,
    secrets: [...secrets, ...userInfo(variables[provider.baseUrl])],
  };
}

/** Name and password that an address carries. */
function userInfo(address: string | undefined): string[] {
  if (address === undefined || !URL.canParse(address)) return [];
  const { username, password } = new URL(address);
  return [username, password].filter((each) => each !== '');
}
