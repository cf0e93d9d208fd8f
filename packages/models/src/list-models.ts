import { ModelError } from './errors.ts';
import { limitedSignal } from './limited-signal.ts';
import type { Provider, Variables } from './providers.ts';

/** Where Ollama listens unless it is configured. */
const OLLAMA_URL = 'http://127.0.0.1:11434';
const DETECT_MS = 300;
const LIST_MS = 10_000;
const MAX_MODELS = 1_000;
const MAX_NAME = 256;

interface ListOptions {
  readonly fetch: typeof globalThis.fetch;
  readonly signal?: AbortSignal | undefined;
}

/**
 * The models of a server that lists them at `/models`, as Ollama and other OpenAI-compatible servers do. Models that run
 * in Ollama's cloud come after the others, because they need an account; models for embeddings come last, because they
 * do not chat.
 *
 * @throws ModelError `bad_reply` where the server has no model or its list is not valid; the error of fetch
 */
export async function listServedModels(
  provider: Provider,
  baseUrl: string,
  variables: Variables,
  { fetch, signal }: ListOptions,
): Promise<readonly string[]> {
  const trimmed = baseUrl.replace(/\/+$/, '');
  const root = provider.name === 'Ollama' && !trimmed.endsWith('/v1') ? `${trimmed}/v1` : trimmed;
  const [key] = provider.secret.map((name) => variables[name]).filter((value) => value !== undefined && value !== '');
  const response = await fetch(`${root}/models`, {
    signal: limitedSignal(signal, LIST_MS),
    headers: key === undefined ? {} : { authorization: `Bearer ${key}` },
  });
  if (!response.ok) {
    await response.body?.cancel();
    throw Object.assign(new Error(`The list of models has status ${response.status}.`), {
      statusCode: response.status,
    });
  }
  const list: unknown = await response.json().catch((error: unknown) => {
    // An answer that is not JSON lists nothing. Other errors say why it did not arrive.
    if (error instanceof SyntaxError) return undefined;
    throw error;
  });
  const names = idsIn(list);
  if (names.length > 0) return names.sort((a, b) => rankOf(a) - rankOf(b));
  throw new ModelError(
    'bad_reply',
    `${provider.name}: The server lists no models.`,
    provider.name === 'Ollama' ? 'Install one with: ollama pull MODEL.' : 'Name a model: provider/name.',
  );
}

function idsIn(list: unknown): string[] {
  const { data } = (list ?? {}) as { data?: unknown };
  if (!Array.isArray(data)) return [];
  return data.slice(0, MAX_MODELS).flatMap((each: unknown) => {
    const { id } = (each ?? {}) as { id?: unknown };
    return typeof id === 'string' && id !== '' && id.length <= MAX_NAME ? [id] : [];
  });
}

const rankOf = (name: string): number => (/embed/i.test(name) ? 2 : /[:-]cloud$/.test(name) ? 1 : 0);

/**
 * The address of an Ollama server with at least one model on loopback, for `OLLAMA_BASE_URL`; undefined where none
 * answers within 300 ms. Asks only `url`, and sends nothing but the request.
 */
export async function detectOllama(url: string = OLLAMA_URL, fetch = globalThis.fetch): Promise<string | undefined> {
  try {
    const response = await fetch(`${url}/api/tags`, { signal: AbortSignal.timeout(DETECT_MS), redirect: 'manual' });
    const { models } = (response.ok ? await response.json() : {}) as { models?: unknown };
    return Array.isArray(models) && models.length > 0 ? url : undefined;
  } catch {
    return undefined;
  }
}
