import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AgentCheck, findProgram, runAgent } from '../agent-check/run-agent.ts';
import { type HookTrial, tryHook } from '../agent-check/try-hook.ts';
import { shellWord } from '../compose/own-command.ts';
import { printable } from '../render/printable.ts';
import { HOOK_CLIENTS, type HookClientId } from './hook-clients.ts';
import { baseDirOf } from './keep-once.ts';
import type { SetupSurroundings } from './run-setup.ts';

/** The result of the checks of one agent after a change. */
export interface Checked {
  readonly client: HookClientId;
  /** The trial of the hook's process, started as the agent starts it. */
  readonly hook: HookTrial;
  /** Absent for agents without a command line, and with `--no-run`. */
  readonly agent?: AgentCheck;
}

/** How to check: see {@link checkHook}. */
export interface CheckRequest {
  /** Whether the hook is in the settings of the project in the current directory. */
  readonly project: boolean;
  /** Whether to run each command-line agent once. */
  readonly run: boolean;
  readonly json: boolean;
}

/** Tries the hook before the agent: an agent with a broken hook may allow the call, and the reason would be lost. */
export async function checkHook(
  id: HookClientId,
  command: string,
  { project, run: mayRun, json }: CheckRequest,
  { machine, write }: SetupSurroundings,
): Promise<Checked> {
  const { message, run, title } = HOOK_CLIENTS[id];
  const baseDir = baseDirOf(machine);
  const scratch = mkdtempSync(join(tmpdir(), 'croft-trial-'));
  let hook: HookTrial;
  try {
    writeFileSync(join(scratch, 'package.json'), '{}\n');
    const cwd = project ? machine.cwd : scratch;
    const hostile = `echo changed > ${shellWord(join(baseDir, 'check-outside.txt'))}`;
    hook = await tryHook(command, message(cwd, hostile), machine.env, cwd);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
  if (!hook.ok || run === undefined || !mayRun) return { client: id, hook };
  if (!json && findProgram(run.program, machine.env) !== undefined)
    write(`Running ${title} once with a local model …\n`);
  mkdirSync(baseDir, { recursive: true, mode: 0o700 });
  const place = { agent: id, baseDir, env: machine.env, project: project ? machine.cwd : undefined };
  return { client: id, hook, agent: await runAgent(run, place) };
}

/** Whether the hook works and the agent made no refused call. */
export function isFine({ hook, agent }: Checked): boolean {
  return hook.ok && agent?.kind !== 'ran';
}

/** Prints the result, and the next step. */
export function reportCheck(
  { client, hook, agent }: Checked,
  isSwitchedOff: boolean,
  isNew: boolean,
  { write, paint }: SetupSurroundings,
): void {
  const { title, afterwards, off } = HOOK_CLIENTS[client];
  const name = paint.bold(title);
  if (isSwitchedOff)
    write(
      `${name}: ${paint.red(off?.path.join('.') ?? '')} switches all hooks off: no hook runs until you change it\n`,
    );
  if (!hook.ok) write(`${name}: ${paint.red('not working')}, the hook ${printable(hook.problem)}\n`);
  else if (agent === undefined)
    write(
      `${name}: ${paint.yellow('only the hook was checked')}, it refuses a write outside; ${title} itself was not run\n`,
    );
  else if (agent.kind === 'refused')
    write(`${name}: ${paint.green('checked')}, a run of ${title} called the hook, and a write outside was refused\n`);
  else if (agent.kind === 'ran')
    write(
      `${name}: ${paint.red('not protected')}, a run of ${title} ${agent.calledHook ? 'called the hook, but made the refused call' : 'did not call the hook'}. Next step: ${afterwards}; then run croft setup guard again\n`,
    );
  else
    write(
      `${name}: ${paint.yellow('only the hook was checked')}, it refuses a write outside; ${title} ${printable(agent.problem)}\n`,
    );
  if (hook.ok && isNew && agent?.kind !== 'ran') write(`Now ${afterwards}.\n`);
  write('\n');
}
