import type { EmbeddingModelV3, LanguageModelV3 } from '@ai-sdk/provider';

/** Values of configuration by name, such as `OPENAI_API_KEY`. The caller reads them from where it keeps them. */
export type Variables = Readonly<Record<string, string | undefined>>;

/** A company or program that serves models. */
export interface Provider {
  readonly name: string;
  /** Other spellings in documents, in lower case. */
  readonly aliases: readonly string[];
  /** The provider is enabled when all of these have a value. */
  readonly required: readonly string[];
  /** Changes the provider's address where it has a value. */
  readonly baseUrl: string;
  /** An address as people write it, where the provider is a program of their own. */
  readonly exampleUrl?: string;
  /** Variables whose values no error may show. */
  readonly secret: readonly string[];
  /** Models in the order to try. Empty where the server lists what it has. */
  readonly models: readonly string[];
  /** Recognises names of models that are not in the list. */
  readonly owns?: RegExp;
  /** Opens models. Loads the provider's SDK. */
  open(variables: Variables, fetch: typeof globalThis.fetch): Promise<(name: string) => LanguageModelV3>;
  /** Absent where the provider has none. */
  readonly embeddings?: {
    /** Known embedding models, the default first. */
    readonly models: readonly string[];
    open(variables: Variables, fetch: typeof globalThis.fetch): Promise<(name: string) => EmbeddingModelV3>;
  };
}

const OPENAI_URL = 'https://api.openai.com/v1';
const ANTHROPIC_URL = 'https://api.anthropic.com';
const GOOGLE_URL = 'https://generativelanguage.googleapis.com';
const GROQ_URL = 'https://api.groq.com';

/** A configured address with the API's path. The official clients of some providers leave the path out, others have it. */
function withPath(url: string, path: string): string {
  const trimmed = url.replace(/\/+$/, '');
  return /\/v1(beta)?$/.test(trimmed) ? trimmed : `${trimmed}${path}`;
}

/**
 * Every address and key is given, because the SDKs read `process.env` for what is missing. `headers` that the caller does
 * not set stay unset.
 */
async function openCompatible(
  name: string,
  baseURL: string,
  apiKey: string | undefined,
  fetch: typeof globalThis.fetch,
): Promise<Opened> {
  const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
  const provider = createOpenAICompatible({
    name,
    baseURL,
    fetch,
    includeUsage: true,
    supportsStructuredOutputs: true,
    ...(apiKey !== undefined && apiKey !== '' && { apiKey }),
  });
  return { language: (model) => provider.chatModel(model), embedding: (model) => provider.embeddingModel(model) };
}

/** Opens models by their names. */
interface Opened {
  readonly language: (name: string) => LanguageModelV3;
  readonly embedding: (name: string) => EmbeddingModelV3;
}

type Open = (variables: Variables, fetch: typeof globalThis.fetch) => Promise<Opened>;

/** The same way to a provider for both kinds of models. */
const opened = (open: Open, models: readonly string[]): Pick<Provider, 'open' | 'embeddings'> => ({
  open: async (variables, fetch) => (await open(variables, fetch)).language,
  embeddings: { models, open: async (variables, fetch) => (await open(variables, fetch)).embedding },
});

const anthropic: Provider = {
  name: 'Anthropic',
  aliases: ['claude'],
  required: ['ANTHROPIC_API_KEY'],
  baseUrl: 'ANTHROPIC_BASE_URL',
  secret: ['ANTHROPIC_API_KEY'],
  models: ['claude-opus-4-6', 'claude-sonnet-4-6', 'claude-opus-4-5-20251101'],
  owns: /^claude-/,
  async open(variables, fetch) {
    const { createAnthropic } = await import('@ai-sdk/anthropic');
    const provider = createAnthropic({
      apiKey: variables['ANTHROPIC_API_KEY'] ?? '',
      baseURL: withPath(variables['ANTHROPIC_BASE_URL'] || ANTHROPIC_URL, '/v1'),
      fetch,
    });
    return (model) => provider(model);
  },
};

const openai: Provider = {
  name: 'OpenAI',
  aliases: [],
  required: ['OPENAI_API_KEY'],
  baseUrl: 'OPENAI_BASE_URL',
  secret: ['OPENAI_API_KEY'],
  models: ['gpt-5.4', 'gpt-5.2', 'gpt-5.1', 'gpt-5', 'gpt-4o', 'gpt-4o-mini'],
  owns: /^(gpt-|chatgpt-|o\d)/,
  ...opened(
    async (variables, fetch) => {
      const { createOpenAI } = await import('@ai-sdk/openai');
      const provider = createOpenAI({
        apiKey: variables['OPENAI_API_KEY'] ?? '',
        baseURL: variables['OPENAI_BASE_URL'] || OPENAI_URL,
        fetch,
      });
      return { language: (model) => provider(model), embedding: (model) => provider.embeddingModel(model) };
    },
    ['text-embedding-3-small', 'text-embedding-3-large', 'text-embedding-ada-002'],
  ),
};

const google: Provider = {
  name: 'Google Generative AI',
  aliases: ['google', 'gemini'],
  required: ['GOOGLE_GENERATIVE_AI_API_KEY'],
  baseUrl: 'GOOGLE_GEMINI_BASE_URL',
  secret: ['GOOGLE_GENERATIVE_AI_API_KEY'],
  models: ['gemini-2.5-pro', 'gemini-1.5-pro'],
  owns: /^gemini-/,
  ...opened(
    async (variables, fetch) => {
      const { createGoogleGenerativeAI } = await import('@ai-sdk/google');
      const provider = createGoogleGenerativeAI({
        apiKey: variables['GOOGLE_GENERATIVE_AI_API_KEY'] ?? '',
        baseURL: withPath(variables['GOOGLE_GEMINI_BASE_URL'] || GOOGLE_URL, '/v1beta'),
        fetch,
      });
      return { language: (model) => provider(model), embedding: (model) => provider.embeddingModel(model) };
    },
    ['gemini-embedding-001'],
  ),
};

/** Groq's API is OpenAI's chat API, so it needs no SDK of its own. */
const groq: Provider = {
  name: 'Groq',
  aliases: [],
  required: ['GROQ_API_KEY'],
  baseUrl: 'GROQ_BASE_URL',
  secret: ['GROQ_API_KEY'],
  models: ['llama-3.3-70b-versatile', 'openai/gpt-oss-120b', 'llama-3.1-8b-instant'],
  async open(variables, fetch) {
    const url = withPath(variables['GROQ_BASE_URL'] || GROQ_URL, '/openai/v1');
    return (await openCompatible('groq', url, variables['GROQ_API_KEY'], fetch)).language;
  },
};

const ollama: Provider = {
  name: 'Ollama',
  aliases: [],
  required: ['OLLAMA_BASE_URL'],
  baseUrl: 'OLLAMA_BASE_URL',
  exampleUrl: 'http://127.0.0.1:11434',
  secret: [],
  models: [],
  ...opened(
    (variables, fetch) =>
      openCompatible('ollama', withPath(variables['OLLAMA_BASE_URL'] ?? '', '/v1'), undefined, fetch),
    ['nomic-embed-text'],
  ),
};

const compatible: Provider = {
  name: 'OpenAI compatible',
  aliases: ['openai-compatible', 'openai_compatible', 'compatible'],
  required: ['OPENAI_COMPATIBLE_BASE_URL'],
  baseUrl: 'OPENAI_COMPATIBLE_BASE_URL',
  exampleUrl: 'http://127.0.0.1:1234/v1',
  secret: ['OPENAI_COMPATIBLE_API_KEY'],
  models: [],
  ...opened(
    (variables, fetch) =>
      openCompatible(
        'openai-compatible',
        (variables['OPENAI_COMPATIBLE_BASE_URL'] ?? '').replace(/\/+$/, ''),
        variables['OPENAI_COMPATIBLE_API_KEY'],
        fetch,
      ),
    [],
  ),
};

/** The model that needs no key. */
const croft: Provider = {
  name: 'croft',
  aliases: [],
  required: [],
  baseUrl: '',
  secret: [],
  models: ['offline'],
  async open() {
    const { offlineModel } = await import('./offline/offline-model.ts');
    return () => offlineModel();
  },
};

/** Every provider, in the order in which an enabled one is preferred. */
export const PROVIDERS: readonly Provider[] = [anthropic, openai, google, groq, ollama, compatible, croft];

/** Whether every variable that the provider requires has a value. */
export const isEnabled = (provider: Provider, variables: Variables): boolean =>
  provider.required.every((name) => (variables[name] ?? '').trim() !== '');

/** The provider of that name or alias, in any case. */
export function providerNamed(name: string): Provider | undefined {
  const wanted = name.trim().toLowerCase();
  return PROVIDERS.find((each) => each.name.toLowerCase() === wanted || each.aliases.includes(wanted));
}
