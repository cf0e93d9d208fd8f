import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { mountWorkspaces } from './mount-workspaces.ts';
import { closeSearchWorkers } from './search/worker-pool.ts';
import { failureOf, makeScratch, type Scratch } from './testing.ts';
import { openWorkspace, type Workspace } from './workspace.ts';

let scratch: Scratch;
let both: Workspace;
let asked: string[];

beforeEach(() => {
  asked = [];
  scratch = makeScratch(['app/x/app/deep/a.ts', 'app/deep/b.ts', 'app/c,d.ts', 'lib/app/d.ts', 'lib/e.ts']);
  both = mountWorkspaces(
    ['app', 'lib'].map((name) => {
      const workspace = openWorkspace(join(scratch.workspace, name));
      const glob: Workspace['glob'] = (pattern, options) => {
        asked.push(`${name}: ${pattern}`);
        return workspace.glob(pattern, options);
      };
      return { name, workspace: { ...workspace, glob } };
    }),
  );
});
afterEach(() => {
  both.close();
  scratch.remove();
});
afterAll(closeSearchWorkers);

const find = async (pattern: string, braces = false) => (await both.glob(pattern, { braces })).matches;

it('asks each mount once, however many places a pattern may begin in', async () => {
  expect(await find('**/**/**/app/**/*.ts')).toEqual([
    'app/c,d.ts',
    'app/deep/b.ts',
    'app/x/app/deep/a.ts',
    'lib/app/d.ts',
  ]);
  expect(asked).toEqual(['app: {**/**/**/app/**/*.ts,**/*.ts}', 'lib: **/**/**/app/**/*.ts']);
});

it('asks each mount once for all alternatives', async () => {
  expect(await find('{app,lib}/{deep,app}/*.ts', true)).toEqual(['app/deep/b.ts', 'lib/app/d.ts']);
  expect(asked).toEqual(['app: {deep/*.ts,app/*.ts}', 'lib: {deep/*.ts,app/*.ts}']);
});

it('asks more than once where a comma is a letter of a name, or where one pattern would be too long', async () => {
  expect(await find('**/app/c,d*')).toEqual(['app/c,d.ts']);
  const long = `**/app/${'x'.repeat(600)}*`;
  expect(await find(long)).toEqual([]);
  expect(asked.filter((one) => one.startsWith('app'))).toEqual([
    'app: **/app/c,d*',
    'app: c,d*',
    `app: ${long}`,
    `app: ${'x'.repeat(600)}*`,
  ]);
});

describe('the result of a search of all mounts', () => {
  const ofLimits = (limits: object) => {
    both.close();
    const names = ['app', 'lib'];
    both = mountWorkspaces(
      names.map((name) => ({ name, workspace: openWorkspace(join(scratch.workspace, name), { limits }) })),
    );
  };

  it('has the mounts among the names, once each and in order', async () => {
    const result = { truncated: false, stoppedAfterMs: undefined, truncatedBranches: [] };
    expect(await both.glob('*')).toEqual({ ...result, matches: ['app', 'lib'] });
    expect(await both.glob('**/app', {})).toEqual({ ...result, matches: ['app', 'app/x/app', 'lib/app'] });
    expect(await both.glob('l{i,o}b/{,app}', { braces: true })).toEqual({ ...result, matches: ['lib', 'lib/app'] });
    expect(await both.glob('*', { path: 'lib/app' })).toEqual({ ...result, matches: ['lib/app/d.ts'] });
    expect(await both.glob('./lib//e.ts')).toEqual({ ...result, matches: ['lib/e.ts'] });
    expect(await both.glob('lib/**')).toEqual({ ...result, matches: ['lib/app', 'lib/app/d.ts', 'lib/e.ts'] });
  });

  it('says which branches of which mount it has only in part', async () => {
    ofLimits({ globResults: 2 });
    expect(await both.glob('**/*.ts')).toEqual({
      matches: ['app/c,d.ts', 'app/deep/b.ts'],
      truncated: true,
      stoppedAfterMs: undefined,
      truncatedBranches: ['app/x', 'lib'],
    });
    expect((await both.glob('lib/**/*.ts')).truncated).toBe(false);
  });

  it('has the lines of all mounts, one mount after the other, up to the most', async () => {
    const grep = (options: object) => both.grep({ pattern: '.ts', outputMode: 'content', ...options });
    const line = (mount: string, path: string) => ({
      path: `${mount}/${path}`,
      lineNumber: 1,
      line: `${mount}/${path}`,
    });
    const all = [
      line('app', 'c,d.ts'),
      line('app', 'deep/b.ts'),
      line('app', 'x/app/deep/a.ts'),
      line('lib', 'app/d.ts'),
      line('lib', 'e.ts'),
    ];
    const result = { kind: 'grep', truncated: false, filesSearched: 5, skipped: 0, stoppedAfterMs: undefined };
    expect(await grep({})).toEqual({ ...result, matches: all });
    expect(await grep({ maxMatches: 5 })).toEqual({ ...result, matches: all });
    const four = await grep({ maxMatches: 4 });
    expect([four.matches, four.truncated]).toEqual([all.slice(0, 4), true]);
    const three = await grep({ maxMatches: 3 });
    expect([three.matches, three.truncated]).toEqual([all.slice(0, 3), true]);
    const two = await grep({ maxMatches: 2 });
    expect([two.matches, two.truncated]).toEqual([all.slice(0, 2), true]);
    expect(await grep({ path: 'lib/app' })).toEqual({ ...result, filesSearched: 1, matches: [all[3]] });
    expect(await grep({ outputMode: 'files_with_matches', pattern: 'b' })).toEqual({
      ...result,
      matches: ['app/deep/b.ts', 'lib/app/d.ts', 'lib/e.ts'].map((path) => ({ path })),
    });
    ofLimits({ grepLines: 1 });
    expect((await grep({})).matches).toEqual(all.slice(0, 1));
  });

  it('names a missing place as the caller wrote it', async () => {
    const failure = await failureOf(() => both.grep({ pattern: 'x', path: 'lib/gone' }));
    expect([failure.code, failure.message]).toEqual(['not_found', 'Path does not exist: lib/gone']);
  });
});
