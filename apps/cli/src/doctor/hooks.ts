import { statSync } from 'node:fs';
import { lastHookCall } from '../compose/hook-calls.ts';
import type { Machine } from '../setup/clients.ts';
import { HOOK_CLIENT_IDS, HOOK_CLIENTS, type HookClientId, hookFile } from '../setup/hook-clients.ts';
import { hasHook, hasSetting } from '../setup/hook-config.ts';
import { readFound } from '../setup/replace-file.ts';
import type { Examined, Finding, HookReport } from './report.ts';

/**
 * Finds the hooks of croft guard in the configurations of the user and of the project in `machine.cwd`, and the last call of
 * each. A hook that the agent has not called since its configuration was changed may be one that the agent does not run.
 */
export function examineHooks(machine: Machine, baseDir: string): Examined<readonly HookReport[]> {
  const notes: Finding[] = [];
  const problems: Finding[] = [];
  const report: HookReport[] = [];
  for (const id of HOOK_CLIENT_IDS) {
    for (const file of new Set([false, true].map((project) => hookFile(id, machine, project)))) {
      const found = configuredHook(id, file);
      if (found === undefined) continue;
      const { title, off, afterwards } = HOOK_CLIENTS[id];
      const called = lastHookCall(baseDir, id);
      report.push({ agent: title, file, lastCall: called?.toISOString() ?? null });
      if (found.isOff)
        problems.push({
          what: `${file} has the hook of croft guard, but ${off?.path.join('.')} switches all hooks off`,
          advice: `Remove that setting from ${file}`,
        });
      else if (called === undefined || called.getTime() < found.changed.getTime())
        notes.push({
          what: `${title} has ${called === undefined ? 'never called' : 'not called'} the hook in ${file}${called === undefined ? '' : ' since that file was changed'}`,
          advice: `If ${title} has used a tool since then, it is not guarded: ${afterwards}. croft setup guard --client ${id} checks it`,
        });
    }
  }
  return { report, problems, notes };
}

function configuredHook(id: HookClientId, file: string): { changed: Date; isOff: boolean } | undefined {
  const { format, off } = HOOK_CLIENTS[id];
  try {
    const { text, path } = readFound(file);
    if (text === undefined || !hasHook(text, format)) return undefined;
    return { changed: statSync(path).mtime, isOff: off !== undefined && hasSetting(text, off.path, off.value) };
  } catch {
    // The agent itself reports a configuration that cannot be read.
    return undefined;
  }
}
