import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { callTool, openActivity } from '@croft/tools';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { captureOutput } from '../../../../tests/support/capture-output.ts';
import { testDir } from '../../../../tests/support/temp-dir.ts';
import { openSharedDirectory, type SharedDirectory } from './connect-shared.ts';

let dir: string;
let base: string;
let shared: SharedDirectory | undefined;
const before = process.cwd();
beforeEach(() => {
  const top = testDir();
  dir = join(top, 'work');
  base = join(top, 'base');
  mkdirSync(dir);
  for (const name of ['.env', 'a.txt']) writeFileSync(join(dir, name), 'x');
  vi.stubEnv('CROFT_BASE_DIR', base);
});
afterEach(() => {
  shared?.close();
  shared = undefined;
  process.chdir(before);
  vi.unstubAllEnvs();
});
const open = (allowWrite = false, at: string | undefined = dir) => (shared = openSharedDirectory(at, allowWrite));
const names = ({ tools }: SharedDirectory['table']) => tools.map(({ name }) => name);
const call = async (table: SharedDirectory['table'], name: string, input: object) => callTool(table, { name, input });

describe('a shared directory', () => {
  it('can be read, except for protected files', async () => {
    const { table, operations, workspace } = open();
    expect(table).toBe(operations);
    expect(names(table)).not.toContain('write_file');
    expect(workspace.root).toBe(dir);
    expect(() => workspace.createDir('new')).toThrow();
    const listed = workspace.list('.').entries.map(({ name }) => name);
    expect(listed).toEqual(['a.txt']);
  });

  it('can be changed with the permission, and records calls', async () => {
    const { table, operations } = open(true);
    expect(names(operations)).not.toContain('write_file');
    expect((await call(table, 'write_file', { path: 'b.txt', content: 'x' })).ok).toBe(true);
    expect(existsSync(join(dir, 'b.txt'))).toBe(true);
    expect(openActivity(base, dir).entries()).toMatchObject([{ tool: 'write_file' }]);
  });

  it('leaves out directories of dependencies where it can only be read', async () => {
    mkdirSync(join(dir, 'node_modules'));
    mkdirSync(join(dir, 'src'));
    const { operations } = open();
    const listed = await call(operations, 'get-file-tree', { dirPath: '.' });
    expect(JSON.stringify(listed)).toContain('src');
    expect(JSON.stringify(listed)).not.toContain('node_modules');
  });

  it('is the current one unless named, and not the home', () => {
    vi.stubEnv('HOME', dir);
    process.chdir(dir);
    expect(() => openSharedDirectory(undefined, false)).toThrow(
      `This is your home directory. Go to the directory to share, or pass --dir ${dir}`,
    );
    expect(open().workspace.root).toBe(dir);
    shared?.close();
    vi.stubEnv('HOME', base);
    shared = openSharedDirectory(undefined, false);
    expect(shared.workspace.root).toBe(dir);
  });

  it('is shared without a log where none can be written', async () => {
    const output = captureOutput();
    writeFileSync(base, '');
    const { table } = open(true);
    expect(output.err).toContain('activity log and undo are off');
    expect(table.activity).toBeUndefined();
  });

  it('ends with close', () => {
    const { workspace, close } = open();
    close();
    shared = undefined;
    expect(() => workspace.list('.')).toThrow();
  });

  it('writes unexpected errors to standard error', () => {
    const output = captureOutput();
    const report = open().table.onInternalError as (error: unknown, tool: string) => void;
    report(new Error('broken'), 'grep');
    report('\u009btext', 'list');
    expect(output.err).toBe('croft: grep failed unexpectedly: broken\ncroft: list failed unexpectedly: \\u009btext\n');
  });
});
