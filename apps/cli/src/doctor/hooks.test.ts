import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { testDir } from '../../../../tests/support/temp-dir.ts';
import { recordHookCall } from '../compose/hook-calls.ts';
import type { Machine } from '../setup/clients.ts';
import { HOOK_CLIENTS, type HookClientId, hookFile } from '../setup/hook-clients.ts';
import { withHook } from '../setup/hook-config.ts';
import { examineHooks } from './hooks.ts';

let machine: Machine;
let base: string;
beforeEach(() => {
  const home = testDir();
  machine = { platform: process.platform, home, env: {}, cwd: join(home, 'project') };
  base = join(home, '.croft');
});
const EARLY = new Date('2026-01-01T00:00:00Z');
const LATE = new Date('2026-01-02T00:00:00Z');

function configure(id: HookClientId, { project = false, text = '', changed = EARLY } = {}): string {
  const file = hookFile(id, machine, project);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, withHook(text, 'node croft.cjs guard hook', HOOK_CLIENTS[id].format));
  utimesSync(file, changed, changed);
  return file;
}
function call(id: HookClientId, at: Date): void {
  recordHookCall(base, id);
  utimesSync(join(base, 'guard', `called-${id}`), at, at);
}
const examine = () => examineHooks(machine, base);

describe('the hooks of croft guard', () => {
  it('are not found without a configuration, in another one, or in one that cannot be read', () => {
    mkdirSync(join(machine.home, '.cursor', 'hooks.json'), { recursive: true });
    mkdirSync(join(machine.home, '.codex'));
    writeFileSync(join(machine.home, '.codex', 'hooks.json'), '{}');
    expect(examine()).toEqual({ report: [], problems: [], notes: [] });
  });

  it('are found for the user and for the project, with the last call', () => {
    const file = configure('codex');
    const inProject = configure('codex', { project: true });
    call('codex', LATE);
    const lastCall = LATE.toISOString();
    expect(examine()).toEqual({
      report: [
        { agent: 'Codex', file, lastCall },
        { agent: 'Codex', file: inProject, lastCall },
      ],
      problems: [],
      notes: [],
    });
  });

  it('are found once where the project is the home', () => {
    machine = { ...machine, cwd: machine.home };
    configure('gemini-cli');
    expect(examine().report).toHaveLength(1);
  });

  it('have a note while the agent has not called them', () => {
    const file = configure('gemini-cli');
    const advice =
      'If Gemini CLI has used a tool since then, it is not guarded: start a new session of Gemini CLI. croft setup guard --client gemini-cli checks it';
    expect(examine()).toEqual({
      report: [{ agent: 'Gemini CLI', file, lastCall: null }],
      problems: [],
      notes: [{ what: `Gemini CLI has never called the hook in ${file}`, advice }],
    });
    call('gemini-cli', EARLY);
    expect(examine().notes).toEqual([]);
    configure('gemini-cli', { changed: LATE });
    expect(examine().notes).toEqual([
      { what: `Gemini CLI has not called the hook in ${file} since that file was changed`, advice },
    ]);
  });

  it('are a problem where a setting switches them off', () => {
    const file = configure('gemini-cli', { text: '{"hooksConfig":{"enabled":false}}' });
    expect(examine()).toMatchObject({
      report: [{ agent: 'Gemini CLI' }],
      problems: [
        {
          what: `${file} has the hook of croft guard, but hooksConfig.enabled switches all hooks off`,
          advice: `Remove that setting from ${file}`,
        },
      ],
      notes: [],
    });
  });
});
