import { join } from 'node:path';
import { printable } from '../render/printable.ts';
import { UsageError } from '../usage-error.ts';
import { carryOut, type Wishes } from './carry-out.ts';
import { RefusedConfig } from './client-config.ts';
import type { Machine } from './clients.ts';
import { switchesHooksOff, withHook, withoutHook } from './hook-config.ts';
import { hookCommand, tryHook } from './hook-command.ts';
import { baseDirOf, keepOnce, settleCopies } from './keep-once.ts';
import { keptProgram } from './kept-program.ts';
import type { Plan, PlannedPlace } from './plan-change.ts';
import { readFound, UnusableFile } from './replace-file.ts';
import type { SetupSurroundings } from './run-setup.ts';

/** What was asked for. */
export interface SetupGuardRequest extends Wishes {
  /** The settings of the project in the current directory, and not the user's. */
  readonly project: boolean;
}

/**
 * Enters `croft guard hook` into the settings of Claude Code, or takes it out, and tries the command. Nothing is written that
 * was not shown; a second run changes nothing.
 *
 * @returns whether what was asked for holds now
 * @throws UsageError before anything is written or shown
 */
export async function runSetupGuard(request: SetupGuardRequest, surroundings: SetupSurroundings): Promise<boolean> {
  const { machine, write, paint } = surroundings;
  const baseDir = machine.env.CROFT_BASE_DIR?.trim() ? baseDirOf(machine) : undefined;
  const kept = keptProgram(surroundings.program, baseDirOf(machine));
  const command = request.remove ? undefined : hookCommand(kept, baseDir);
  const plan = planHook(settingsPlace(request.project, machine), command);
  if (plan.kind === 'write' && !request.yes && !request.dryRun && (request.json || !surroundings.isTerminal)) {
    throw new UsageError(
      `Add --yes to ${request.remove ? 'change' : 'write'} settings without being asked, or --print to see what would change`,
    );
  }
  const unchanged = request.remove ? 'has no hook of croft guard' : 'says so already';
  const copy = keepOnce(kept, request, surroundings);
  const outcome = await carryOut(plan, request, surroundings, unchanged, copy);
  settleCopies(kept, [outcome], request, surroundings);
  const inPlace = outcome.state === 'written' || outcome.state === 'unchanged';
  const trial =
    command !== undefined && inPlace && !request.dryRun ? await tryHook(command, machine.env, machine.cwd) : undefined;
  const off = plan.kind !== 'refused' && !request.remove && isOff(plan.place.file);
  if (request.json) write(`${JSON.stringify({ command, ...outcome, trial, disableAllHooks: off }, null, 2)}\n`);
  else {
    if (request.dryRun) write('Nothing was written.\n');
    if (off) write(`${paint.red('disableAllHooks')} is set there: Claude Code runs no hook until you take it out\n`);
    if (trial?.ok === true) write(`${paint.green('tried')}: the hook answers\n`);
    if (trial?.ok === false) write(`${paint.red('not working')}: the hook ${printable(trial.problem)}\n`);
    if (outcome.state === 'written' && trial?.ok === true) write('Now start a new session of Claude Code.\n');
  }
  return outcome.state !== 'refused' && trial?.ok !== false;
}

/** Source: code.claude.com/docs/en/settings. */
function settingsPlace(project: boolean, { cwd, home, env }: Machine): PlannedPlace {
  const dir = project ? join(cwd, '.claude') : env.CLAUDE_CONFIG_DIR?.trim() || join(home, '.claude');
  return { id: 'claude-code', title: 'Claude Code', file: join(dir, 'settings.json') };
}

function planHook(place: PlannedPlace, command: string | undefined): Plan {
  try {
    const found = readFound(place.file);
    if (found.text === undefined && command === undefined) return { kind: 'nothing', place };
    const before = found.text ?? '';
    const after = command === undefined ? withoutHook(before) : withHook(before, command);
    return after === before ? { kind: 'nothing', place } : { kind: 'write', place, found, before, after };
  } catch (error) {
    if (error instanceof RefusedConfig || error instanceof UnusableFile)
      return { kind: 'refused', place, problem: error.message };
    throw error;
  }
}

function isOff(file: string): boolean {
  try {
    return switchesHooksOff(readFound(file).text ?? '');
  } catch {
    return false;
  }
}
