import { describe, expect, it } from 'vitest';
import { codeOf, failureOf } from '@croft/workspace/testing';
import type { TreeEntryFrame } from '../../frames.ts';
import { packTree } from '../tree/pack-tree.ts';
import { EXPLORE, isTreeTool, makeTreeAnswers, NotInTree, relativeToRoot } from './tree-answers.ts';

const ENTRIES: readonly TreeEntryFrame[] = [
  { path: 'src', type: 'directory' },
  { path: 'src/a.ts', type: 'file', sizeBytes: 3 },
  { path: 'src/deep', type: 'directory' },
  { path: 'src/deep/b.ts', type: 'file', sizeBytes: 5 },
  { path: 'README.md', type: 'file', sizeBytes: 9 },
];
const LISTING = { type: 'all', recursive: true, maxResults: 200 };
const answer = makeTreeAnswers();
const ask = (name: string, input: object, more: { isCut?: boolean; canAsk?: boolean; rootPath?: string } = {}) => {
  const { isCut = false, canAsk = false, rootPath = '/home/ann/p' } = more;
  return answer(
    { rootPath, tree: packTree(ENTRIES, isCut, rootPath), canAsk },
    { name, input: { ...LISTING, ...input } },
  );
};
const filesOf = async (input: object, more?: Parameters<typeof ask>[2]) =>
  JSON.stringify((await ask('list-files', input, more)).data);

describe('an answer from a cached tree', () => {
  it.each(['src', './src', 'src/deep/..', '/home/ann/p/src', '/home/ann/p/src/', '/home/ann/p/./src'])(
    'is that of the directory %s',
    async (dirPath) => {
      const files = await filesOf({ dirPath });
      expect(files).toContain('a.ts');
      expect(files).not.toContain('README');
    },
  );

  it('never leaves the directory', async () => {
    for (const dirPath of ['..', 'src/../..', '/home/ann', '/home/ann/p2', '/home/ann/p/../q', '/'])
      expect(await codeOf(() => ask('list-files', { dirPath })), dirPath).toBe('outside');
    expect(await codeOf(() => ask('list-files', { dirPath: 'a\0b' }))).toBe('invalid');
  });

  it('understands paths of Windows', async () => {
    const rootPath = 'C:\\Users\\ann\\p';
    expect(await filesOf({ dirPath: 'C:\\Users\\ann\\p\\src' }, { rootPath })).toContain('a.ts');
    expect(await filesOf({ dirPath: 'src\\deep' }, { rootPath })).toContain('b.ts');
    expect(await codeOf(() => ask('list-files', { dirPath: 'D:\\x' }, { rootPath }))).toBe('outside');
  });

  it('says what is not a directory or is not there', async () => {
    const refusal = async (dirPath: string, canAsk: boolean) => {
      const { code, message } = await failureOf(() => ask('list-files', { dirPath }, { canAsk }));
      return `${code}: ${message}`;
    };
    expect([
      await refusal('README.md', false),
      await refusal('no', false),
      await refusal('no', true),
      await refusal('../x', true),
      await refusal('a\0b', true),
    ]).toEqual([
      'not_directory: Not a directory: README.md',
      "not_found: Not in the connected directory's tree: no",
      'not_found: Not in the tree that the server has: no',
      'outside: Path "../x" is outside the allowed directory',
      'invalid: Path contains NUL byte',
    ]);
  });

  it('is left to the machine where the tree is not sure of it', async () => {
    const uncertain = async (dirPath: string, isCut: boolean, recursive = true) => {
      try {
        await ask('list-files', { dirPath, recursive }, { canAsk: true, isCut });
        return false;
      } catch (error) {
        return error instanceof NotInTree;
      }
    };
    expect([await uncertain('no', false), await uncertain('README.md', false), await uncertain('src', true)]).toEqual([
      true,
      true,
      true,
    ]);
    expect(await filesOf({ dirPath: 'src' }, { isCut: true })).toContain('a.ts');
    // A tree that was cut has everything but its deepest level.
    expect([await uncertain('src', true, false), await uncertain('src/deep', true, false)]).toEqual([false, true]);
  });

  it('is the one of its own tree where two directories have the same path', async () => {
    const other = packTree(
      [
        { path: 'src', type: 'directory' },
        { path: 'src/other.ts', type: 'file' },
      ],
      false,
    );
    const first = await filesOf({ dirPath: 'src' });
    const second = await answer(
      { rootPath: '/q', tree: other, canAsk: false },
      { name: 'list-files', input: { ...LISTING, dirPath: 'src' } },
    );
    expect([first.includes('a.ts'), JSON.stringify(second.data).includes('other.ts')]).toEqual([true, true]);
    expect(JSON.stringify(second.data)).not.toContain('a.ts');
  });
});

it('answers only the two tools that need no content', async () => {
  expect(EXPLORE.filter(({ name }) => isTreeTool(name)).map(({ name }) => name)).toEqual([
    'get-file-tree',
    'list-files',
  ]);
  expect(() => ask('read-file', { filePath: 'README.md' })).toThrow(
    new NotInTree('not_found', 'No answer from a tree: read-file'),
  );
});

it('gives clients of the first dialect paths below the root', () => {
  const rows = [
    ['/home/ann/p/src/a.ts', 'src/a.ts'],
    ['/home/ann/p', '.'],
    ['src/./a.ts', 'src/a.ts'],
    ['../x', '../x'],
    ['/etc/passwd', '/etc/passwd'],
  ] as const;
  for (const [given, expected] of rows) expect(relativeToRoot('/home/ann/p', given), given).toBe(expected);
});
