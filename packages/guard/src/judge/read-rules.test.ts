import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { makeScratch, type Scratch } from '@croft/workspace/testing';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { deniedRead, readRules } from './read-rules.ts';
import { MAX_PATH } from './spellings.ts';
import type { Place } from './spot.ts';

let scratch: Scratch;
let place: Place;
beforeEach(() => {
  scratch = makeScratch(['src/a.ts', '.env', 'link => .env', 'sub/.env', 'keys/id']);
  mkdirSync(join(scratch.base, 'home/.ssh'), { recursive: true });
  place = {
    root: scratch.workspace,
    roots: [scratch.workspace],
    home: join(scratch.base, 'home'),
    isWindows: false,
  } as unknown as Place;
});
afterEach(() => scratch.remove());

const reason = (path: string, ...globs: string[]) =>
  deniedRead(readRules(globs), path.replaceAll('$ROOT', scratch.workspace).replaceAll('$BASE', scratch.base), place);

it.each(['.env', './src/../.env', '$ROOT/.env', 'sub/.env', 'link', '/elsewhere/.env'])(
  'a rule without a directory denies %s everywhere, by each of its names',
  (path) => expect(reason(path, '.env')).toMatch(/may not be read \(\.env\)$/),
);

it.each(['.env.example', 'src/a.ts', 'env'])('the same rule does not deny %s', (path) =>
  expect(reason(path, '.env')).toBeUndefined(),
);

it('a rule with a directory is for that directory', () => {
  expect(reason('$ROOT/keys/id', 'keys/**')).toBeDefined();
  expect(reason('src/keys.ts', 'keys/**')).toBeUndefined();
});

it('a rule of the home directory holds there alone, also where the home is not known', () => {
  expect(reason('$BASE/home/.ssh/id_rsa', '~/.ssh/**')).toBeDefined();
  expect(reason('~/.ssh/id_rsa', '~/.ssh/**')).toBeDefined();
  expect(reason('$ROOT/.ssh/id_rsa', '~/.ssh/**')).toBeUndefined();
  place = { ...place, home: undefined };
  expect(reason('~/.ssh/id_rsa', '~/.ssh/**')).toBeDefined();
});

it('without rules nothing is denied, and a text of several lines does not count as a path', () => {
  expect(reason('.env')).toBeUndefined();
  expect(reason('.env\nx', '.env')).toBeUndefined();
});

it('sorts the rules by the directory they start at', () => {
  const rules = readRules(['~/a', 'b', '/~/c']);
  expect([readRules([]).isEmpty, rules.isEmpty]).toEqual([true, false]);
  expect([rules.home.match('a'), rules.home.match('b'), rules.home.match('~/c')]).toEqual(['/a', undefined, undefined]);
  expect([rules.below.match('a'), rules.below.match('b'), rules.below.match('~/c')]).toEqual([undefined, 'b', '/~/c']);
});

it('names the path and the rule', () => {
  expect(reason('$ROOT/keys/id', 'keys/**')).toBe(
    `Path '${join(scratch.workspace, 'keys/id').slice(0, 200)}' may not be read (keys/**)`,
  );
  expect(reason(`${'a/'.repeat(150)}.env`, '.env')).toBe(`Path '${'a/'.repeat(100)}' may not be read (.env)`);
  expect(reason('$BASE/home/.ssh/x', '~/.ssh/**')).toMatch(/\(\/\.ssh\/\*\*\)$/);
});

it('denies a path by each of its names and by the target of a link', () => {
  symlinkSync(join(scratch.workspace, 'keys'), join(scratch.base, 'home/keys'));
  symlinkSync(join(scratch.base, 'home/.ssh'), join(scratch.workspace, 'ssh'));
  const rule = '(keys/**)';
  for (const path of [
    'keys/id',
    './keys',
    'src/../keys/id',
    '$ROOT/./keys/id',
    '$ROOT\\keys\\id',
    '$BASE/home/keys/id',
  ])
    expect(reason(path, 'keys/**'), path).toContain(rule);
  expect(reason('ssh', '~/.ssh/**')).toContain('(/.ssh/**)');
  for (const path of ['$ROOT', '$ROOT-2/keys/id', '$BASE/keys/id', 'ssh/new'])
    expect(reason(path, 'keys/**', '~/.ssh/x'), path).toBeUndefined();
  place = { ...place, home: undefined };
  expect(reason('link', '.env')).toBeUndefined();
  expect(reason('$ROOT/keys/id', 'keys/**')).toContain(rule);
  expect(reason('~x/.ssh', '~/.ssh')).toBeUndefined();
});

it('reads paths up to the longest path of a system', () => {
  const longest = `${'a'.repeat(MAX_PATH - 5)}/.env`;
  expect(longest).toHaveLength(MAX_PATH);
  expect(reason(longest, '.env')).toBeDefined();
  expect(reason(`a${longest}`, '.env')).toBeUndefined();
});
