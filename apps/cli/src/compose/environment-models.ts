import { createModels, detectOllama, ModelError, type Models, readModelRef } from '@croft/models';
import { UsageError } from '../usage-error.ts';
import { modelFetch } from './run-network.ts';

/**
 * The models of the keys in the environment; `croft/offline` if there is none. Looks for Ollama on loopback unless
 * `OLLAMA_BASE_URL` is set; an empty value turns that off.
 *
 * @throws ModelError `unknown_model` if `preferred` does not name a model
 */
export async function environmentModels(preferred: string | undefined): Promise<Models> {
  const ollama = process.env['OLLAMA_BASE_URL'] ?? (await detectOllama());
  const variables = { ...process.env, ...(ollama !== undefined && { OLLAMA_BASE_URL: ollama }) };
  const fetch = modelFetch();
  return createModels({ variables, preferred: readModelRef(preferred), ...(fetch && { fetch }) });
}

/** The same models, each request to the preferred one, also where a component names another. */
export const withOneModel = (models: Models): Models => ({
  ...models,
  stream: (request) => models.stream({ ...request, model: undefined }),
});

/** {@link environmentModels} for the flag `--model`. @throws UsageError where it names no model */
export async function chosenModels(flag: string | undefined): Promise<Models> {
  try {
    return await environmentModels(flag);
  } catch (error) {
    if (error instanceof ModelError) throw new UsageError(`--model: ${error.message} ${error.fix}`);
    throw error;
  }
}
