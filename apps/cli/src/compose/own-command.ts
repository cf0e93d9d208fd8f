import { isAbsolute, relative } from 'node:path';

/**
 * How a person can start this program again, as it was started: `croft` where that is what was typed, `npx croft` out
 * of its cache, and otherwise Node with the file.
 */
export function ownCommand(script = process.argv[1] ?? '', cwd = process.cwd()): string {
  if (/[\\/]_npx[\\/]/.test(script)) return 'npx croft';
  if (!script.endsWith('croft.cjs')) return 'croft';
  const near = relative(cwd, script);
  return `node ${shellWord(near.startsWith('..') || isAbsolute(near) ? script : near)}`;
}

/** A text as one word for a shell. */
export function shellWord(text: string): string {
  if (/^[\w@%+=:,./-]+$/.test(text) && !text.startsWith('-')) return text;
  return process.platform === 'win32' ? `"${text}"` : `'${text.replaceAll("'", `'\\''`)}'`;
}
