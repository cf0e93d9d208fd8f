import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { policyFor, privateTemporary } from '@croft/guard/judging';
import { type AgentCheck, runAgent } from '../agent-check/run-agent.ts';
import { type HookTrial, tryHook } from '../agent-check/try-hook.ts';
import { findGuardConfig, guardRoot } from '../compose/guard.ts';
import { shellWord } from '../compose/own-command.ts';
import { printable, printableName } from '../render/printable.ts';
import { UsageError } from '../usage-error.ts';
import { carryOut, type Outcome, type Wishes } from './carry-out.ts';
import { RefusedConfig } from './client-config.ts';
import type { Machine } from './clients.ts';
import { HOOK_CLIENT_IDS, HOOK_CLIENTS, type HookClientId, hasHookClient, hookFile } from './hook-clients.ts';
import { hookCommand } from './hook-command.ts';
import { hasSetting, withHook } from './hook-config.ts';
import { baseDirOf, keepOnce, settleCopies } from './keep-once.ts';
import { keptProgram } from './kept-program.ts';
import type { Plan, PlannedPlace } from './plan-change.ts';
import { readFound, UnusableFile } from './replace-file.ts';
import type { SetupSurroundings } from './run-setup.ts';
import { requireInProject } from './require-in-project.ts';
import { restoredSettings } from './restore-settings.ts';
import { withVariable } from './settings-variable.ts';

/** The request of one `croft setup guard`. */
export interface SetupGuardRequest extends Wishes {
  /** Empty means all installed agents. */
  readonly clients: readonly HookClientId[];
  /** Change the settings of the project in the current directory instead of the user's. */
  readonly project: boolean;
  /** Whether to run each command-line agent once. */
  readonly run: boolean;
}

/** The result of the checks of one agent after a change. */
interface Checked {
  readonly client: HookClientId;
  /** The trial of the hook's process, started as the agent starts it. */
  readonly hook: HookTrial;
  /** Absent for agents without a command line, and with `--no-run`. */
  readonly agent?: AgentCheck;
}

/** Names the directory for temporary files on POSIX systems. */
const TEMPORARY = 'TMPDIR';

type Planned = Plan & { readonly id: HookClientId };

/**
 * Adds `croft guard hook` to the configuration of agents, or removes it, and checks it: the hook alone, and for command-line
 * agents one run with a local model, in which a hostile call must be refused. Shows every change before it writes it. A second
 * run changes nothing and checks again.
 *
 * @returns whether every hook is in place (or removed) and no check failed
 * @throws UsageError before it writes or shows anything
 */
export async function runSetupGuard(request: SetupGuardRequest, surroundings: SetupSurroundings): Promise<boolean> {
  const { machine, write } = surroundings;
  const ids = chooseAgents(request, machine);
  const baseDir = machine.env.CROFT_BASE_DIR?.trim() ? baseDirOf(machine) : undefined;
  const kept = keptProgram(surroundings.program, baseDirOf(machine));
  const commandFor = (id: HookClientId): string => hookCommand(kept, baseDir, id);
  const plans = ids.map((id) => ({
    ...planHook(id, placeOf(id, request.project, machine), {
      command: request.remove ? undefined : commandFor(id),
      temporary: privateTemporary(baseDirOf(machine)),
      isStrict: !request.remove && isStrict(id, request.project, machine),
      project: request.project ? (guardRoot({}, false, machine.cwd) ?? machine.cwd) : undefined,
    }),
    id,
  }));
  const writes = plans.some(({ kind }) => kind === 'write');
  if (writes && !request.yes && !request.dryRun && (request.json || !surroundings.isTerminal)) {
    throw new UsageError(
      `Add --yes to ${request.remove ? 'change' : 'write'} settings without being asked, or --print to see what would change`,
    );
  }
  const copy = keepOnce(kept, request, surroundings);
  const unchanged = request.remove ? 'has no hook of croft guard' : 'has it already';
  const outcomes: Outcome[] = [];
  for (const plan of plans) outcomes.push(await carryOut(plan, request, surroundings, unchanged, copy));
  settleCopies(kept, outcomes, request, surroundings);
  const checks: Checked[] = [];
  const off = plans.filter((plan) => !request.remove && isOff(plan)).map(({ id }) => id);
  if (!request.remove && !request.dryRun)
    for (const [at, { state }] of outcomes.entries()) {
      const id = ids[at] as HookClientId;
      if (state !== 'written' && state !== 'unchanged') continue;
      const checked = await check(id, commandFor(id), request, surroundings);
      checks.push(checked);
      if (!request.json) report(checked, off.includes(id), state === 'written', surroundings);
    }
  if (!request.json && !request.remove) sayTemporary(ids, request, surroundings);
  if (request.json) write(`${JSON.stringify({ agents: outcomes, checks, hooksSwitchedOff: off }, null, 2)}\n`);
  else if (request.dryRun) write('Nothing was written.\n');
  return outcomes.every(({ state }) => state !== 'refused') && checks.every(isFine);
}

function chooseAgents({ clients, remove, project }: SetupGuardRequest, machine: Machine): readonly HookClientId[] {
  if (clients.length > 0) return [...new Set(clients)];
  const installed = HOOK_CLIENT_IDS.filter((id) => hasHookClient(id, machine));
  if (installed.length > 0) return installed;
  if (remove) return project ? HOOK_CLIENT_IDS : [];
  throw new UsageError(
    `No agent was found here. Name one: croft setup guard --client ${HOOK_CLIENT_IDS[0]} (or ${HOOK_CLIENT_IDS.slice(1).join(', ')})`,
  );
}

function placeOf(id: HookClientId, project: boolean, machine: Machine): PlannedPlace {
  return { id, title: HOOK_CLIENTS[id].title, file: hookFile(id, machine, project) };
}

/** The wanted content of the configuration. */
interface Wanted {
  /** Undefined removes the hook. */
  readonly command: string | undefined;
  /** The directory for temporary files that strict mode allows. */
  readonly temporary: string;
  readonly isStrict: boolean;
  /** The directory that the configuration must be in. */
  readonly project: string | undefined;
}

function planHook(id: HookClientId, place: PlannedPlace, wanted: Wanted): Plan {
  try {
    if (wanted.project !== undefined) requireInProject(place.file, wanted.project);
    const found = readFound(place.file);
    if (found.text === undefined && wanted.command === undefined) return { kind: 'nothing', place };
    const before = found.text ?? '';
    const after = wantedText(id, found.path, before, wanted);
    return after === before ? { kind: 'nothing', place } : { kind: 'write', place, found, before, after };
  } catch (error) {
    if (error instanceof RefusedConfig || error instanceof UnusableFile)
      return { kind: 'refused', place, problem: error.message };
    throw error;
  }
}

function wantedText(
  id: HookClientId,
  file: string,
  before: string,
  { command, temporary, isStrict: strict }: Wanted,
): string | undefined {
  const { format, hasEnv } = HOOK_CLIENTS[id];
  if (command === undefined)
    return restoredSettings(file, before, format, hasEnv ? { name: TEMPORARY, value: temporary } : undefined);
  const text = withHook(before, command, format, strict ? temporary : undefined);
  return hasEnv && strict ? withVariable(text, TEMPORARY, temporary) : text;
}

/**
 * Whether the policy for this agent is strict in the directory where the hook will run.
 *
 * @throws UsageError for an invalid policy
 */
function isStrict(id: HookClientId, project: boolean, { cwd, env, home }: Machine): boolean {
  const root = project ? guardRoot({}, false, cwd) : undefined;
  const { policy } = findGuardConfig({}, root, { ...env, HOME: home });
  return policyFor(policy, { agent: id, project: root }).strict;
}

/** Tries the hook before the agent: an agent with a broken hook may allow the call, and the reason would be lost. */
async function check(
  id: HookClientId,
  command: string,
  { project, run: mayRun, json }: SetupGuardRequest,
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
  if (!json) write(`Running ${title} once with a local model …\n`);
  mkdirSync(baseDir, { recursive: true, mode: 0o700 });
  const place = { agent: id, baseDir, env: machine.env, project: project ? machine.cwd : undefined };
  return { client: id, hook, agent: await runAgent(run, place) };
}

function isFine({ hook, agent }: Checked): boolean {
  return hook.ok && agent?.kind !== 'ran';
}

function report(
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

/** Says to start agents whose settings have no variables with TMPDIR. */
function sayTemporary(
  ids: readonly HookClientId[],
  { project }: SetupGuardRequest,
  surroundings: SetupSurroundings,
): void {
  const { machine, write } = surroundings;
  const without = ids.filter((id) => {
    const { hasEnv, format } = HOOK_CLIENTS[id];
    return !hasEnv && format.kind !== 'file' && isStrict(id, project, machine);
  });
  if (without.length === 0) return;
  const titles = without.map((id) => HOOK_CLIENTS[id].title).join(', ');
  write(
    `Your policy is strict: start ${titles} with ${TEMPORARY}=${printableName(privateTemporary(baseDirOf(machine)))}, so that temporary files pass\n`,
  );
}

function isOff({ id, ...plan }: Planned): boolean {
  const { off } = HOOK_CLIENTS[id];
  if (off === undefined || plan.kind === 'refused') return false;
  try {
    return hasSetting(readFound(plan.place.file).text ?? '', off.path, off.value);
  } catch {
    return false;
  }
}
