import { expect, it } from 'vitest';
import { ANY, field } from './marks.ts';
import { hostOf, isRemote } from './remote-operand.ts';

it.each([
  'host:path',
  'user@host:path',
  'user@h:path',
  '[::1]:path',
  'ann@[::1]:path',
  'rsync://host/path',
  'ssh://host/x',
  'scp://host/x',
  `${ANY}:path`,
  'host:',
])('takes %s for a path on another machine', (value) => {
  expect(isRemote(field(value))).toBe(true);
});

it.each(['path', './host:path', '/a/b:c', 'C:\\Users', 'c:file', 'dir/host:x', ''])(
  'takes %s for one on this machine',
  (value) => {
    expect(isRemote(field(value))).toBe(false);
  },
);

it.each([
  ['host:path', 'host'],
  ['user@host:path', 'host'],
  ['scp://user@host/path', 'host'],
  ['ssh://host:22/path', 'host'],
  ['ann@[::1]:path', '[::1]'],
])('finds the host of %s', (value, host) => {
  expect(hostOf(field(value))).toBe(host);
});
