import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, expect, it } from 'vitest';
import { makeScratch, type Scratch } from '../testing.ts';
import { openWorkspace, type Workspace } from '../workspace.ts';
import { closeSearchWorkers } from './worker-pool.ts';

let scratch: Scratch;
let workspace: Workspace;

beforeEach(() => {
  scratch = makeScratch([]);
  workspace = openWorkspace(scratch.workspace);
});
afterEach(() => {
  workspace.close();
  scratch.remove();
});
afterAll(closeSearchWorkers);

const put = (name: string, content: string) => writeFileSync(join(scratch.workspace, name), content);

it.each<[string, boolean, string[]]>([
  ['(foo|bar)+!', false, ['foobar!', 'bar!']],
  ['(foo|bar)+!', true, ['foobar!', 'FooBAR!', 'bar!']],
  ['(o{1,2}b){1,}a{0,20}(r|x)+', true, ['foobar!', 'FooBAR!']],
  ['(?:\\p{Lu}\\p{L}*)+B', false, ['FooBAR!']],
  ['(é+)+', true, ['É']],
  ['(?=foo)(?!foobaz)foobar', false, ['foobar!']],
])('a pattern that nests repeats finds its lines: %s, ignoring case %s', async (pattern, caseInsensitive, found) => {
  put('f', 'foobar!\nfoobaz\nFooBAR!\nbar!\nÉ\n');
  const { matches } = await workspace.grep({ pattern, isRegex: true, caseInsensitive, outputMode: 'content' });
  expect(matches.map((match) => match.line)).toEqual(found);
});

it.each([
  ['((a)+)+$', true],
  ['(a+){2,}$', true],
  ['(a|aa)+$', true],
  ['(a+){20,}$', false],
  ['(\\p{L}+)+$', false],
  ['([é-ü]+|a+)+$', true],
])('a pattern that backtracks in V8 alone ends before its deadline: %s, ignoring case %s', async (pattern, ignores) => {
  const evil = ignores ? 'aA'.repeat(2_000) : 'a'.repeat(4_000);
  put('evil', `${evil}!\n`.repeat(3));
  put('good', `${evil}\n`);
  const found = await workspace.grep({ pattern, isRegex: true, caseInsensitive: ignores });
  expect(found).toMatchObject({ matches: [{ path: 'good' }], truncated: false });
});
