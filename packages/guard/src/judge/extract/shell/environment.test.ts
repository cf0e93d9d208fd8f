import { expect, it } from 'vitest';
import { effects } from './testing.ts';

it.each([['TMPDIR=/x mktemp', '/x/tmp.XXXXXX']])(
  'the environment: finds what is written by %s',
  (command, expected) => {
    expect(effects(command)).toBe(expected);
  },
);

it.each([
  'A=b ls',
  'EDITOR=true git commit',
  'GIT_AUTHOR_NAME=x git commit',
  'GIT_TRACE=1 git status',
  'npm_config_yes=true npm ls',
  'CARGO_TARGET_DIR=target cargo build',
  'PATH=./node_modules/.bin:$PATH ls',
  'PATH=/usr/bin:/bin ls',
  'NODE_OPTIONS=--max-old-space-size=4096 node s.js',
  'PS1=x ls',
  'MAKEFLAGS=-j4 make',
  'GOFLAGS=-mod=mod go vet',
  'PAGER=less git log',
])('the environment: finds nothing that is written by %s', (command) => {
  expect(effects(command)).toBe('');
});

it.each([
  'PATH=/x:$PATH ls',
  'LD_PRELOAD=x ls',
  'GIT_DIR=x git commit',
  'GIT_SSH_COMMAND=x git fetch',
  "NODE_OPTIONS='--require x' node s.js",
  'export PATH=$PATH:/x',
  'EDITOR=x git commit',
  'PYTHONSTARTUP=x python',
  'BASH_ENV=x bash -c ls',
  'GIT_TRACE=/x git status',
  'npm_config_prefix=/x npm ls',
  'CARGO_TARGET_DIR=/x cargo build',
  'CARGO_TARGET_DIR=a/../../x cargo build',
  'PATH=node_modules/.bin:$PATH ls',
  'PATH=/tmp/bin:/bin ls',
  'NODE_OPTIONS=--import=./x node s.js',
  "PS1='$(touch x)' ls",
  'MAKEFLAGS=-fx make',
  'GOFLAGS=-toolexec=x go vet',
  "PAGER='sh -c x' git log",
])('the environment: cannot tell what is written by %s', (command) => {
  expect(effects(command)).toBe('?');
});
