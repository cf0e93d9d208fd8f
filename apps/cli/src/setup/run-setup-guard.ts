import { policyFor, privateTemporary } from '@croft/guard/judging';
import { guardConfigOf, guardRoot } from '../compose/guard.ts';
import { printableName } from '../render/printable.ts';
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
import { type Checked, checkHook, isFine, reportCheck } from './check-hook.ts';

/** The request of one `croft setup guard`. */
export interface SetupGuardRequest extends Wishes {
  /** Empty means all installed agents. */
  readonly clients: readonly HookClientId[];
  /** Change the settings of the project in the current directory instead of the user's. */
  readonly project: boolean;
  /** Whether to run each command-line agent once. */
  readonly run: boolean;
}

/** Names the directory for temporary files on POSIX systems. */
const TEMPORARY = 'TMPDIR';

const NEEDS_PROJECT =
  'Start the agents in a project: where the guard finds none, it blocks every call, also reads. git init makes a directory a project\n';

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
      const checked = await checkHook(id, commandFor(id), request, surroundings);
      checks.push(checked);
      if (!request.json) reportCheck(checked, off.includes(id), state === 'written', surroundings);
    }
  if (!request.json && !request.remove) {
    sayTemporary(ids, request, surroundings);
    write(NEEDS_PROJECT);
  }
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
  const { policy } = guardConfigOf({}, root, { ...env, HOME: home });
  return policyFor(policy, { agent: id, project: root }).strict;
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
