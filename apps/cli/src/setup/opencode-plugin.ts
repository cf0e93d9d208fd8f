/** First line of a file that `croft setup guard` wrote. */
export const PLUGIN_MARK =
  '// Written by croft setup guard. Remove it with: croft setup guard --client opencode --remove';

/**
 * Generates a plugin of opencode that runs `command` before every tool call. The plugin throws, which stops the call, if the
 * hook denies, fails, or gives an invalid answer.
 *
 * @param temporary the value of `TMPDIR` in opencode's shell; not set if undefined
 */
export function opencodePlugin(command: string, temporary: string | undefined): string {
  const shellEnv =
    temporary === undefined
      ? ''
      : `
  'shell.env': async (_, output) => {
    output.env.TMPDIR = ${JSON.stringify(temporary)};
  },`;
  return `${PLUGIN_MARK}
import { spawn } from 'node:child_process';

const command = ${JSON.stringify(command)};

function ask(message, cwd) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, { shell: true, cwd, stdio: ['pipe', 'pipe', 'pipe'] });
    let out = '';
    let err = '';
    child.stdout.on('data', (part) => { out += part; });
    child.stderr.on('data', (part) => { err += part; });
    child.stdin.on('error', () => {});
    child.on('error', reject);
    child.on('close', (code) => code === 0 ? resolve(out) : reject(new Error(err.trim() || 'croft guard: the hook failed, so the call is blocked')));
    child.stdin.end(JSON.stringify(message));
  });
}

export const CroftGuard = async ({ directory }) => ({
  'tool.execute.before': async (input, output) => {
    const answer = JSON.parse(await ask({
      hook_event_name: 'tool.execute.before',
      session_id: input.sessionID,
      cwd: directory,
      tool_name: input.tool,
      tool_input: output.args ?? {},
    }, directory));
    if (answer.decision !== 'pass') throw new Error(answer.reason || 'Blocked by croft guard.');
  },${shellEnv}
});
`;
}
