import { join } from 'node:path';
import { makeScratch } from '@croft/workspace/testing';
import { describe, expect, it } from 'vitest';
import { testPolicy } from '../testing.ts';
import { asCwd, directoriesOutside } from './directory-arguments.ts';
import { judgeToolCall } from './judge.ts';
import { openPlace } from './place.ts';
import { pathRules } from './protect.ts';
import type { Place } from './spot.ts';

/** The decision of each mode about a call of a shell tool with these arguments. `$NEIGHBOUR` is a directory outside. */
function decide(args: Record<string, unknown>): { strict: string; byDefault: string } {
  const scratch = makeScratch(['src/', 'file.txt', '../neighbour/', '../tool.sh']);
  try {
    const text = JSON.stringify(args).replaceAll('$NEIGHBOUR', join(scratch.base, 'neighbour'));
    const of = (strict: boolean) => {
      const call = { name: 'terminal', arguments: JSON.parse(text) as unknown };
      const { decision, rule } = judgeToolCall(call, testPolicy({ strict }), scratch.workspace);
      return `${decision} ${rule}`;
    };
    return { strict: of(true), byDefault: of(false) };
  } finally {
    scratch.remove();
  }
}

const nested = (depth: number): Record<string, unknown> => (depth === 0 ? { cd: '..' } : { a: nested(depth - 1) });

const UNDECIDABLE = { strict: 'block undecidable-command', byDefault: 'allow undecidable-command' };
const ALLOWED = { strict: 'allow allowed', byDefault: 'allow allowed' };

describe('an argument of a shell tool that may be the directory of the command', () => {
  it.each(['cd', 'chdir', 'path', 'start_in', 'location', 'where', 'project', 'in'])(
    'makes relative paths undecidable if it leads outside: %s',
    (key) => {
      expect(decide({ command: 'touch x', [key]: '..' })).toEqual(UNDECIDABLE);
      expect(decide({ command: 'touch x', [key]: '$NEIGHBOUR' })).toEqual(UNDECIDABLE);
      expect(decide({ command: 'rm -rf build', [key]: '~/elsewhere' })).toEqual(UNDECIDABLE);
      expect(decide({ command: 'touch x', options: { [key]: '../neighbour' } })).toEqual(UNDECIDABLE);
    },
  );

  it.each<[string, Record<string, unknown>]>([
    ['leads inside', { command: 'touch x', cd: 'src' }],
    ['is the project itself', { command: 'touch x', cd: '.' }],
    ['is an existing file', { command: 'touch x', profile: '../tool.sh' }],
    ['selects the shell', { command: 'touch x', shell: '/usr/local/bin/no-such-shell' }],
    ['is a sentence', { command: 'touch x', about: '/ is where this never runs' }],
    ['is a text for people', { command: 'touch x', description: '../neighbour' }],
    ['is a variable of the environment', { command: 'touch x', env: { DATA: '/srv/data' } }],
    ['is a URL', { command: 'touch x', origin: 'https://example.org/../x' }],
    ['is another URL', { command: 'touch x', origin: 'git+ssh://example.org/../../x' }],
    ['is empty', { command: 'touch x', cd: ' ' }],
    ['has several lines', { command: 'touch x', cd: '..\n..' }],
    ['is longer than any path', { command: 'touch x', cd: `../${'a'.repeat(4_094)}` }],
    ['is null or a number', { command: 'touch x', cd: null, timeout: 5 }],
    ['is in a list', { command: 'touch x', cd: ['..'] }],
    ['is below nine levels', { command: 'touch x', ...nested(9) }],
    ['is the command itself', { command: '/usr/bin/env', cd: '/usr/bin/env' }],
    ['has four words', { command: 'touch x', about: '/a b c d' }],
  ])('changes nothing if it %s', (_, args) => {
    expect(decide(args)).toEqual(ALLOWED);
  });

  it.each<[string, Record<string, unknown>]>([
    ['a URL of a file', { cd: 'file:///srv' }],
    ['a path of the greatest length', { cd: `../${'a'.repeat(4_093)}` }],
    ['a path of three words', { cd: '/a b c' }],
    ['a path with blanks around it', { cd: ' .. ' }],
    ['a path below eight levels', nested(8)],
  ])('may be %s', (_, args) => {
    expect(decide({ command: 'touch x', ...args })).toEqual(UNDECIDABLE);
  });

  it.each(['ls', 'npm test', 'git status'])('changes nothing for a command without relative paths: %s', (command) => {
    expect(decide({ command, cd: '..' })).toEqual(ALLOWED);
  });

  it('still blocks a path outside, and a directory outside under a known name', () => {
    expect(decide({ command: 'touch ../x', cd: '..' }).byDefault).toBe('block outside-path');
    expect(decide({ command: 'touch x', cwd: '..' }).byDefault).toBe('block outside-path');
  });
});

it.each([
  ['/a', '/a'],
  ['C:\\a', 'C:\\a'],
  ['src', 'src'],
  ['src/a', 'src/a'],
  ['~', '/home/u'],
  ['~/a', '/home/u/a'],
  ['~x', '/'],
  ['../a', '../a'],
  ['$X', '/'],
  ['a b', '/'],
])('reads a command in %s from %s', (directory, cwd) => {
  expect(asCwd(directory, { home: '/home/u' } as Place)).toBe(cwd);
});

it('does not know the home directory of a place without one', () => {
  expect(asCwd('~/a', { home: undefined } as Place)).toBe('/');
});

it('finds each directory outside once', () => {
  const scratch = makeScratch(['src/', '../neighbour/', '../tool.sh', 'keep/']);
  const place = openPlace(testPolicy(), scratch.workspace);
  const found = (args: unknown, commands: readonly unknown[] = [], home: string | undefined = place.home) =>
    directoriesOutside(args, commands, { ...place, home }, pathRules(['keep']));
  try {
    expect(found({ a: ' .. ', b: { c: '..', d: '/srv/x' }, e: 'src', f: 'keep', g: '../tool.sh' })).toEqual([
      '..',
      '/srv/x',
    ]);
    expect(found({ a: '..', b: '../neighbour' }, ['..'])).toEqual(['../neighbour']);
    expect(found({ a: '~', b: '~/x y' }, [], join(scratch.base, 'neighbour'))).toEqual(['~', '~/x y']);
    expect(found({ a: '/a b c', b: '/a b c d', c: `${join(scratch.base, 'neighbour')}` })).toEqual([
      '/a b c',
      join(scratch.base, 'neighbour'),
    ]);
    for (const args of ['..', ['..'], null, 7, { a: ['..'] }, { command: '..', cwd: '..', env: '..', shell: '..' }])
      expect(found(args), JSON.stringify(args)).toEqual([]);
  } finally {
    place.close();
    scratch.remove();
  }
});
