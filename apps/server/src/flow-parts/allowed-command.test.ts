import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fileDir } from '../../../../tests/support/temp-dir.ts';
import { refusalOf } from '../../../../packages/workspace/src/testing.ts';
import { allowedCommand, type CommandRules, isSameCommand, resolveCommand } from './allowed-command.ts';

const dir = fileDir();
const [bin, flows, away] = [join(dir, 'bin'), join(dir, 'flows'), join(dir, 'away')];
for (const each of [bin, flows, away, join(bin, 'folder')]) mkdirSync(each);
for (const file of [join(bin, 'server'), join(bin, 'other'), join(flows, 'own'), join(away, 'server')]) {
  writeFileSync(file, '#!/bin/sh\n');
  chmodSync(file, 0o755);
}
writeFileSync(join(bin, 'no-program'), '');
writeFileSync(join(flows, 'data.json'), '');
symlinkSync(join(bin, 'server'), join(bin, 'alias'));
symlinkSync(flows, join(dir, 'flows-link'));

const RULES: CommandRules = { allowed: ['server --port 1'], writable: [flows], howToAllow: 'Ask.' };
const judge = (argv: readonly string[], rules: Partial<CommandRules> = {}) =>
  refusalOf(() => allowedCommand(argv, { ...RULES, ...rules }, bin));
const NOT_ALLOWED = / is not allowed\.$/;

describe('a command of a flow', () => {
  it('runs if its real program and its arguments are those of an allowed one', () => {
    expect(allowedCommand(['server', '--port', '1'], RULES, bin)).toEqual({
      file: join(bin, 'server'),
      args: ['--port', '1'],
    });
    expect(judge([join(bin, 'alias'), '--port', '1'])).toBe('accepted');
    for (const argv of [
      ['server'],
      ['server', '--port'],
      ['server', '--port', '1', 'x'],
      ['server', '--port 1'],
      ['other', '--port', '1'],
      ['missing', '--port', '1'],
      [],
    ])
      expect(judge(argv), argv.join(' ')).toMatch(NOT_ALLOWED);
  });

  it('runs if an administrator confirmed it as it is resolved now', () => {
    const confirmed = [{ file: join(bin, 'other'), args: ['a b'] }];
    expect(judge(['other', 'a b'], { confirmed })).toBe('accepted');
    expect(judge(['other', 'a', 'b'], { confirmed })).toMatch(NOT_ALLOWED);
  });

  it('is refused without paths of the host, but says how to allow it', () => {
    try {
      allowedCommand(['other'], RULES, bin);
    } catch (error) {
      expect(error).toMatchObject({ message: "The command 'other' is not allowed.", fix: 'Ask.' });
      return;
    }
    expect.unreachable();
  });

  it.each([
    ['a program', [join(flows, 'own')]],
    ['an argument', ['server', join(flows, 'data.json')]],
    ['an argument through a link', ['server', join(dir, 'flows-link/data.json')]],
    ['a flag', ['server', `--config=${join(dir, 'flows-link/data.json')}`]],
    ['a script', ['server', '-c', `cat ${flows}/later`]],
    ['a URL', ['server', `--import=file://${flows}/own`]],
  ])('runs nothing that a flow may have written: %s', (_, argv) => {
    const rules = { ...RULES, allowed: [argv.map((part) => `'${part}'`).join(' ')] };
    expect(() => allowedCommand(argv, rules, bin)).toThrow(
      expect.objectContaining({
        message: `The command '${argv.join(' ')}' uses a file in the directory of the flow, which flows can change.`,
        fix: 'Move the program to another directory, or run the flow in another one.',
      }),
    );
  });

  it('is one of several that are allowed, and each directory of flows counts', () => {
    const allowed = ['other', `server ${flows}/own`];
    expect(judge(['other'], { allowed })).toBe('accepted');
    expect(judge(['server', join(flows, 'own')], { allowed, writable: [away, flows] })).toContain('uses a file');
    expect(judge(['server', join(flows, 'own')], { allowed, writable: [away] })).toBe('accepted');
    expect(judge(['server', flows], { allowed: [`server ${flows}`] })).toBe('accepted');
    expect(judge(['missing'], { allowed: ['missing'] })).toMatch(NOT_ALLOWED);
  });

  it('is the same as another one with the same program and arguments', () => {
    const one = { file: '/bin/a', args: ['x'] };
    expect([
      isSameCommand({ ...one }, one),
      isSameCommand({ ...one, file: '/bin/b' }, one),
      isSameCommand({ ...one, args: [] }, one),
      isSameCommand(undefined, one),
    ]).toEqual([true, false, false, false]);
  });

  it('may name a file with the same beginning, or one that does not exist', () => {
    for (const path of [`${flows}-of-others`, join(bin, 'missing')])
      expect(judge(['server', path], { allowed: [`server ${path}`] })).toBe('accepted');
  });
});

it('looks for a program in absolute directories of the path, and takes no directory for one', () => {
  expect(resolveCommand(['server'], `${relative('.', away)}:${bin}`)?.file).toBe(join(bin, 'server'));
  for (const program of ['no-program', 'folder', 'missing'])
    expect(resolveCommand([program], bin), program).toBeUndefined();
  expect(resolveCommand(['server'], '')).toBeUndefined();
});
