import { croftBaseDir } from '@croft/workspace';
import { printableName } from '../render/printable.ts';
import type { Outcome, Person, Wishes } from './carry-out.ts';
import type { Machine } from './clients.ts';
import type { KeptProgram } from './kept-program.ts';
import { recordUse, removeUnusedPrograms } from './program-uses.ts';

/** Croft's base directory for the user of this machine. */
export function baseDirOf({ env, home }: Machine): string {
  return croftBaseDir({ ...env, HOME: home });
}

/** Returns a function that copies the program on its first call and reports it. */
export function keepOnce(kept: KeptProgram, { json }: Wishes, { write }: Person): () => void {
  let isDone = false;
  return () => {
    if (isDone) return;
    isDone = true;
    if (kept.keep() && !json) write(`Copied the program to ${printableName(kept.dir)}\n\n`);
  };
}

/** Call after all changes. Records which clients start the copy, and removes copies that no client starts any more. */
export function settleCopies(
  kept: KeptProgram,
  outcomes: readonly Outcome[],
  { dryRun, json, remove }: Wishes,
  { write, machine }: Person & { readonly machine: Machine },
): void {
  if (dryRun) {
    if (!json && !remove) write(`Clients would start a copy of this program, in ${printableName(kept.dir)}\n`);
    return;
  }
  for (const { file, state } of outcomes)
    if (!remove && (state === 'written' || state === 'unchanged')) recordUse(kept, file);
  if (!outcomes.some(({ state }) => state === 'written' || state === 'removed')) return;
  for (const dir of removeUnusedPrograms(baseDirOf(machine)))
    if (!json) write(`Removed ${printableName(dir)}, which no client starts any more\n\n`);
}
