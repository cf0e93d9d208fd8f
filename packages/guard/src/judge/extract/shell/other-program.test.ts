import { expect, it } from 'vitest';
import { effects } from './testing.ts';

it.each([
  ['some-tool --output /etc/x', '/etc/x'],
  ['some-tool -o /etc/x', '/etc/x'],
  ['some-tool -o/etc/x', '/etc/x'],
  ['some-tool --out-dir=dist', 'dist'],
  ['some-tool --log-file=l', 'l'],
  ['some-tool DESTDIR=/usr', '/usr'],
  ['some-tool --prefix /usr', '/usr'],
  ['some-tool --dest ../x', '../x'],
])('other programs: finds what is written by %s', (command, expected) => {
  expect(effects(command)).toBe(expected);
});

it.each([
  'some-tool --output=x',
  'some-tool --output x',
  'some-tool -o x',
  'some-tool DESTDIR=d',
  'some-tool --prefix x',
  'some-tool x y',
])('other programs: finds nothing that is written by %s', (command) => {
  expect(effects(command)).toBe('');
});
