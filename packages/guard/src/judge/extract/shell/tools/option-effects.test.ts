import { expect, it } from 'vitest';
import { effects } from '../testing.ts';

it.each([
  ['ffmpeg -passlogfile /tmp/p', '/tmp/p'],
  ['zig build -p /usr/local', '/usr/local'],
  ['eslint --fix src', 'src'],
  ['prettier --write a.ts', 'a.ts'],
])('options of other programs: finds what is written by %s', (command, expected) => {
  expect(effects(command)).toBe(expected);
});

it.each(['prettier a.ts'])('options of other programs: finds nothing that is written by %s', (command) => {
  expect(effects(command)).toBe('');
});
