import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PATIENCE_MS, PROGRAM, type Surroundings, useSurroundings } from '@croft/mcp/testing';
import { describe, expect, it } from 'vitest';
import { lastHookCall } from '../compose/hook-calls.ts';
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

describe('a trial of the hook alone', { timeout: PATIENCE_MS }, () => {
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
});
