// Several served directories: every path starts with the name of one.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { closeSearchWorkers, mountWorkspaces, openWorkspace, type Workspace } from '@croft/workspace';
import { makeScratch, type Scratch } from '@croft/workspace/testing';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Call, checkedCall } from './testing.ts';
import type { ToolsetName } from './toolset-names.ts';
import { makeToolset } from './toolsets.ts';
import { fixedWorkspace } from './workspace-source.ts';

let one: Scratch;
let two: Scratch;
let mounted: Workspace;
let call: Call;
beforeEach(() => {
  one = makeScratch(['src/a.ts = word', 'README.md = of one', 'leak => $OUT', 'in => src/a.ts']);
  two = makeScratch(['src/a.ts = word', 'src/app/b.ts = word word', 'only.txt = x']);
  // Both directories are named `workspace`; the caller gives the second another name.
  mounted = mountWorkspaces([
    { name: 'app', workspace: openWorkspace(one.workspace) },
    { name: 'app-2', workspace: openWorkspace(two.workspace) },
  ]);
  call = callsOf('full');
});
afterEach(() => {
  mounted.close();
  one.remove();
  two.remove();
});
afterAll(() => closeSearchWorkers());

const callsOf = (toolset: ToolsetName) =>
  checkedCall({ tools: makeToolset(toolset, fixedWorkspace(mounted)) }, [one.base, two.base]);
const data = async (name: string, input: object) => (await call(name, input)).data;

describe('paths', () => {
  it('lead into the workspace of their first part, with separate files of the same name', async () => {
    await call('write_file', { path: 'app/src/a.ts', content: 'changed' });
    expect((await data('read_file', { path: 'app/src/a.ts' })).content).toBe('     1→changed');
    expect((await data('read_file', { path: './app-2//src/a.ts' })).content).toBe('     1→word');
    expect((await data('read_file', { path: join(two.workspace, 'only.txt') })).content).toBe('     1→x');
    expect((await data('read_many', { paths: ['app/README.md', 'app-2/only.txt'] })).files).toHaveLength(2);
  });

  it('with `..` or an unknown name are refused, with the path as written', async () => {
    const error = async (path: string) => (await data('read_file', { path })).error;
    for (const path of [
      '..',
      '../app/src/a.ts',
      'app/..',
      'app/../app-2/only.txt',
      'app/../../x',
      '/etc/passwd',
      'app/leak/secret.txt',
      join(one.outside, 'secret.txt'),
    ]) {
      expect(await error(path), path).toBe(`Path escapes workspace boundary: ${path}`);
    }
    expect(await error('nope/a.ts')).toBe('File not found: nope/a.ts. Paths begin with one of: app, app-2');
    expect(await error('app/nope.ts')).toBe('File not found: app/nope.ts');
    expect(await error('app/a')).toBe('File not found: app/a');
    expect(await error('app')).toBe('Path is a directory, not a file: app');
    expect(await error('.')).toMatch(/^This is the list of workspaces/);
    expect((await data('write_file', { path: 'new.txt', content: 'x' })).error).toMatch(
      /Paths begin with one of: app, app-2$/,
    );
    expect((await data('create_dir', { path: 'third' })).error).toMatch(/Paths begin with one of: app, app-2$/);
    expect(existsSync(join(one.base, 'third'))).toBe(false);
  });

  it('of link targets start with the workspace name', async () => {
    expect((await data('file_info', { path: 'app/in' })).real_path).toBe('app/src/a.ts');
  });
});

describe('at the top', () => {
  it('lists the names page by page', async () => {
    expect(await data('list_dir', {})).toMatchObject({
      entries: [
        { name: 'app', type: 'directory' },
        { name: 'app-2', type: 'directory' },
      ],
      total: 2,
    });
    expect(await data('list_dir', { limit: 1 })).toMatchObject({
      entries: [{ name: 'app' }],
      total: 2,
      next_offset: 1,
    });
    expect(await data('list_dir', { offset: 1, limit: 1 })).toEqual({
      status: 'ok',
      path: '.',
      entries: [{ name: 'app-2', type: 'directory' }],
      total: 2,
    });
  });

  it('draws one tree of all workspaces, with one depth and one limit', async () => {
    expect((await data('get_file_tree', { depth: 2 })).tree).toBe(
      './\n  app/\n    src/\n    README.md\n    in\n    leak\n  app-2/\n    src/\n    only.txt',
    );
    expect(await data('get_file_tree', { depth: 1 })).toMatchObject({ tree: './\n  app/\n  app-2/', truncated: false });
    for (const limit of [1, 2, 3, 6, 7]) {
      const { entries, truncated } = await data('get_file_tree', { limit });
      expect([entries, truncated]).toEqual([limit, true]);
    }
  });

  it('glob treats them as directories of one workspace', async () => {
    const glob = async (pattern: string, path?: string) =>
      (await data('glob_search', { pattern, path })).matches ?? (await data('glob_search', { pattern, path })).error;
    expect(await glob('*')).toEqual(['app', 'app-2']);
    expect(await glob('app*')).toEqual(['app', 'app-2']);
    expect(await glob('**/a.ts')).toEqual(['app-2/src/a.ts', 'app/src/a.ts']);
    expect(await glob('**')).toContain('app');
    expect(await glob('app/src/*')).toEqual(['app/src/a.ts']);
    expect(await glob('*/src/*')).toEqual(['app-2/src/a.ts', 'app-2/src/app', 'app/src/a.ts']);
    expect(await glob('app[-]2/*.txt')).toEqual(['app-2/only.txt']);
    expect(await glob('{app,nope}/*.md')).toEqual(['app/README.md']);
    // `**` may match nothing; then the next part matches the name.
    expect(await glob('**/app/*')).toEqual(['app-2/src/app/b.ts', 'app/README.md', 'app/in', 'app/src']);
    expect(await glob('*.ts', 'app/src')).toEqual(['app/src/a.ts']);
    for (const pattern of ['', ' ', '../*', 'app/../*', '/etc/*'])
      expect(await glob(pattern), pattern).toMatch(/^Pattern must /);
    expect(await glob('*', 'nope')).toBe('Base path is not a directory: nope');
    expect(await glob('*', '../x')).toBe('Path escapes workspace boundary: ../x');
  });

  it('grep searches all or one, and counts hits in total', async () => {
    const paths = async (input: object) => ((await data('grep_search', input)).matches as string[]).toSorted();
    expect(await paths({ pattern: 'word' })).toEqual(['app-2/src/a.ts', 'app-2/src/app/b.ts', 'app/src/a.ts']);
    expect(await paths({ pattern: 'word', path: 'app' })).toEqual(['app/src/a.ts']);
    expect(await paths({ pattern: 'word', path: 'app-2/src/app/b.ts' })).toEqual(['app-2/src/app/b.ts']);
    writeFileSync(join(one.workspace, 'many'), 'hit\n'.repeat(200));
    writeFileSync(join(two.workspace, 'many'), 'hit\n'.repeat(200));
    const cut = await data('grep_search', { pattern: 'hit', output_mode: 'content' });
    expect([(cut.matches as unknown[]).length, cut.truncated]).toEqual([250, true]);
    expect((await data('grep_search', { pattern: 'x', path: 'nope' })).error).toBe('Path does not exist: nope');
  });
});

describe('moves and copies', () => {
  it('stay within one workspace', async () => {
    for (const name of ['move_path', 'copy_path']) {
      expect((await data(name, { source: 'app/README.md', destination: 'app-2/README.md' })).error).toBe(
        'Cannot move or copy between app and app-2; read and write instead',
      );
      expect((await data(name, { source: 'app', destination: 'app-2/x' })).error).toMatch(/between|cannot be moved/);
    }
    expect((await data('move_path', { source: 'app', destination: 'app/x' })).error).toMatch(
      /cannot be moved|into itself/,
    );
    expect((await call('copy_path', { source: 'app/README.md', destination: 'app/doc/R.md' })).ok).toBe(true);
    expect(readFileSync(join(one.workspace, 'doc/R.md'), 'utf8')).toBe('of one');
    expect((await data('move_path', { source: 'app/README.md', destination: 'app/doc/R.md' })).error).toBe(
      'Destination already exists: app/doc/R.md',
    );
    expect((await data('delete_path', { path: 'app', recursive: true })).error).toMatch(
      /^The workspace itself cannot be/,
    );
    expect(existsSync(two.workspace)).toBe(true);
  });
});

describe('the other toolsets', () => {
  it('see the same names', async () => {
    mkdirSync(join(one.workspace, 'dist'));
    call = callsOf('basic');
    expect((await call('list_dir', {})).text).toBe('DIR:  app\nDIR:  app-2');
    expect((await call('read_file', { path: '../x' })).text).toBe('access denied: path is outside the workspace');
    call = callsOf('explore');
    expect((await data('get-file-tree', { dirPath: '.', maxDepth: 1 })).tree).toBe('./\n  app/\n  app-2/');
    expect((await data('get-file-tree', { dirPath: one.workspace })).tree).toMatch(/^workspace\/\n {2}src\//);
    expect((await data('search-files', { dirPath: 'app', query: 'word' })).matches).toEqual([
      { path: 'app/src/a.ts', lineNumber: 1, line: 'word' },
    ]);
    expect((await data('list-files', { dirPath: '.', pattern: '**/*.ts' })).totalCount).toBe(3);
    expect((await data('read-file', { filePath: '/etc/passwd' })).error).toBe(
      'Path "/etc/passwd" is outside the allowed directory',
    );
  });
});
