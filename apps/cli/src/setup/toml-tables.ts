import { unparsed } from './client-config.ts';

/** One table of a TOML text: from its header to the next one. The first table has no header. */
export interface TomlTable {
  /** Names in the header: `[a."b.c"]` is `['a', 'b.c']`. */
  readonly path: readonly string[];
  readonly start: number;
  readonly end: number;
  /** With the header. */
  readonly text: string;
  /** Without the header. */
  readonly body: string;
}

/**
 * Cuts a TOML text into its tables. Reads only what that needs: comments, strings of all four kinds, and headers. Arrays of
 * tables (`[[x]]`) have the path of their name.
 *
 * @throws RefusedConfig if a string does not end
 */
export function readTables(text: string): TomlTable[] {
  const headers: { at: number; path: readonly string[] }[] = [{ at: 0, path: [] }];
  let depth = 0;
  for (let at = 0; at < text.length; ) {
    const rest = text.slice(at);
    const isLineStart = /(^|\n)[ \t]*$/.test(text.slice(Math.max(0, at - 200), at));
    const header = depth === 0 && isLineStart ? /^\[\[?([^\]\n]+)\]\]?/.exec(rest) : null;
    if (header) {
      headers.push({ at, path: pathOf(header[1] as string) });
      at += header[0].length;
      continue;
    }
    const skipped = /^(?:#[^\n]*|"""[\s\S]*?(?<!\\)"""|'''[\s\S]*?'''|"(?:[^"\\\n]|\\.)*"|'[^'\n]*')/.exec(rest)?.[0];
    if (skipped === undefined && /^["']/.test(rest)) throw unparsed('a string does not end');
    // Brackets of a value that goes over several lines.
    if (rest.startsWith('[')) depth++;
    if (rest.startsWith(']')) depth = Math.max(0, depth - 1);
    at += skipped?.length ?? 1;
  }
  return headers.map(({ at, path }, index) => {
    const end = headers[index + 1]?.at ?? text.length;
    const own = text.slice(at, end);
    const firstLine = own.indexOf('\n');
    const body = path.length === 0 ? own : firstLine === -1 ? '' : own.slice(firstLine);
    return { path, start: at, end, text: own, body };
  });
}

function pathOf(header: string): string[] {
  return [...header.matchAll(/"([^"]*)"|'([^']*)'|([\w-]+)/g)].map(([, one, two, three]) => one ?? two ?? three ?? '');
}

/** `key = value` for texts and lists of texts. Strings of JSON are basic strings of TOML; DEL needs an escape there. */
export function assignment(key: string, value: unknown): string {
  const quote = (one: unknown): string => JSON.stringify(String(one)).replaceAll('\u007f', '\\u007F');
  return `${key} = ${Array.isArray(value) ? `[${value.map(quote).join(', ')}]` : quote(value)}`;
}
