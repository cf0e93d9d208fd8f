import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { type Surroundings, useSurroundings } from '@croft/mcp/testing';
import { callTool } from '@croft/tools';
import { Command, CommanderError } from 'commander';
import { vi } from 'vitest';
import { captureOutput } from './capture-output.ts';
import { UsageError } from '../../apps/cli/src/usage-error.ts';
import { addLogCommand } from '../../apps/cli/src/commands/log.ts';
import { addUndoCommand } from '../../apps/cli/src/commands/undo.ts';
import { openServing, type ServingOptions } from '../../apps/cli/src/compose/serving.ts';

/** What `croft mcp` serves without flags. */
export const SERVING: Omit<ServingOptions, 'dirs'> = {
  toolset: 'full',
  readOnly: false,
  ignore: [],
  confirm: false,
  denyList: true,
  durable: false,
};

/** A day of an agent: changes of each kind, a read, and a refused path. */
export const DAY = [
  ['write_file', { path: 'a.txt', content: 'first' }],
  ['edit_file', { path: 'a.txt', old_string: 'first', new_string: 'second' }],
  ['create_dir', { path: 'dir' }],
  ['move_path', { source: 'a.txt', destination: 'dir/b.txt' }],
  ['copy_path', { source: 'dir/b.txt', destination: 'c.txt' }],
  ['read_file', { path: 'c.txt' }],
  ['read_file', { path: '/etc/passwd' }],
  ['delete_path', { path: 'dir', recursive: true }],
] as [string, object][];

/** For tests: a workspace of its own, the agents that work in it, and the commands that a person runs beside them. */
export function useAgents() {
  let surroundings: Surroundings;
  useSurroundings((made) => {
    surroundings = made;
  });
  return {
    surroundings: () => surroundings,
    at: (name: string) => join(surroundings.workspace, name),
    /** Runs `croft log` or `croft undo` about the workspace, in this process. */
    run: (...args: string[]) => runHere([...args, '--dir', surroundings.workspace], surroundings.base),
    /** Makes these calls as an agent of `croft mcp` does, in this process. */
    async agent(calls: readonly [string, object][]): Promise<void> {
      vi.stubEnv('CROFT_BASE_DIR', surroundings.base);
      const serving = openServing({ ...SERVING, dirs: [surroundings.workspace] });
      vi.unstubAllEnvs();
      try {
        for (const [name, input] of calls) {
          await callTool(serving.table, { name, input }, { caller: 'bare' });
          // Entries of the log have no order within a millisecond.
          for (const ended = Date.now(); Date.now() === ended; ) await setImmediate();
        }
      } finally {
        serving.close();
      }
    },
  };
}

async function runHere(args: readonly string[], base: string) {
  const program = new Command('croft').configureOutput({ writeErr: (text) => process.stderr.write(text) });
  addLogCommand(program);
  addUndoCommand(program);
  for (const command of program.commands) command.exitOverride();
  const output = captureOutput();
  const before = process.listeners('SIGINT');
  vi.stubEnv('CROFT_BASE_DIR', base);
  process.exitCode = 0;
  try {
    await program.parseAsync(args, { from: 'user' });
  } catch (error) {
    if (!(error instanceof UsageError || error instanceof CommanderError)) throw error;
    if (error instanceof UsageError) process.stderr.write(`croft: ${error.message}\n`);
    process.exitCode = 2;
  } finally {
    vi.unstubAllEnvs();
    for (const listener of process.listeners('SIGINT').filter((each) => !before.includes(each)))
      process.off('SIGINT', listener);
  }
  return { code: process.exitCode, stdout: output.out, stderr: output.err };
}
