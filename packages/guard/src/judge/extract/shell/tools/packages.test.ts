import { expect, it } from 'vitest';
import { effects } from '../testing.ts';

it.each([
  ['cargo install --root r x', 'r'],
  ['cargo build --target-dir t', 't'],
  ['cargo new p', 'p'],
  ['cargo login', '~/.cargo/credentials.toml'],
  ['go build -o out', 'out'],
  ["go test -exec 'touch x'", 'x'],
  ['bundle exec touch y', 'y'],
  ['bundle config --global x y', '~/.bundle/config'],
  ['cargo build --target-dir /x', '/x'],
  ['cargo new x', 'x'],
  ['go run . -o /x', '/x'],
  ['go build -o /x', '/x'],
  ['bundle exec touch x', 'x'],
  ['bundle config --global a b', '~/.bundle/config'],
])('package managers: finds what is written by %s', (command, expected) => {
  expect(effects(command)).toBe(expected);
});

it.each([
  'apt list',
  'brew list',
  'dpkg -l',
  'cargo build',
  'go env A',
  'pacman -Ss x',
  'systemctl status x',
  'nix build',
  'rustup show',
  'cargo build --config net.offline=true',
  'cargo check -- --out /x',
  'go vet -vettool=x',
  'go env',
  'brew info x',
])('package managers: finds nothing that is written by %s', (command) => {
  expect(effects(command)).toBe('');
});

it.each([
  'apt install x',
  'apt-get update',
  'dpkg -i x',
  'cargo install x',
  'go install x',
  'go env -w A=b',
  'composer global require x',
  'pacman -S x',
  'systemctl start x',
  `cargo build --config 'build.rustc-wrapper="x"'`,
  'brew install x',
  'systemctl enable x',
])('package managers: cannot tell what is written by %s', (command) => {
  expect(effects(command)).toBe('?');
});
