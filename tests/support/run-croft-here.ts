import { Readable } from 'node:stream';
import { PROGRAM } from '@croft/mcp/testing';
import { vi } from 'vitest';
import { ADD_COMMANDS } from '../../apps/cli/src/add-commands.ts';
import { runCommandLine } from '../../apps/cli/src/run-program.ts';

/** Exit code and output of a command line. */
export interface CommandResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * For tests: runs a command line of `croft` in this process, from the sources, with this environment, working directory and standard
 * input. It is an order of magnitude cheaper than a start of the program. It leaves out the launcher, the bundle and the second
 * sandbox: each command also has tests that start the program.
 */
export async function runCroftHere(
  args: readonly string[],
  { env, cwd, input = '' }: { readonly env: NodeJS.ProcessEnv; readonly cwd: string; readonly input?: string },
): Promise<CommandResult> {
  const output = { stdout: '', stderr: '' };
  const spies = (['stdout', 'stderr'] as const).map((name) =>
    vi.spyOn(process[name], 'write').mockImplementation((part) => {
      output[name] += typeof part === 'string' ? part : Buffer.from(part).toString();
      return true;
    }),
  );
  const stdin = vi.spyOn(process, 'stdin', 'get').mockReturnValue(Readable.from([Buffer.from(input)]) as never);
  const before = { argv: process.argv, cwd: process.cwd(), env: { ...process.env }, exitCode: process.exitCode };
  const listeners = signalListeners();
  process.argv = [process.execPath, PROGRAM, ...args];
  process.chdir(cwd);
  // Landlock would restrict the process of the tests for good; with this variable it stays off.
  setEnvironment({ ...env, UV_USE_IO_URING: '1' });
  process.exitCode = 0;
  try {
    await runCommandLine(ADD_COMMANDS, args);
    return { code: Number(process.exitCode), ...output };
  } finally {
    for (const spy of [...spies, stdin]) spy.mockRestore();
    for (const [name, kept] of listeners)
      for (const each of process.listeners(name)) if (!kept.includes(each)) process.off(name, each);
    setEnvironment(before.env);
    process.chdir(before.cwd);
    process.argv = before.argv;
    process.exitCode = before.exitCode;
  }
}

const signalListeners = () => (['SIGINT', 'SIGTERM'] as const).map((name) => [name, process.listeners(name)] as const);

/** Changes the variables one by one: another object as `process.env` would not reach Node's own functions, such as `homedir`. */
function setEnvironment(wanted: NodeJS.ProcessEnv): void {
  for (const name of Object.keys(process.env)) if (wanted[name] === undefined) delete process.env[name];
  for (const [name, value] of Object.entries(wanted)) if (value !== undefined) process.env[name] = value;
}
