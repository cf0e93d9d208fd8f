import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, expect, it } from 'vitest';
import { mountWorkspaces } from './mount-workspaces.ts';
import { closeSearchWorkers } from './search/worker-pool.ts';
import { makeScratch, type Scratch } from './testing.ts';
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
