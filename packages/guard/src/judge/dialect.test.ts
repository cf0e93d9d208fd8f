import { describe, expect, it } from 'vitest';
import { testPolicy } from '../testing.ts';
import { type Dialect, dialectsOf, isShellKey } from './dialect.ts';
import { toolName } from './tool-kind.ts';

const dialects = (name: string, args: unknown = {}) => dialectsOf(toolName(name, testPolicy()), args);
const meant = (name: string, args: unknown = {}) => dialects(name, args).meant.join(' ');
const ALL = 'posix powershell cmd';

describe('the shell of a command', () => {
  it.each<[string, Dialect]>([
    ['Bash', 'posix'],
    ['run_command', 'posix'],
    ['execute_powershell', 'powershell'],
    ['run_pwsh_script', 'powershell'],
    ['run_cmd', 'cmd'],
    ['batch_file', 'cmd'],
  ])('is read from the name of the tool: %s', (name, dialect) => {
    expect(meant(name)).toBe(dialect);
  });

  it.each([
    [{ shell: 'pwsh' }, 'powershell'],
    [{ shell: 'C:\\Windows\\System32\\cmd.exe' }, 'cmd'],
    [{ shell: '"C:\\Program Files\\PowerShell\\7\\pwsh.exe" -NoProfile' }, 'powershell'],
    [{ shell: '/usr/bin/env bash' }, 'posix'],
    [{ shell: ['powershell', '-Command'] }, 'powershell'],
    [{ shell: { path: 'pwsh' } }, 'powershell'],
    [{ options: [{ terminalProfile: 'Command Prompt' }] }, 'cmd'],
    [{ shell: 'bash', language: 'powershell' }, 'posix powershell'],
    // `language` may say something else; `shell` cannot.
    [{ language: 'python' }, 'posix'],
    [{ shell: 'nushell' }, ALL],
    [{ shell: true }, 'posix'],
    [{ shell: 'true' }, 'posix'],
    [{ shell: ' ' }, 'posix'],
  ])('is read from the arguments: %j', (args, expected) => {
    expect(meant('run', args)).toBe(expected);
  });

  it('is also a POSIX one where a client may ignore what the arguments say', () => {
    expect(dialects('run', { shell: 'pwsh' }).orPosix).toBe(true);
    expect(dialects('run', { shell: 'bash' }).orPosix).toBe(false);
    expect(dialects('run_cmd').orPosix).toBe(true);
    expect(dialects('execute_powershell').orPosix).toBe(false);
    expect(dialects('bash').orPosix).toBe(false);
  });

  it('is not looked for below eight levels', () => {
    const nested = (depth: number): unknown => (depth === 0 ? { shell: 'pwsh' } : { a: nested(depth - 1) });
    expect(meant('run', nested(7))).toBe('powershell');
    expect(meant('run', nested(8))).toBe('posix');
  });
});

it('knows the arguments that select a shell', () => {
  for (const key of ['shell', 'interpreterpath', 'type']) expect(isShellKey(key)).toBe(true);
  for (const key of ['command', 'shells', 'myshell']) expect(isShellKey(key)).toBe(false);
});
