import { expect, it } from 'vitest';
import { effects, outcome } from './testing.ts';

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

it.each([
  ...'DESTDIR PREFIX prefix DEST OUT OUTDIR BUILDDIR O INSTALL_DIR TARGETDIR TARGET_DIR'
    .split(' ')
    .map((name) => [`some-tool ${name}=/x`, `/x (${name}=/x) (/x)`]),
  ['some-tool DESTDIR=', '(DESTDIR=)'],
  ['some-make SHELL=x', '(SHELL=x) ? PATH decides what runs, or where it writes.'],
  ['maker SHELL=x', '(SHELL=x)'],
  ['some-tool --output', ''],
  ['some-tool --output=/a=b', '/a=b (/a)'],
  ['some-tool --out-dir a', '(a)'],
  ['some-tool --unknown=/a', '(/a)'],
])('other programs: finds the effects of %s', (command, expected) => {
  expect(outcome(command)).toBe(expected);
});
