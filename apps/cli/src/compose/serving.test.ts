import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { callTool, openActivity, type ToolTable } from '@croft/tools';
import { resolveNamespace, WorkspaceError } from '@croft/workspace';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { captureOutput } from '../../../../tests/support/capture-output.ts';
import { testDir } from '../../../../tests/support/temp-dir.ts';
import { SERVING } from '../../../../tests/support/use-agents.ts';
import { openServing, type Serving, type ServingOptions } from './serving.ts';

const OPTIONS: ServingOptions = { dirs: [], ...SERVING };
let top: string;
let base: string;
let opened: Serving[];
beforeEach(() => {
  top = testDir();
  base = join(top, 'base');
  opened = [];
  vi.stubEnv('CROFT_BASE_DIR', base);
});
afterEach(() => {
  for (const serving of opened) serving.close();
  vi.unstubAllEnvs();
});

function dir(name: string): string {
  mkdirSync(join(top, name), { recursive: true });
  return join(top, name);
}
function serve(dirs: readonly string[], more: Partial<ServingOptions> = {}): Serving {
  const serving = openServing({ ...OPTIONS, dirs, ...more });
  opened.push(serving);
  return serving;
}
const call = async ({ table }: Serving, name: string, args: object) => callTool(table, { name, input: args });
const tools = ({ table }: { table: ToolTable }) => table.tools.map(({ name }) => name);
const calls = (root: string) =>
  openActivity(base, root)
    .entries()
    .map(({ tool }) => tool);

describe('the served directories', () => {
  it('must be named and exist', () => {
    expect(() => serve([])).toThrow('Name the directory to serve, e.g. croft mcp ~/projects/app');
    expect(() => serve([join(top, 'none')])).toThrow('Not a directory');
  });

  it('have tools, a log and a trash', async () => {
    const root = dir('one');
    const serving = serve([root]);
    expect(serving).toMatchObject({ names: ['one'], roots: [root], hasTrash: true, readFiles: [] });
    expect(serving.stateDirs).toEqual([expect.stringContaining(join(base, 'activity'))]);
    expect(existsSync(serving.stateDirs[0] ?? '')).toBe(true);
    expect((await call(serving, 'write_file', { path: 'a.txt', content: 'x' })).ok).toBe(true);
    expect(existsSync(join(root, 'a.txt'))).toBe(true);
    expect(calls(root)).toEqual(['write_file']);
  });

  it('get names of their own where two are called alike, and a path starts with one', async () => {
    const roots = [dir('a/app'), dir('b/app'), dir('c/app')];
    const serving = serve(roots);
    expect(serving.names).toEqual(['app', 'app-2', 'app-3']);
    expect(serving.roots).toEqual(roots);
    expect(serving.stateDirs).toHaveLength(3);
    await call(serving, 'write_file', { path: 'app-2/x.txt', content: 'x' });
    await call(serving, 'write_file', { path: './app-3/x.txt', content: 'x' });
    await call(serving, 'write_file', { path: 'app/x.txt', content: 'x' });
    expect(existsSync(join(roots[1] as string, 'x.txt'))).toBe(true);
    expect(roots.map(calls)).toEqual([['write_file'], ['write_file'], ['write_file']]);
    await call(serving, 'list_dir', { path: 'none' });
    await call(serving, 'write_file', { path: join(roots[2] as string, 'y.txt'), content: 'x' });
    serving.close();
    expect(roots.map((root) => calls(root).filter((tool) => tool === 'write_file').length)).toEqual([1, 1, 2]);
  });

  it('are read-only, or show more or fewer files, as the flags say', async () => {
    const root = dir('one');
    for (const name of ['.env', 'hidden.txt', 'seen.txt']) writeFileSync(join(root, name), 'x');
    expect(tools(serve([root], { readOnly: true }))).not.toContain('write_file');
    expect(tools(serve([root]))).toContain('write_file');
    expect(tools(serve([root], { toolset: 'explore' })).length).toBeLessThan(tools(serve([root])).length);
    const listed = async (more: Partial<ServingOptions>) =>
      JSON.stringify(await call(serve([root], more), 'list_dir', { path: '.' }));
    const usual = await listed({});
    expect(usual).toContain('hidden.txt');
    expect(usual).not.toContain('.env');
    expect(await listed({ denyList: false })).toContain('.env');
    const fewer = await listed({ ignore: ['hidden.txt'] });
    expect(fewer).toContain('seen.txt');
    expect(fewer).not.toContain('hidden.txt');
  });

  it('have quotas of bytes and of files', async () => {
    const write = (serving: Serving) => call(serving, 'write_file', { path: 'a.txt', content: 'xxxx' });
    expect((await write(serve([dir('one')], { quotaBytes: 3 }))).ok).toBe(false);
    expect((await write(serve([dir('two')], { quotaBytes: 4_000 }))).ok).toBe(true);
    expect((await write(serve([dir('three')], { quotaFiles: 0 }))).ok).toBe(false);
    expect((await write(serve([dir('four')], { quotaFiles: 5 }))).ok).toBe(true);
  });

  it('ask before a change that removes, if the flag says so', async () => {
    const root = dir('one');
    writeFileSync(join(root, 'a.txt'), 'x');
    const asks = await call(serve([root], { confirm: true }), 'delete_path', { path: 'a.txt' });
    expect(asks.data).toHaveProperty('confirm_token');
    expect(existsSync(join(root, 'a.txt'))).toBe(true);
    await call(serve([root]), 'delete_path', { path: 'a.txt' });
    expect(existsSync(join(root, 'a.txt'))).toBe(false);
  });

  it('are served with a warning where they are the whole disk', () => {
    const output = captureOutput();
    serve(['/'], { readOnly: true });
    expect(output.err).toBe(
      'croft: warning: / is the whole disk: agents reach all that this user can, protected names excepted\n',
    );
    expect(opened[0]?.names).toEqual(['root']);
  });

  it('are served without log and undo where the base directory cannot be written', async () => {
    const output = captureOutput();
    writeFileSync(base, 'a file');
    const serving = serve([dir('one'), dir('two')]);
    expect(serving).toMatchObject({ hasTrash: false, stateDirs: [] });
    expect(serving.table.activity).toBeUndefined();
    expect(output.err).toContain('croft: activity log and undo are off');
  });
});

describe('the namespace of a user', () => {
  it('is served by the id of the user', async () => {
    const serving = serve([], { user: 'ann' });
    const { root } = resolveNamespace({ userId: 'ann', forceIsolation: true });
    expect(serving).toMatchObject({ names: ['user'], roots: [root], hasTrash: true });
    expect(serving.readFiles).toEqual([join(base, 'workspaces', '.fs_pepper')]);
    await call(serving, 'write_file', { path: 'a.txt', content: 'x' });
    expect([existsSync(join(root, 'a.txt')), calls(root)]).toEqual([true, ['write_file']]);
  });

  it('takes no directory and needs an id', () => {
    expect(() => serve([dir('one')], { user: 'ann' })).toThrow(
      '--user serves the namespace of that user and takes no directory',
    );
    expect(() => serve([], { user: ' ' })).toThrow('--user needs the id of a user');
  });
});

it('writes unexpected errors for the operator to standard error', () => {
  const output = captureOutput();
  const { table } = serve([dir('one')]);
  const report = table.onInternalError as (error: unknown, tool: string) => void;
  report(new WorkspaceError('invalid', 'for the model', { operatorMessage: 'for the operator' }), 'read_file');
  report('\u009btext', 'grep');
  expect(output.err).toBe(
    'croft: read_file failed unexpectedly: for the operator\ncroft: grep failed unexpectedly: \\u009btext\n',
  );
  output.err = '';
  report(new Error('broken'), 'grep');
  expect(output.err).toMatch(/^croft: grep failed unexpectedly: Error: broken\n {4}at /);
});
