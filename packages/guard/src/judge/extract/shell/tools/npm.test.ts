import { expect, it } from 'vitest';
import { effects } from '../testing.ts';

it.each([
  ['npm --prefix sub install', 'sub'],
  ['npm -C /etc install', '/etc'],
  ['npm config set x y', '~/.npmrc'],
  ['npm login', '~/.npmrc'],
  ["npm exec -c 'touch x'", 'x'],
  ['npm exec -- touch y', 'y'],
  ['npm run build -- --out /etc/x', '/etc/x'],
  ['npm pack --pack-destination d', 'd'],
  ['yarn rimraf d', 'd'],
])('npm and others: finds what is written by %s', (command, expected) => {
  expect(effects(command)).toBe(expected);
});

it.each([
  'npm install',
  'npm ci',
  'npm config set x y --location=project',
  'npm config list',
  'npm run build',
  'pnpm tsc --outDir out',
  'corepack yarn install',
])('npm and others: finds nothing that is written by %s', (command) => {
  expect(effects(command)).toBe('');
});

it.each(['npm install -g x', 'npm link', 'yarn global add x', 'corepack enable', 'npm test --script-shell x'])(
  'npm and others: cannot tell what is written by %s',
  (command) => {
    expect(effects(command)).toBe('?');
  },
);
