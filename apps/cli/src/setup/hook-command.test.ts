import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { hookCommand } from './hook-command.ts';

describe('the command of the hook', () => {
  const program = { node: '/n/node', script: '/c/my croft.cjs', version: '1', platform: 'linux' } as const;

  it('quotes paths for the shell', () => {
    expect(hookCommand(program, undefined, 'codex')).toBe(
      "/n/node '/c/my croft.cjs' guard hook --agent codex || exit 2",
    );
    expect(hookCommand(program, "/it's", 'codex')).toBe(
      "CROFT_BASE_DIR='/it'\\''s' /n/node '/c/my croft.cjs' guard hook --agent codex || exit 2",
    );
    expect(hookCommand({ ...program, platform: 'win32' }, undefined, 'codex')).toContain(
      '"/c/my croft.cjs" guard hook --agent codex || exit 2',
    );
  });

  it('blocks if the program does not exist', () => {
    const command = hookCommand(
      { ...program, node: '/nowhere/node', script: '/nowhere/croft.cjs' },
      undefined,
      'codex',
    );
    expect(spawnSync(command, { shell: true, input: '{}' }).status).toBe(2);
  });
});
