import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { testDir } from '../../../../tests/support/temp-dir.ts';
import type { HookTrial } from '../agent-check/try-hook.ts';
import { checkHook, type Checked, isFine, reportCheck } from './check-hook.ts';
import type { HookClientId } from './hook-clients.ts';
import type { SetupSurroundings } from './run-setup.ts';

let home: string;
let written: string;
beforeEach(() => {
  home = testDir();
  written = '';
});

const paint = {
  bold: (text: string) => `*${text}*`,
  dim: String,
  red: (text: string) => `red(${text})`,
  green: (text: string) => `green(${text})`,
  yellow: (text: string) => `yellow(${text})`,
};
const surroundings = (env: NodeJS.ProcessEnv = {}) =>
  ({
    machine: { platform: process.platform, home, env: { PATH: '/usr/bin:/bin', HOME: home, ...env }, cwd: home },
    write: (text: string) => void (written += text),
    paint,
  }) as unknown as SetupSurroundings;

describe('the check of a hook', () => {
  /** A hook that keeps its directory and message, and denies as Claude Code expects. */
  function hook(exit = 2): string {
    const file = join(home, 'hook.sh');
    writeFileSync(file, `pwd > ${home}/cwd; ls > ${home}/ls; cat > ${home}/message; echo no >&2; exit ${exit}\n`);
    return `sh ${file}`;
  }
  const check = (more: { project?: boolean; run?: boolean; json?: boolean } = {}, command = hook(), env = {}) =>
    checkHook('claude-code', command, { project: false, run: false, json: false, ...more }, surroundings(env));
  const kept = (name: string) => readFileSync(join(home, name), 'utf8');

  it('starts it with a hostile call, in an empty project that is removed afterwards', async () => {
    const before = readdirSync(tmpdir()).filter((name) => name.startsWith('croft-trial-'));
    const { client, agent } = await check();
    expect([client, agent]).toEqual(['claude-code', undefined]);
    const cwd = kept('cwd').trim();
    expect(cwd).toContain('croft-trial-');
    expect(kept('ls')).toBe('package.json\n');
    const { tool_input, cwd: sent } = JSON.parse(kept('message'));
    expect(sent).toBe(cwd);
    expect(tool_input.command).toBe(`echo changed > ${home}/.croft/check-outside.txt`);
    expect(existsSync(cwd)).toBe(false);
    expect(readdirSync(tmpdir()).filter((name) => name.startsWith('croft-trial-'))).toEqual(before);
  });

  it('starts a hook of a project in the project', async () => {
    await check({ project: true });
    expect(kept('cwd').trim()).toBe(home);
    expect(JSON.parse(kept('message')).cwd).toBe(home);
  });

  it('does not run the agent without a working hook, or without being asked', async () => {
    expect(await check({ run: true }, 'exit 0')).toMatchObject({ hook: { ok: false } });
    expect(await check({ run: true }, 'exit 0')).not.toHaveProperty('agent');
    expect(await check({ run: false })).not.toHaveProperty('agent');
    expect(existsSync(join(home, '.croft'))).toBe(false);
  });

  it('runs the agent after a working hook, and says so before', async () => {
    const bin = join(home, 'bin');
    mkdirSync(bin);
    writeFileSync(join(bin, 'claude'), '#!/bin/sh\necho not signed in >&2\nexit 1\n', { mode: 0o755 });
    const denies = `echo '{"decision":"deny"}'`;
    const env = { PATH: `${bin}:/usr/bin:/bin` };
    expect(await check({ run: true }, denies, env)).toMatchObject({ hook: { ok: true }, agent: { kind: 'unknown' } });
    expect(written).toBe('Running Claude Code once with a local model …\n');
    expect(statSync(join(home, '.croft')).mode & 0o777).toBe(0o700);
    await check({ run: true, json: true }, denies, env);
    await check({ run: true }, denies, { PATH: '/nowhere' });
    expect(written.split('\n')).toHaveLength(2);
  });
});

describe('the report of a check', () => {
  const ok: HookTrial = { ok: true };
  const text = (checked: Omit<Checked, 'client'>, off = false, isNew = false, client: HookClientId = 'gemini-cli') => {
    written = '';
    reportCheck({ client, ...checked }, off, isNew, surroundings());
    return written;
  };

  it('says what was checked', () => {
    expect(text({ hook: { ok: false, problem: 'ended\u001b' } }, false, true)).toBe(
      '*Gemini CLI*: red(not working), the hook ended\\u001b\n\n',
    );
    expect(text({ hook: ok })).toBe(
      '*Gemini CLI*: yellow(only the hook was checked), it refuses a write outside; Gemini CLI itself was not run\n\n',
    );
    expect(text({ hook: ok, agent: { kind: 'refused' } })).toBe(
      '*Gemini CLI*: green(checked), a run of Gemini CLI called the hook, and a write outside was refused\n\n',
    );
    expect(text({ hook: ok, agent: { kind: 'unknown', problem: 'is not installed' } })).toBe(
      '*Gemini CLI*: yellow(only the hook was checked), it refuses a write outside; Gemini CLI is not installed\n\n',
    );
  });

  it('says that an agent is not protected, and the next step', () => {
    const next = 'Next step: start a new session of Gemini CLI; then run croft setup guard again\n\n';
    expect(text({ hook: ok, agent: { kind: 'ran', calledHook: true } }, false, true)).toBe(
      `*Gemini CLI*: red(not protected), a run of Gemini CLI called the hook, but made the refused call. ${next}`,
    );
    expect(text({ hook: ok, agent: { kind: 'ran', calledHook: false } })).toBe(
      `*Gemini CLI*: red(not protected), a run of Gemini CLI did not call the hook. ${next}`,
    );
  });

  it('says what makes a new hook work, and what switches hooks off', () => {
    expect(text({ hook: ok }, false, true)).toMatch(/not run\nNow start a new session of Gemini CLI\.\n\n$/);
    expect(text({ hook: ok }, true)).toMatch(
      /^\*Gemini CLI\*: red\(hooksConfig\.enabled\) switches all hooks off: no hook runs until you change it\n\*/,
    );
  });

  it('is fine unless the hook fails or the agent makes the refused call', () => {
    const fine = (hook: HookTrial, agent?: Checked['agent']) =>
      isFine({ client: 'codex', hook, ...(agent && { agent }) });
    expect(fine(ok)).toBe(true);
    expect(fine(ok, { kind: 'unknown', problem: 'x' })).toBe(true);
    expect(fine(ok, { kind: 'ran', calledHook: true })).toBe(false);
    expect(fine({ ok: false, problem: 'x' })).toBe(false);
  });
});
