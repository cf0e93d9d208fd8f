import { isMap, parseDocument } from 'yaml';
import { type EntryPlace, isOurs, merged, RefusedConfig, unparsed } from './client-config.ts';
import { isObject, type JsonObject } from './edit-json.ts';

// Configurations in YAML (Goose). Comments stay; the library may write other blanks.

/** As in client-config.ts. @throws RefusedConfig */
export function withEntry(text: string, { container, name }: EntryPlace, entry: JsonObject): string {
  const document = read(text, container);
  const before = (document.toJS() as JsonObject | null)?.[container];
  const own = isObject(before) ? before[name] : undefined;
  if (own !== undefined && !isOurs(own))
    throw new RefusedConfig(`has a server "${name}" that croft setup did not write; choose another name with --name`);
  const wanted = merged(own, entry);
  if (own !== undefined && JSON.stringify(own) === JSON.stringify(wanted)) return text;
  // A key without a value has no mapping to add to.
  if (before === null) document.set(container, document.createNode({ [name]: wanted }));
  else document.setIn([container, name], document.createNode(wanted));
  return document.toString({ lineWidth: 0 });
}

/** As in client-config.ts. @throws RefusedConfig */
export function withoutEntry(text: string, { container, name }: EntryPlace, dropContainer: boolean): string {
  const document = read(text, container);
  const servers = (document.toJS() as JsonObject | null)?.[container];
  const own = isObject(servers) ? servers[name] : undefined;
  if (own === undefined) return text;
  if (!isOurs(own)) throw new RefusedConfig(`has a server "${name}" that croft setup did not write, so it stays`);
  document.deleteIn([container, name]);
  if (dropContainer && Object.keys(servers as JsonObject).length === 1) document.deleteIn([container]);
  return document.toString({ lineWidth: 0 });
}

/** As in client-config.ts. */
export function hasContainer(text: string, container: string): boolean | undefined {
  const document = parseDocument(text);
  return document.errors.length > 0 ? undefined : document.has(container);
}

function read(text: string, container: string) {
  const document = parseDocument(text);
  const [error] = document.errors;
  if (error) throw unparsed(`${error.message.split('\n', 1)[0]?.replace(/:$/, '')}`);
  const { contents } = document;
  if (contents !== null && !isMap(contents)) throw new RefusedConfig('does not hold a YAML mapping');
  const servers = isMap(contents) ? contents.get(container) : undefined;
  if (servers !== undefined && servers !== null && !isMap(servers))
    throw new RefusedConfig(`holds something else than a mapping under "${container}"`);
  return document;
}
