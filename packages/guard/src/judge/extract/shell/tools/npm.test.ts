import { expect, it } from 'vitest';
import { effects, outcome } from '../testing.ts';

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

it.each([
  ['npm install', ''],
  ['npm i x', ''],
  ['npm install -g x', "? 'npm install' installs for every project."],
  ['npm --global install x', "? 'npm install' installs for every project."],
  ['npm install --location global x', "? 'npm install' installs for every project."],
  ['npm install --location=user x', ''],
  ['npm -g', "? 'npm ' installs for every project."],
  ['npm ls -g', ''],
  ['npm ci -g', "? 'npm ci' installs for every project."],
  ['yarn global add x', "? 'yarn global' installs for every project."],
  ['yarn add x', ''],
  ['npm --prefix sub install', 'sub'],
  ['npm --prefix . install', ''],
  ['pnpm --dir sub install', 'sub'],
  ['yarn --cwd sub add x', 'sub'],
  ['pnpm -C sub add x', 'sub'],
  ['npm --prefix "$PWD" install', ''],
  ['npm install --cache c', 'c'],
  ['npm pack --pack-destination d', 'd'],
  ['pnpm install --store-dir s --virtual-store-dir v --modules-dir m', 's v m'],
  ['pnpm add --global-dir g x', 'g'],
  ['yarn install --cache-folder c --modules-folder m', 'c m'],
  ['npm --script-shell x test', '? An option decides what npm runs or where it writes.'],
  ['npm --userconfig x ls', '? An option decides what npm runs or where it writes.'],
  ['npm --globalconfig x ls', '? An option decides what npm runs or where it writes.'],
  ['npm link', "? 'npm link' writes outside the project."],
  ['npm ln x', "x ? 'npm ln' writes outside the project."],
  ['pnpm setup', "? 'pnpm setup' writes outside the project."],
  ['pnpm env use 20', "(20) ? 'pnpm env' writes outside the project."],
  ['pnpm self-update', "? 'pnpm self-update' writes outside the project."],
  ['corepack npm ci', ''],
  ['corepack pnpm@9 --dir sub install', 'sub'],
  ['corepack enable', '? corepack changes the package managers of the machine.'],
  ['corepack disable', '? corepack changes the package managers of the machine.'],
  ['corepack prepare x', '? corepack changes the package managers of the machine.'],
  ['corepack install', '? corepack changes the package managers of the machine.'],
  ['corepack use x', ''],
  ['npm config set a b', '~/.npmrc'],
  ['npm config delete a', '~/.npmrc'],
  ['npm config edit', '~/.npmrc'],
  ['npm config get a', ''],
  ['npm c set a b', '~/.npmrc'],
  ['npm set a=b', '~/.npmrc'],
  ['npm config set a b --location=project', ''],
  ['npm login', '~/.npmrc'],
  ['npm adduser', '~/.npmrc'],
  ['npm logout', '~/.npmrc'],
  ['npm token create', '~/.npmrc'],
  ["npm exec -c 'touch x'", 'x'],
  ["npm exec --call 'touch x'", 'x'],
  ['npm exec -- touch x', 'x'],
  ['npm x rimraf a', 'a'],
  [
    'npm exec github:o/r',
    "? It is not known what 'r' is given to run later. ? It is not known what 'github:o/r' runs.",
  ],
  ['npm exec -p https://h/x.tgz y', "? It is not known what 'https://h/x.tgz' runs."],
  ['pnpm dlx rimraf a', 'a'],
  ['pnpm rimraf a', 'a'],
  ['yarn rimraf a', 'a'],
  ['yarn mkdirp a', 'a'],
  ['npm run build -- /x', '(build) (/x)'],
  ['npm run build /x', '(build) (/x)'],
  ['npm test ../x', '(../x)'],
  ['npm t', ''],
  ['npm start /x', '(/x)'],
  ['npm create x ../y', '(x) (../y)'],
  ['npm init ../y', '(../y)'],
  ['npm other -- /x', '(/x)'],
  ['npm other /x', ''],
  ['npm run-script x --cwd=/y', '/y (x)'],
  ['npm run x -w pkg --filter y --registry z --otp 1 --tag t --loglevel l', '(x)'],
  ['npm exec -- -- touch x', 'x'],
  ['pnpm dlx -- touch x', 'x'],
])('npm: finds the effects of %s', (command, expected) => {
  expect(outcome(command)).toBe(expected);
});
