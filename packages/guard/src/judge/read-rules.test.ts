import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { makeScratch, type Scratch } from '@croft/workspace/testing';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { deniedRead, readRules } from './read-rules.ts';
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
