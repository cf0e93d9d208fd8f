import { expect, it } from 'vitest';
import { effects } from './testing.ts';

it.each([
  ['sudo touch x', 'x'],
  ['env A=b touch x', 'x'],
  ['nice -n 5 touch x', 'x'],
  ['timeout 5 touch x', 'x'],
  ['time touch x', 'x'],
  ['nohup touch x &', 'x'],
  ['command touch x', 'x'],
  ['exec touch x', 'x'],
  ["watch 'touch x'", 'x'],
  ['stdbuf -oL touch x', 'x'],
  ['setsid touch x', 'x'],
  ['sudo -u root touch x', 'x'],
  ['env -C src touch x', 'src/x'],
  ["env -S 'touch x'", 'x'],
  ["script -c 'touch x' log", 'x log'],
  ['flock l touch x', 'l x'],
  ['doas touch x', 'x'],
  ['chroot / touch x', 'x ?'],
  ['strace -o t touch x', 't x'],
  ['busybox touch x', 'x'],
  ['npx rimraf d', 'd'],
  ['npx prettier --write a', 'a'],
  ['script log', 'log'],
  ["su -c 'touch x'", 'x ?'],
  ["flock l -c 'touch x'", 'l x'],
  ['env -i touch x', 'x'],
  ["echo 'touch x' | sudo", 'x'],
  ['time -o t touch x', 't x'],
  ["hyperfine 'touch x'", 'x'],
  ["hyperfine -p 'touch y' ls", 'y'],
  ["tmux send-keys 'touch x' Enter", 'x'],
  ['systemd-run touch x', 'x ?'],
  ['parallel touch ::: x', '::: x ?'],
  ['sudo A=b touch x', 'x'],
  ["npx -c 'touch x'", 'x'],
  ['sudo -D src touch x', 'src/x'],
  ["ls | entr -s 'touch x'", 'x'],
  ['tmux saveb f', 'f'],
])('wrappers: finds what is written by %s', (command, expected) => {
  expect(effects(command)).toBe(expected);
});

it.each(['ls', 'sudo ls', 'command -v touch', 'tmux ls', 'nice', 'tmux saveb -'])(
  'wrappers: finds nothing that is written by %s',
  (command) => {
    expect(effects(command)).toBe('');
  },
);

it.each(['xargs -I{} touch {} < l', 'sudo PATH=/x ls', 'npx ./x.tgz', 'npx -p ./x.tgz y'])(
  'wrappers: cannot tell what is written by %s',
  (command) => {
    expect(effects(command)).toBe('?');
  },
);
