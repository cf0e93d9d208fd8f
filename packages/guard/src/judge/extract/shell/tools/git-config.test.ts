import { expect, it } from 'vitest';
import { effects } from '../testing.ts';

it.each([
  'git -c core.hooksPath=/dev/null commit',
  'git -c core.editor=true commit',
  'git -c credential.helper=store push',
  'git -c color.ui=never log',
  'git -c remote.origin.url=u fetch',
])('settings of git: finds nothing that is written by %s', (command) => {
  expect(effects(command)).toBe('');
});

it.each([
  'git -c core.hooksPath=x commit',
  'git -c core.editor=evil commit',
  "git -c alias.x='!rm y' x",
  'git -c core.sshCommand=x fetch',
])('settings of git: cannot tell what is written by %s', (command) => {
  expect(effects(command)).toBe('?');
});
