import type { HookClientId } from './hook-clients.ts';
import type { Program } from './server-command.ts';

/**
 * The command line that runs `croft guard hook` from any directory and with any PATH. Agents let a call through when a hook
 * cannot be started or ends by a signal; so every end of it but a good one becomes the code that blocks.
 *
 * @param baseDir one that was chosen by environment: an agent starts hooks with its own
 */
export function hookCommand(
  { node, script, platform }: Program,
  baseDir: string | undefined,
  agent: HookClientId,
): string {
  if (platform === 'win32') return `"${node}" "${script}" guard hook --agent ${agent} || exit 2`;
  const base = baseDir === undefined ? '' : `CROFT_BASE_DIR=${quoted(baseDir)} `;
  return `${base}${quoted(node)} ${quoted(script)} guard hook --agent ${agent} || exit 2`;
}

function quoted(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
