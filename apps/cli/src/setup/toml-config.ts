import { type EntryPlace, RefusedConfig } from './client-config.ts';
import type { JsonObject } from './edit-json.ts';
import { assignment, readTables, type TomlTable } from './toml-tables.ts';

// Configurations in TOML (Codex). An entry is the table `[mcp_servers.NAME]` and its table `env`; every other byte stays.

/** As in client-config.ts. @throws RefusedConfig */
export function withEntry(text: string, place: EntryPlace, entry: JsonObject): string {
  const { own, env } = find(text, place);
  const lines = { command: assignment('command', entry.command), args: assignment('args', entry.args) };
  const variables = Object.entries((entry.env ?? {}) as JsonObject).map(([key, value]) => assignment(key, value));
  const path = `${place.container}.${place.name}`;
  const envTable = variables.length > 0 ? [`[${path}.env]`, ...variables].join('\n') : undefined;
  if (own === undefined) {
    const blank = text === '' || text.endsWith('\n\n') ? '' : text.endsWith('\n') ? '\n' : '\n\n';
    const table = [`[${path}]`, lines.command, lines.args].join('\n');
    return `${text}${blank}${[table, ...(envTable ? [envTable] : [])].join('\n\n')}\n`;
  }
  if (!isOwn(own))
    throw new RefusedConfig(
      `has a server "${place.name}" that croft setup did not write; choose another name with --name`,
    );
  let result = text;
  if (envTable !== undefined && env === undefined)
    result = `${result.slice(0, own.end)}${own.text.endsWith('\n') ? '' : '\n'}\n${envTable}\n${result.slice(own.end)}`;
  // Each edit moves the text after it, so the table is found again.
  const edit = (part: 'own' | 'env', line: string) => replaceLine(result, find(result, place)[part] as TomlTable, line);
  if (env) for (const line of variables) result = edit('env', line);
  for (const line of [lines.command, lines.args]) result = edit('own', line);
  return result;
}

/** As in client-config.ts. @throws RefusedConfig */
export function withoutEntry(text: string, place: EntryPlace): string {
  const { own, env } = find(text, place);
  if (own === undefined) return text;
  if (!isOwn(own)) throw new RefusedConfig(`has a server "${place.name}" that croft setup did not write, so it stays`);
  let result = text;
  for (const table of [env, own].filter((one) => one !== undefined).sort((one, other) => other.start - one.start))
    result = result.slice(0, table.start) + result.slice(table.end);
  return result.trim() === '' ? '' : result.replace(/\n{3,}$/, '\n').replace(/\n\n$/, '\n');
}

/** As in client-config.ts. */
export function hasContainer(text: string, container: string): boolean {
  return readTables(text).some(({ path }) => path[0] === container);
}

function find(text: string, { container, name }: EntryPlace): { own?: TomlTable; env?: TomlTable } {
  const tables = readTables(text);
  const at = (...path: string[]) => tables.find((table) => JSON.stringify(table.path) === JSON.stringify(path));
  const own = at(container, name);
  const env = at(container, name, 'env');
  const dotted = new RegExp(`^[ \\t]*"?${container}"?[ \\t]*[.=]`, 'm');
  const inside = new RegExp(`^[ \\t]*"?${name}"?[ \\t]*[.=]`, 'm');
  if (dotted.test(tables[0]?.text ?? '') || inside.test(at(container)?.body ?? ''))
    throw new RefusedConfig(`writes "${container}" in a form that croft setup does not edit; add the entry by hand`);
  return { ...(own && { own }), ...(env && { env }) };
}

/** Whether croft setup wrote this table: it starts `croft mcp`. */
function isOwn({ text }: TomlTable): boolean {
  return /croft(\.cjs|\.cmd|@[\w.+-]+)?["']\s*,\s*["']mcp["']/.test(text);
}

/** Replaces an assignment of a table, or adds it at the end of the table. */
function replaceLine(text: string, table: TomlTable, line: string): string {
  const key = line.slice(0, line.indexOf(' ='));
  const found = new RegExp(`^[ \\t]*${key}[ \\t]*=.*$`, 'm').exec(table.text);
  if (found === null) {
    const body = table.text.trimEnd();
    return `${text.slice(0, table.start + body.length)}\n${line}${text.slice(table.start + body.length)}`;
  }
  if (/=\s*\[[^\]]*$/.test(found[0])) throw new RefusedConfig(`has "${key}" on several lines; write it on one`);
  const start = table.start + found.index;
  return text.slice(0, start) + line + text.slice(start + found[0].length);
}
