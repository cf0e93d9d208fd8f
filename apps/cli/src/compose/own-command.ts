import { existsSync, realpathSync } from 'node:fs';
import { dirname, isAbsolute, join, relative } from 'node:path';
import { PUBLISHED } from './published.ts';

/**
 * Returns the command that starts this program again: `croft` if the user typed that, else Node with the file. In a clone the
 * file is `bin/croft.cjs`, as the documentation says. For a copy in npx's cache the command is `npx croft`, if that package
 * belongs to this project.
 *
 * @param cwd where the reader enters the command; `null` if that may be any directory
 */
export function ownCommand(
  script = process.argv[1] ?? '',
  cwd: string | null = process.cwd(),
  published = PUBLISHED,
): string {
  const isCached = /[\\/]_npx[\\/]/.test(script);
  if (isCached && published) return 'npx croft';
  if (!isCached && !script.endsWith('croft.cjs')) return 'croft';
  const file = isCached ? behindLinks(script) : launcherOf(script);
  const near = cwd === null ? file : relative(cwd, file);
  return `node ${shellWord(near.startsWith('..') || isAbsolute(near) ? file : near)}`;
}

/** Quotes a text as one word for a shell. */
export function shellWord(text: string): string {
  if (/^[\w@%+=:,./-]+$/.test(text) && !text.startsWith('-')) return text;
  return process.platform === 'win32' ? `"${text}"` : `'${text.replaceAll("'", `'\\''`)}'`;
}

/** `bin/croft.cjs` for the program of a clone, else the program itself. */
function launcherOf(script: string): string {
  if (!/[\\/]apps[\\/]cli[\\/]dist[\\/]croft\.cjs$/.test(script)) return script;
  const launcher = join(dirname(script), '../../../bin/croft.cjs');
  return existsSync(launcher) ? launcher : script;
}

function behindLinks(script: string): string {
  try {
    return realpathSync.native(script);
  } catch {
    return script;
  }
}
