import { expect, it } from 'vitest';
import { effects, outcome } from '../testing.ts';

it.each([
  ['ssh -E log h', 'log'],
  ["ssh -o ProxyCommand='touch x' h", 'x ?'],
  ['ssh -L ./s:h:1 h', './s'],
])('ssh: finds what is written by %s', (command, expected) => {
  expect(effects(command)).toBe(expected);
});

it.each(['ssh h rm x', 'ssh -o StrictHostKeyChecking=no h', 'ssh -F none h'])(
  'ssh: finds nothing that is written by %s',
  (command) => {
    expect(effects(command)).toBe('');
  },
);

it.each([
  'ssh localhost rm x',
  'ssh user@127.0.0.1 x',
  'ssh $H x',
  'ssh -o ControlPath=/x h',
  'ssh -F conf h',
  'ssh -I lib h',
])('ssh: cannot tell what is written by %s', (command) => {
  expect(effects(command)).toBe('?');
});

it.each([
  ['ssh h', ''],
  ['ssh h rm -rf /x', ''],
  ['ssh -E log h', 'log'],
  ['ssh -S sock h', 'sock'],
  ['ssh -S none h', ''],
  ['ssh -i key h', '<key'],
  ['ssh -L /s/x:h:1 h', '/s/x'],
  ['ssh -L ~/s:h:1 h', '~/s'],
  ['ssh -L 8080:h:1 h', ''],
  ['ssh -D ./sock h', './sock'],
  ['ssh -D 1080 h', ''],
  ['ssh -F cfg h', '? ssh reads its options from a file.'],
  ['ssh -F none h', ''],
  ['ssh -F /dev/null h', ''],
  ['ssh -I lib h', '? ssh loads a library.'],
  ["ssh -o ProxyCommand='touch x' h", 'x ? An option of ssh runs a command.'],
  ["ssh -o 'LocalCommand touch x' h", 'x ? An option of ssh runs a command.'],
  ['ssh -o KnownHostsCommand=x h', '? An option of ssh runs a command.'],
  ['ssh -o StrictHostKeyChecking=no h', ''],
  ["ssh -o 'Port 22' h", ''],
  ["ssh -o ' StrictHostKeyChecking no' h", ''],
  ["ssh -o ' ProxyCommand x' h", '? An option of ssh runs a command.'],
  ["ssh -o ' UserKnownHostsFile=/dev/null ' h", ''],
  ['ssh -o UserKnownHostsFile=/dev/null h', ''],
  ['ssh -o GlobalKnownHostsFile=/dev/null h', ''],
  ['ssh -o UserKnownHostsFile=f h', '? An option of ssh names a file it writes or reads.'],
  ['ssh -o ControlPath=x h', '? An option of ssh names a file it writes or reads.'],
  ['ssh -p 22 -l me -c x -m y -b z h', ''],
  ['ssh localhost touch x', '? The command may run on this machine, by another way.'],
  ['ssh me@localhost touch x', '? The command may run on this machine, by another way.'],
  ['ssh LOCALHOST x', '? The command may run on this machine, by another way.'],
  ['ssh x.localhost x', '? The command may run on this machine, by another way.'],
  ['ssh a.localdomain x', '? The command may run on this machine, by another way.'],
  ['ssh 127.0.0.1 x', '? The command may run on this machine, by another way.'],
  ['ssh 127.1 x', '? The command may run on this machine, by another way.'],
  ['ssh 0 x', '? The command may run on this machine, by another way.'],
  ['ssh 0.0.0.0 x', '? The command may run on this machine, by another way.'],
  ['ssh 0x7f000001 x', '? The command may run on this machine, by another way.'],
  ['ssh ::1 x', '? The command may run on this machine, by another way.'],
  ["ssh '[::1]' x", '? The command may run on this machine, by another way.'],
  ['ssh ::ffff:127.0.0.1 x', '? The command may run on this machine, by another way.'],
  ['ssh 2130706433 x', '? The command may run on this machine, by another way.'],
  ['ssh ssh://me@localhost:22/ x', '? The command may run on this machine, by another way.'],
  ['ssh ssh://h x', ''],
  ['ssh "$X" x', '? The command may run on this machine, by another way.'],
  ['ssh -p $X h', ''],
  ['ssh', ''],
])('ssh: finds the effects of %s', (command, expected) => {
  expect(outcome(command)).toBe(expected);
});
