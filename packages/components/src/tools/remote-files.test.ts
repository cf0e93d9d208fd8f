import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FlowTool, NodeCall } from '@croft/flow';
import { type AnyTool, fixedWorkspace, makeToolset } from '@croft/tools';
import { closeSearchWorkers, openWorkspace, type Workspace } from '@croft/workspace';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { fileDir } from '../../../../tests/support/temp-dir.ts';
import type { Services } from '../services.ts';
import { runNode, textsOf, declaredBy } from '../testing.ts';
import { remoteFiles } from './remote-files.ts';

const dir = fileDir();
let shared: Workspace;
/** The tools of a daemon, over its real directory. */
let services: Services;

beforeAll(() => {
  mkdirSync(join(dir, 'shared'));
  writeFileSync(join(dir, 'shared/notes.md'), 'granite\nslate\n');
  writeFileSync(join(dir, 'private.txt'), 'private');
  shared = openWorkspace(join(dir, 'shared'));
  services = { machineTools: async () => makeToolset('explore', fixedWorkspace(shared)), now: () => new Date(0) };
});
afterAll(async () => {
  shared.close();
  await closeSearchWorkers();
});

const run = (config: object, output = 'message', more: object = {}) =>
  runNode({ type: 'RemoteFiles', output, config: { ...config }, services }, more);

describe('RemoteFiles', () => {
  it('reads, lists and searches what the machine shares', async () => {
    expect((await run({ path: 'notes.md' })).value).toEqual({ text: 'granite\nslate' });
    expect((await run({ action: 'List files', pattern: '*.md' }, 'dataframe')).value).toMatchObject([
      { path: 'notes.md', type: 'file' },
    ]);
    expect((await run({ action: 'Search text', query: 'sl.te' }, 'dataframe')).value).toMatchObject([
      { path: 'notes.md' },
    ]);
  });

  it.each([
    ['of many lines', Array.from({ length: 1_200 }, (_, at) => `line ${at}`).join('\n')],
    ['that the machine cuts within a line', Array.from({ length: 450 }, () => '"'.repeat(1_160)).join('\n')],
    ['that is empty', ''],
  ])('reads a file %s to its end', async (_, text) => {
    writeFileSync(join(dir, 'shared/long.txt'), text);
    expect((await run({ path: 'long.txt' })).value).toEqual({ text });
    const row = { path: 'long.txt', text, truncated: false };
    expect((await run({ path: 'long.txt' }, 'dataframe')).value).toEqual([row]);
  });

  it.each([
    ['a binary file', Buffer.from([0, 1, 2, 255]), 'Binary file — cannot display'],
    ['a file that is too large', 'x\n'.repeat(300 * 1024), 'File too large: 600KB exceeds 512KB limit'],
  ])('fails for %s', async (_, content, reason) => {
    writeFileSync(join(dir, 'shared/other'), content);
    const { status, failure } = await run({ path: 'other' });
    expect([status, failure?.message]).toEqual(['failed', `The machine does not send 'other': ${reason}.`]);
  });

  it.each([
    ['a line that is too long', 'x', 1],
    ['pages without an end', 'a\nb', 1_051],
    ['more than a file may have', `a\n${'x'.repeat(512 * 1024)}`, 1],
  ])('fails for a machine that sends %s', async (_, content, calls) => {
    const data = { content, truncated: true, totalLines: 2_000_000 };
    const run = vi.fn(() => ({ ok: true, data }));
    const [read] = makeToolset('explore', fixedWorkspace(shared)).filter(({ name }) => name === 'read-file');
    const machineTools = async () => [{ ...read, run } as unknown as AnyTool];
    const asked = { type: 'RemoteFiles', output: 'message', config: { path: 'x' }, services: { machineTools } };
    expect((await runNode(asked)).failure?.message).toBe("The machine sends only a part of 'x'.");
    expect(run).toHaveBeenCalledTimes(calls);
  });

  it('gives its tools to an agent', async () => {
    const tools = (await remoteFiles.tools?.({ services } as NodeCall<Services>)) as readonly FlowTool[];
    expect(tools.every(({ readOnly }) => readOnly)).toBe(true);
    const read = tools.find(({ name }) => name === 'read-file');
    expect(await read?.call({ filePath: 'notes.md' }, new AbortController().signal)).toContain('granite');
  });

  it('gives an agent no tool of the machine that does more than read', async () => {
    const machineTools = async () => [
      ...makeToolset('explore', fixedWorkspace(shared)),
      ...makeToolset('basic', fixedWorkspace(shared)),
    ];
    const tools = (await remoteFiles.tools?.({
      services: { ...services, machineTools },
    } as unknown as NodeCall<Services>)) as readonly FlowTool[];
    expect(tools.map(({ name }) => name).sort()).toEqual(['get-file-tree', 'list-files', 'read-file', 'search-files']);
  });

  it.each(['../private.txt', 'none.md'])('cannot read %s, and says why', async (path) => {
    const { status, failure } = await run({ path });
    expect(status).toBe('failed');
    expect(failure?.message).toContain(path);
    expect(failure?.message).not.toContain(dir);
  });

  it('says how to connect a machine', async () => {
    const asked = (own: Partial<Services>) =>
      runNode({ type: 'RemoteFiles', output: 'message', config: { path: 'x' }, services: own });
    expect((await asked({})).failure?.fix).toContain('croft connect');
    expect((await asked({ machineTools: async () => [] })).failure?.message).toBe('No machine is connected.');
  });

  it('reads nothing once the run is cancelled', async () => {
    expect((await run({ path: 'notes.md' }, 'message', { signal: AbortSignal.abort() })).status).toBe('cancelled');
  });
});

it('declares its effects and ports', () => {
  expect(declaredBy(remoteFiles)).toEqual([
    'RemoteFiles: network-read',
    'action: select default="Read file" of Read file|List files|Search text',
    'path: text Message default="." variables=false',
    'query: text Message required variables=false if action Search text',
    'pattern: text default="" variables=false if action List files|Search text',
    'message: gives Message',
    'dataframe: gives Table',
  ]);
});

it('shows these texts to people and models', () => {
  expect(textsOf(remoteFiles.descriptor)).toEqual([
    'Remote files (monitor): Reads, lists and searches files of the machine that you connected to the server. Never writes.',
    'files | gateway | machine | computer | connect | agent | tool',
    'action: Action',
    'path: Path | In the directory that the machine shares.',
    'query: Regular expression',
    'pattern: Names | **/*.md',
    'message: Text',
    'dataframe: Rows | files, or lines that match',
  ]);
});
