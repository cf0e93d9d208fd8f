import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { testDir } from '../support/temp-dir.ts';
import { importProblems, readModules } from '../../scripts/imports.mjs';

let root: string;

beforeEach(() => {
  root = testDir();
  for (const name of ['workspace', 'flow', 'tools', 'models', 'components', 'guard', 'assistant'])
    write(`packages/${name}/src/index.ts`, 'export type Thing = string;\nexport const thing = 1;\n');
  for (const name of ['server', 'studio', 'cli']) write(`apps/${name}/src/main.ts`, 'export const main = 1;\n');
});

function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

async function problemsOf(path: string, text: string): Promise<readonly string[]> {
  write(path, text);
  return importProblems(await readModules(root));
}

const from = (name: string) => `'../../../packages/${name}/src/index.ts'`;

describe('the import rules', () => {
  it.each([
    ['a static import', "import { readFileSync } from 'node:fs';\nexport const read = readFileSync;"],
    ['an import of types', "import type { Stats } from 'node:fs';\nexport type S = Stats;"],
    ['a name without the prefix', "import { join } from 'path';\nexport const j = join;"],
    ['a dynamic import', "export const load = () => import('node:crypto');"],
    ['an export from', "export { join } from 'node:path';"],
    ['a type in place', "export type S = import('node:fs').Stats;"],
  ])('refuse %s of Node in the flow package', async (_, text) => {
    expect(await problemsOf('packages/flow/src/a.ts', text)).toEqual([
      expect.stringMatching(/^packages\/flow\/src\/a\.ts imports .*: packages\/flow runs in a browser/),
    ]);
  });

  it('allow Node in a package that runs on a server', async () => {
    expect(await problemsOf('packages/workspace/src/a.ts', "export { join } from 'node:path';")).toEqual([]);
  });

  it.each([
    ['flow', 'workspace', 'a package of its own row'],
    ['models', 'workspace', 'a package below that it may not import'],
    ['guard', 'tools', 'a package below that it may not import'],
    ['workspace', 'components', 'a package above'],
  ])('refuse that %s imports code or types of %s, %s', async (own, target) => {
    for (const text of [`export { thing } from ${from(target)};`, `export type { Thing } from ${from(target)};`])
      expect(await problemsOf(`packages/${own}/src/a.ts`, text)).toEqual([
        `packages/${own}/src/a.ts imports packages/${target}/src/index.ts: packages/${own} may not import packages/${target}`,
      ]);
  });

  it('allow what the table has', async () => {
    const text = ['workspace', 'flow', 'tools', 'models'].map((name) => `import ${from(name)};`).join('\n');
    expect(await problemsOf('packages/components/src/a.ts', text)).toEqual([]);
  });

  it('allow types alone where the table says so', async () => {
    expect(await problemsOf('packages/assistant/src/a.ts', `export type { Thing } from ${from('workspace')};`)).toEqual(
      [],
    );
    expect(await problemsOf('packages/assistant/src/a.ts', `export { thing } from ${from('workspace')};`)).toEqual([
      'packages/assistant/src/a.ts imports code of packages/workspace: use `import type`',
    ]);
  });

  it('keep component code out of the studio', async () => {
    const text = `export { thing } from ${from('components')};`;
    expect(await problemsOf('apps/cli/src/a.ts', text)).toEqual([]);
    expect(await problemsOf('apps/studio/src/a.ts', text)).toHaveLength(1);
  });

  it('refuse a package without an entry', async () => {
    expect(await problemsOf('packages/extra/src/a.ts', 'export const a = 1;')).toEqual([
      'packages/extra has no entry in scripts/imports.mjs',
    ]);
  });
});
