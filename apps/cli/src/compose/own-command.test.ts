import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { testDir } from '../../../../tests/support/temp-dir.ts';
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

describe.skipIf(process.platform === 'win32')('the program of this process', () => {
  it('is the file that was started, seen from the directory of the process', () => {
    const [, script] = process.argv;
    process.argv[1] = '/usr/bin/croft';
    const typed = ownCommand();
    process.argv[1] = join(process.cwd(), 'x/croft.cjs');
    const file = ownCommand();
    process.argv.splice(1, 1);
    const none = ownCommand(undefined, '/');
    process.argv.splice(1, 0, script ?? '');
    expect([typed, file, none]).toEqual(['croft', 'node x/croft.cjs', 'croft']);
  });

  it("is the file behind the link in npx's cache", () => {
    const dir = testDir();
    mkdirSync(join(dir, '_npx'));
    writeFileSync(join(dir, 'croft.cjs'), '');
    symlinkSync(join(dir, 'croft.cjs'), join(dir, '_npx/croft'));
    expect(ownCommand(join(dir, '_npx/croft'), dir, false)).toBe('node croft.cjs');
  });

  it('is the program of a directory that only looks like a clone', () => {
    const dir = testDir();
    const script = join(dir, 'apps/cli/dist/croft.cjs');
    expect(ownCommand(script, dir)).toBe('node apps/cli/dist/croft.cjs');
    mkdirSync(join(dir, 'bin'));
    writeFileSync(join(dir, 'bin/croft.cjs'), '');
    expect(ownCommand(script, dir)).toBe('node bin/croft.cjs');
    expect(ownCommand(`${script}x`, dir)).toBe('croft');
  });

  it('leaves words of plain characters as they are', () => {
    for (const word of ['a', 'A-b_1', '@%+=:,./', 'x-']) expect([word, shellWord(word)]).toEqual([word, word]);
    for (const word of ['a b', 'a;b', '~', '*', '$x', 'a\nb', 'ä'])
      expect([word, shellWord(word)]).toEqual([word, `'${word}'`]);
  });
});

it('quotes words for the shell of Windows', () => {
  const { platform } = process;
  Object.defineProperty(process, 'platform', { value: 'win32' });
  const words = ['a', "it's here"].map(shellWord);
  Object.defineProperty(process, 'platform', { value: platform });
  expect(words).toEqual(['a', `"it's here"`]);
});
