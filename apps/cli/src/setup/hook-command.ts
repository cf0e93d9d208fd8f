import type { HookClientId } from './hook-clients.ts';
import type { Program } from './server-command.ts';

/**
 * Builds the command line that runs `croft guard hook` from any directory and with any PATH. Agents allow a call if the hook
 * cannot be started or is ended by a signal, so every failure becomes exit code 2, which blocks.
 *
 * @param baseDir the base directory if the environment set it: an agent starts hooks with its own environment
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
