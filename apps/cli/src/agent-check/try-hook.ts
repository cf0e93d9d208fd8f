import { spawn } from 'node:child_process';
import { HOOK_TRIAL } from '../compose/hook-calls.ts';

const TRIAL_MS = 10_000;
const MAX_CHARS = 64 * 1024;

/** Whether a hook denies a call that changes a file outside of the project. */
export type HookTrial = { readonly ok: true } | { readonly ok: false; readonly problem: string };

/**
 * Runs a hook's command once through a shell, as an agent does, with a message about a hostile call. Does not make the call.
 * The guard records neither the decision nor a call of the agent.
 *
 * @param message a message in the agent's format about a call that must be denied
 */
export function tryHook(command: string, message: object, env: NodeJS.ProcessEnv, cwd: string): Promise<HookTrial> {
  return new Promise((resolve) => {
    const child = spawn(command, {
      shell: true,
      env: { ...env, [HOOK_TRIAL]: 'hook' },
      cwd,
      stdio: ['pipe', 'pipe', 'pipe'],
      timeout: TRIAL_MS,
    });
    const heard = { out: '', err: '' };
    child.stdout.on('data', (part) => {
      heard.out = (heard.out + String(part)).slice(0, MAX_CHARS);
    });
    child.stderr.on('data', (part) => {
      heard.err = (heard.err + String(part)).slice(0, MAX_CHARS);
    });
    child.stdin.on('error', () => undefined);
    child.on('error', (error) => resolve({ ok: false, problem: `cannot be started (${error.message})` }));
    child.on('close', (code) => {
      if (code === 0 && denies(heard.out)) return resolve({ ok: true });
      const end = heard.err.trim().split('\n').at(-1)?.slice(0, 300);
      const reason = end ? `: ${end}` : '';
      const problem = code === 0 ? 'lets a call outside of the project pass' : `ended with ${code ?? 'a signal'}`;
      return resolve({ ok: false, problem: `${problem}${reason}` });
    });
    child.stdin.end(JSON.stringify(message));
  });
}

/** Whether an answer denies the call, in any of the agents' formats. */
function denies(output: string): boolean {
  try {
    const { decision, permission, hookSpecificOutput } = JSON.parse(output) as Record<string, unknown>;
    const inner = (hookSpecificOutput ?? {}) as Record<string, unknown>;
    return [decision, permission, inner.permissionDecision].includes('deny');
  } catch {
    return false;
  }
}
