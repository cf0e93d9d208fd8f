import { expectValue, isObject, readConfig, RefusedConfig } from './client-config.ts';
import { removeProperty, setProperty } from './edit-json.ts';

const ENV = 'env';

/**
 * The text of an agent's settings with a variable for the programs that the agent starts. A value that a person chose stays:
 * then the text is returned as it was.
 *
 * @throws RefusedConfig when the text does not parse or is not of the expected shape
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

/** The text without that variable, where it has this value; without the list of variables too, where nothing else is in it. */
export function withoutVariable(text: string, name: string, value: string): string {
  const { bom, body, value: settings } = readConfig(text);
  const env = settings?.[ENV];
  if (!isObject(env) || env[name] !== value) return text;
  return bom + (Object.keys(env).length === 1 ? removeProperty(body, [], ENV) : removeProperty(body, [ENV], name));
}
