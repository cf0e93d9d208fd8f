import { expectValue, readConfig, RefusedConfig } from './client-config.ts';
import { isObject, removeProperty, setProperty } from './edit-json.ts';

const ENV = 'env';

/**
 * Adds a variable for the programs that an agent starts to the text of its settings. Keeps a value that the user chose, and
 * then returns the same text.
 *
 * @throws RefusedConfig if the text does not parse or does not have the expected shape
 */
export function withVariable(text: string, name: string, value: string): string {
  const { bom, body, value: settings = {} } = readConfig(text);
  const env = settings[ENV];
  if (env !== undefined && !isObject(env))
    throw new RefusedConfig(`holds something else than an object under "${ENV}"`);
  if (env !== undefined && Object.hasOwn(env, name)) return text;
  const result = env ? setProperty(body, [ENV], name, value) : setProperty(body, [], ENV, { [name]: value });
  expectValue(result, { ...settings, [ENV]: { ...env, [name]: value } });
  return bom + result;
}

/** Removes the variable if it has this value, and the object of variables if it becomes empty. */
export function withoutVariable(text: string, name: string, value: string): string {
  const { bom, body, value: settings } = readConfig(text);
  const env = settings?.[ENV];
  if (!isObject(env) || env[name] !== value) return text;
  return bom + (Object.keys(env).length === 1 ? removeProperty(body, [], ENV) : removeProperty(body, [ENV], name));
}
