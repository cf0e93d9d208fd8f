import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { testDir } from '../../../../tests/support/temp-dir.ts';
import { opencodePlugin, PLUGIN_MARK } from './opencode-plugin.ts';

/** Loads the plugin as opencode does, with a hook that runs this code. */
async function load(hook: string, temporary?: string) {
  const dir = testDir();
  writeFileSync(join(dir, 'hook.mjs'), hook);
  const text = opencodePlugin(`"${process.execPath}" "${join(dir, 'hook.mjs')}"`, temporary);
  const file = join(dir, 'plugin.mjs');
  writeFileSync(file, text);
  expect(text.startsWith(`${PLUGIN_MARK}\n`)).toBe(true);
  const { CroftGuard } = await import(/* @vite-ignore */ pathToFileURL(file).href);
  return (await CroftGuard({ directory: dir })) as Record<string, (input: unknown, output: unknown) => Promise<void>>;
}
const answer = (text: string) => `process.stdout.write(${JSON.stringify(text)});`;
const call = async (hook: string) =>
  (await load(hook))['tool.execute.before']?.({ tool: 'bash', sessionID: 's' }, { args: { command: 'ls' } });

describe('a call of a tool', () => {
  it('passes only where the hook says so', async () => {
    await expect(call(answer('{"decision":"pass"}'))).resolves.toBeUndefined();
    await expect(call(answer('{"decision":"block","reason":"Outside."}'))).rejects.toThrow('Outside.');
    await expect(call(answer('{}'))).rejects.toThrow('Blocked by croft guard.');
    await expect(call(answer('not JSON'))).rejects.toThrow();
    await expect(call('process.exitCode = 2; console.error("no root")')).rejects.toThrow('no root');
    await expect(call('process.exitCode = 2')).rejects.toThrow('croft guard: the hook failed, so the call is blocked');
  });

  it('reaches the hook with its arguments and the directory', async () => {
    const hook = `let text = ''; for await (const part of process.stdin) text += part; const m = JSON.parse(text);
process.stdout.write(JSON.stringify({ decision: 'block', reason: [m.hook_event_name, m.tool_name, m.session_id, m.tool_input.command, m.cwd === process.cwd()].join() }));`;
    await expect(call(hook)).rejects.toThrow('tool.execute.before,bash,s,ls,true');
  });
});

it('gives the shell the directory for temporary files, if there is one', async () => {
  const env: Record<string, string> = {};
  await (await load('', '/t'))['shell.env']?.({}, { env });
  expect(env).toEqual({ TMPDIR: '/t' });
  expect(await load('')).not.toHaveProperty('shell.env');
});
