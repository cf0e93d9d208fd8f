import { spawn } from 'node:child_process';
import type { Program } from './server-command.ts';

const TRIAL_MS = 10_000;
const MAX_SAID = 2_000;

/**
 * The command line that runs `croft guard hook` from any directory and with any PATH. Agents let a call through when a hook
 * cannot be started or ends by a signal; so every end of it but a good one becomes the code that blocks.
 *
 * @param baseDir one that was chosen by environment: an agent starts hooks with its own
 */
export function hookCommand({ node, script, platform }: Program, baseDir: string | undefined): string {
  if (platform === 'win32') return `"${node}" "${script}" guard hook || exit 2`;
  const base = baseDir === undefined ? '' : `CROFT_BASE_DIR=${quoted(baseDir)} `;
  return `${base}${quoted(node)} ${quoted(script)} guard hook || exit 2`;
}

/** Whether a hook's command blocks what it cannot understand, as the guard's own does. */
export type HookTrial = { readonly ok: true } | { readonly ok: false; readonly problem: string };

/** Runs the command once, as an agent does, with a message that is none. Nothing is judged or recorded. */
export function tryHook(command: string, env: NodeJS.ProcessEnv, cwd: string): Promise<HookTrial> {
  return new Promise((resolve) => {
    const child = spawn(command, { shell: true, env, cwd, stdio: ['pipe', 'ignore', 'pipe'], timeout: TRIAL_MS });
    let said = '';
    child.stderr.on('data', (part) => {
      if (said.length < MAX_SAID) said += String(part);
    });
    child.stdin.on('error', () => undefined);
    child.on('error', (error) => resolve({ ok: false, problem: `cannot be started (${error.message})` }));
    child.on('close', (code) => {
      if (code === 2 && said.startsWith('croft guard: ')) return resolve({ ok: true });
      const end = said.trim().split('\n').at(-1);
      resolve({ ok: false, problem: `ended with ${code ?? 'a signal'}${end ? `: ${end.slice(0, 300)}` : ''}` });
    });
    child.stdin.end('{}');
  });
}

function quoted(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
