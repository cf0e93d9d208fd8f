import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { ownCommand, shellWord } from './own-command.ts';

describe.skipIf(process.platform === 'win32')('ownCommand', () => {
  it.each([
    ['/usr/bin/croft', '/home/me', 'croft'],
    ['/home/me/croft/dist/croft.cjs', '/home/me', 'node croft/dist/croft.cjs'],
    ['/opt/croft/dist/croft.cjs', '/home/me', 'node /opt/croft/dist/croft.cjs'],
    ['/home/me/my croft/croft.cjs', '/home/me', "node 'my croft/croft.cjs'"],
  ])('%s in %s: %s', (script, cwd, command) => {
    expect(ownCommand(script, cwd)).toBe(command);
  });

  it('names the file by its absolute path for a reader in any directory', () => {
    expect(ownCommand('/home/me/croft/dist/croft.cjs', null)).toBe('node /home/me/croft/dist/croft.cjs');
    expect(ownCommand('/usr/bin/croft', null)).toBe('croft');
  });

  it("names the package for a copy in npx's cache only if the package is published", () => {
    const cached = '/home/me/.npm/_npx/ab/node_modules/.bin/croft';
    expect(ownCommand(cached, '/srv', true)).toBe('npx croft');
    expect(ownCommand(cached, '/srv', false)).toBe(`node ${cached}`);
  });

  it('names the launcher of a clone, as the documentation does', () => {
    const clone = fileURLToPath(new URL('../../../..', import.meta.url)).replace(/\/$/, '');
    expect(ownCommand(`${clone}/apps/cli/dist/croft.cjs`, clone)).toBe('node bin/croft.cjs');
    expect(ownCommand('/opt/apps/cli/dist/croft.cjs', '/opt')).toBe('node apps/cli/dist/croft.cjs');
  });

  it('quotes special characters of shells', () => {
    expect(shellWord("it's $(here)")).toBe(`'it'\\''s $(here)'`);
    expect(shellWord('-rf')).toBe("'-rf'");
    expect(shellWord('')).toBe("''");
  });
});
