import { expect, it } from 'vitest';
import { effects, outcome } from '../testing.ts';

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

it.each([
  ['git -c core.pager=cat log', ''],
  ['git -c core.pager=x log', "? The setting 'core.pager' may decide what git runs or where it writes."],
  ['git -c pager.log=less log', ''],
  ['git -c core.editor=vim log', ''],
  ['git -c sequence.editor=: log', ''],
  ['git -c sequence.editor=x log', "? The setting 'sequence.editor' may decide what git runs or where it writes."],
  ['git -c credential.helper=cache log', ''],
  ['git -c credential.helper=x log', "? The setting 'credential.helper' may decide what git runs or where it writes."],
  ['git -c credential.helper= log', ''],
  ['git -c core.hooksPath=/dev/null log', ''],
  ['git -c core.hooksPath=x log', "? The setting 'core.hooksPath' may decide what git runs or where it writes."],
  ['git -c core.fsmonitor=false log', ''],
  ['git -c core.fsmonitor=x log', "? The setting 'core.fsmonitor' may decide what git runs or where it writes."],
  ['git -c user.name=a=b log', ''],
  ['git -c remote.o.url=x log', ''],
  [
    'git -c remote.o.uploadpack=x log',
    "? The setting 'remote.o.uploadpack' may decide what git runs or where it writes.",
  ],
  ['git -c core.autocrlf=x log', ''],
  ['git -c alias.x log', "? The setting 'alias.x' may decide what git runs or where it writes."],
])('settings of git: finds the effects of %s', (command, expected) => {
  expect(outcome(command)).toBe(expected);
});
