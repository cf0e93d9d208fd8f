import { expect, it } from 'vitest';
import { effects } from '../testing.ts';

it.each([
  ['dd if=a of=b', 'b'],
  ['dd of=/dev/sda', '/dev/sda'],
  ['patch a.txt < x.patch', 'a.txt'],
  ['patch -d sub -o out -i p', 'sub sub/out'],
  [String.raw`printf -- '--- a/x\n+++ b/y\n' | patch -p1`, 'x y'],
  ['mktemp', '/tmp/tmp.XXXXXX'],
  ['mktemp -p dir', 'dir/tmp.XXXXXX'],
  ['mktemp d/XXXXXX', 'd/XXXXXX'],
  ['crontab f', '/var/spool/cron/crontabs'],
  ["echo 'touch x' | at now", '/var/spool/cron/atjobs x'],
  ['openssl genrsa -out k.pem', 'k.pem'],
  ['ssh-keygen', '~/.ssh'],
  ['ssh-keygen -f k', 'k'],
  ['pandoc a.md -o b.html', 'b.html'],
])('programs on files: finds what is written by %s', (command, expected) => {
  expect(effects(command)).toBe(expected);
});

it.each(['dd if=a', 'patch -p1 -i a.patch', 'patch --dry-run < x', 'mktemp -u', 'crontab -l', 'at -l'])(
  'programs on files: finds nothing that is written by %s',
  (command) => {
    expect(effects(command)).toBe('');
  },
);

it.each(['gpg --import k'])('programs on files: cannot tell what is written by %s', (command) => {
  expect(effects(command)).toBe('?');
});
