import { callTool } from '@croft/tools';
import { WorkspaceError } from '@croft/workspace';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { testNamespaces } from '../../../../tests/support/test-namespaces.ts';
import type { CallerFiles, FilesOfCallers } from './caller-files.ts';
import { type CallerToolsets, createCallerToolsets, reporter } from './caller-toolsets.ts';
import type { Namespaces } from './namespaces.ts';

let namespaces: Namespaces;
let toolsets: CallerToolsets;
let opened: string[];
let failure: Error | undefined;
let logged: object[];
const log = { error: (fields: object) => void logged.push(fields) } as never;
beforeEach(() => {
  namespaces = testNamespaces();
  [opened, failure, logged] = [[], undefined, []];
  const open = (userId: string) => {
    opened.push(userId);
    if (failure) throw failure;
    const namespace = namespaces.mineOf(userId);
    return { workspace: namespace.workspace, namespaceOf: () => namespace } as unknown as CallerFiles;
  };
  toolsets = createCallerToolsets({ files: { open } as FilesOfCallers, log });
});
afterEach(() => namespaces.close());

const table = (userId: string, set: 'full' | 'files' = 'full') => toolsets.tableOf({ userId, via: 'api' }, set);
const call = (userId: string, name: string, input: object) => callTool(table(userId), { name, input }, {});

it('works on the files of the caller, and records who called', async () => {
  expect(await call('ann', 'write_file', { path: 'a.txt', content: 'x' })).toMatchObject({ ok: true });
  expect(namespaces.mineOf('ann').workspace.list('.').entries).toHaveLength(1);
  expect(namespaces.mineOf('bob').workspace.list('.').entries).toHaveLength(0);
  const [entry] = namespaces.mineOf('ann').activity.entries();
  expect(entry).toMatchObject({ tool: 'write_file', actor: { userId: 'ann', via: 'api' } });
});

it('opens the tree at each call, once, and not to list the tools', async () => {
  expect(table('ann').tools.length).toBeGreaterThan(3);
  expect(opened).toEqual([]);
  await call('ann', 'write_file', { path: 'a.txt', content: 'x' });
  expect(opened).toEqual(['ann']);
  await call('ann', 'read_file', { path: 'a.txt' });
  expect(opened).toEqual(['ann', 'ann']);
});

it('makes the tools of a user once, each set apart', () => {
  expect(table('ann').tools).toBe(table('ann').tools);
  expect(table('ann', 'files').tools).not.toBe(table('ann').tools);
  expect(table('bob').tools).not.toBe(table('ann').tools);
});

it('keeps the toolsets of the users that called last', () => {
  const first = table('user-0').tools;
  const second = table('user-1').tools;
  for (let count = 2; count < 256; count++) table(`user-${count}`);
  expect(table('user-0').tools).toBe(first);
  table('user-256');
  expect(table('user-0').tools).toBe(first);
  expect(table('user-1').tools).not.toBe(second);
});

it('says why files cannot be opened, and records nothing', async () => {
  failure = new WorkspaceError('unavailable', 'Cannot open the files.', { operatorMessage: '/host' });
  const refused = await call('ann', 'write_file', { path: 'a.txt', content: 'x' });
  expect([refused.ok, JSON.stringify(refused.data).includes('Cannot open the files.')]).toEqual([false, true]);
  failure = undefined;
  expect(await call('ann', 'write_file', { path: 'a.txt', content: 'x' })).toMatchObject({ ok: true });
});

it('gives the operator the reason of an unexpected failure', () => {
  const report = reporter({ log });
  const error = new TypeError('bug');
  report(error, 'read_file');
  report(new WorkspaceError('unavailable', 'no', { operatorMessage: '/host/path' }), 'read_file');
  expect(logged).toEqual([
    { tool: 'read_file', err: error },
    { tool: 'read_file', reason: '/host/path' },
  ]);
});
