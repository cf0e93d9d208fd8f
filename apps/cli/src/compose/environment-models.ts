import { createModels, detectOllama, type Models, readModelRef } from '@croft/models';

/**
 * The models of the keys in the environment; `croft/offline` if there is none. Looks for Ollama on loopback unless
 * `OLLAMA_BASE_URL` is set; an empty value turns that off.
 *
 * @throws ModelError `unknown_model` if `preferred` does not name a model
 */
export async function environmentModels(preferred: string | undefined): Promise<Models> {
  const ollama = process.env['OLLAMA_BASE_URL'] ?? (await detectOllama());
  const variables = { ...process.env, ...(ollama !== undefined && { OLLAMA_BASE_URL: ollama }) };
  return createModels({ variables, preferred: readModelRef(preferred) });
}
