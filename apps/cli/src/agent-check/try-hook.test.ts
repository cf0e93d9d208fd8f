import { realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROGRAM, type Surroundings, useSurroundings } from '@croft/mcp/testing';
import { describe, expect, it } from 'vitest';
import { HOOK_TRIAL, lastHookCall } from '../compose/hook-calls.ts';
import { HOOK_CLIENT_IDS, HOOK_CLIENTS } from '../setup/hook-clients.ts';
import { hookCommand } from '../setup/hook-command.ts';
import { tryHook } from './try-hook.ts';

let surroundings: Surroundings;

useSurroundings((made) => {
  surroundings = made;
  writeFileSync(join(made.workspace, 'package.json'), '{}');
});

const HOSTILE = 'echo x > /etc/croft-check';
const program = { node: process.execPath, script: PROGRAM, version: '1', platform: process.platform };
const run = (command: string, message: object) => tryHook(command, message, surroundings.env, surroundings.workspace);

describe('a trial of the hook alone', () => {
  for (const id of HOOK_CLIENT_IDS)
    it(`passes when the hook denies a hostile call in the format of ${HOOK_CLIENTS[id].title}`, async () => {
      const message = HOOK_CLIENTS[id].message(surroundings.workspace, HOSTILE);
      expect(await run(hookCommand(program, surroundings.base, id), message)).toEqual({ ok: true });
      // A trial does not count as a call of the agent.
      expect(lastHookCall(surroundings.base, id)).toBeUndefined();
    });

  it('fails when the hook would let the call pass, and says why', async () => {
    const command = hookCommand(program, surroundings.base, 'claude-code');
    const message = HOOK_CLIENTS['claude-code'].message(surroundings.workspace, HOSTILE);
    const off = { ...surroundings.env, ENABLE_SANDBOXING: 'false' };
    expect(await tryHook(command, message, off, surroundings.workspace)).toMatchObject({
      ok: false,
      problem: expect.stringMatching(/lets a call outside of the project pass: .*the guard is off/) as string,
    });
    expect(await run('exit 0', {})).toMatchObject({ ok: false });
    expect(await run('echo broken >&2; exit 2', {})).toEqual({ ok: false, problem: 'ended with 2: broken' });
  });

  it.each([
    ['{"decision":"deny"}', true],
    ['{"permission":"deny"}', true],
    ['{"hookSpecificOutput":{"permissionDecision":"deny"}}', true],
    ['{"decision":"allow"}', false],
    ['{"hookSpecificOutput":{"permissionDecision":"ask"}}', false],
    ['{"other":"deny"}', false],
    ['deny', false],
  ])('takes %s for a refusal: %s', async (output, ok) => {
    const passes = { ok: false, problem: 'lets a call outside of the project pass' };
    expect(await run(`printf '%s' '${output}'`, {})).toEqual(ok ? { ok } : passes);
  });

  it('needs an exit code of 0, and shows the last line of the error output', async () => {
    expect(await run(`echo '{"decision":"deny"}'; exit 3`, {})).toEqual({ ok: false, problem: 'ended with 3' });
    expect(await run("printf 'one\\ntwo\\n' >&2; kill -9 $$", {})).toEqual({
      ok: false,
      problem: 'ended with a signal: two',
    });
    const long = await run(`node -e 'process.stderr.write("x".repeat(400))'`, {});
    expect(long).toEqual({ ok: false, problem: `lets a call outside of the project pass: ${'x'.repeat(300)}` });
  });

  it('gives the command the message, the directory and the mark of a trial', async () => {
    const command = `test "$(cat)" = '{"a":1}' && test "$PWD" = "$WANTED" && test "$${HOOK_TRIAL}" = hook && echo '{"decision":"deny"}'`;
    const env = { ...surroundings.env, WANTED: realpathSync(surroundings.workspace) };
    expect(await tryHook(command, { a: 1 }, env, surroundings.workspace)).toEqual({ ok: true });
  });

  it('cannot start in a directory that does not exist', async () => {
    expect(await tryHook('exit 0', {}, surroundings.env, '/none/here')).toEqual({
      ok: false,
      problem: expect.stringMatching(/^cannot be started \(spawn .* ENOENT\)$/) as string,
    });
  });
});
