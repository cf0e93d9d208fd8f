import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { whenReady } from './errors.ts';
import { LEDGER_BYTES } from './quota-ledger.ts';
import { failureOf } from './testing.ts';
import { useWorkspaces } from './use-workspaces.ts';
import { openWorkspace } from './workspace.ts';

const open = useWorkspaces();

it('takes files up to its bytes, and refuses the write that would pass them', async () => {
  const { workspace } = open(['old = 12345'], { quota: { maxBytes: 10 } });
  workspace.write('new', '12345');
  const error = await failureOf(() => workspace.write('more', '1'));
  expect([error.code, error.message]).toEqual([
    'quota',
    'Quota exceeded: 10 of 10 bytes are used and this needs 1 more. Delete files first.',
  ]);
});

it('refuses a file above its number of files, and goes on replacing those that there are', async () => {
  const { workspace } = open(['a', 'b'], { quota: { maxFiles: 2 } });
  expect((await failureOf(() => workspace.write('c', ''))).message).toBe(
    'Quota exceeded: 2 of 2 files exist and this adds 1. Delete files first.',
  );
  expect(workspace.write('a', 'longer than before')).toMatchObject({ status: 'updated' });
});

it('lets a full workspace be cleared, by writes and by deletions', async () => {
  const { workspace } = open(['a = 1234567890'], { quota: { maxBytes: 10 } });
  workspace.write('a', '12345');
  workspace.write('b', '12345');
  await workspace.delete('b');
  expect(workspace.write('c', '12345')).toMatchObject({ status: 'created' });
});

it('refuses to undo a deletion or an overwrite where the content would pass it, until there is room', async () => {
  const { workspace } = open(['dir/a = 12345', 'dir/b = 12', 'c = 123'], (scratch) => ({
    quota: { maxBytes: 10 },
    trashDir: join(scratch.base, 'trash'),
  }));
  const { changes: deleted } = await workspace.delete('dir', { recursive: true });
  const { changes: written } = workspace.write('c', '1');
  workspace.write('new', '123456789');
  for (const change of [...deleted, ...written]) {
    const { code, message } = await failureOf(() => workspace.undo(change));
    expect([code, message]).toEqual(['quota', expect.stringContaining('10 of 10 bytes are used')]);
  }
  expect(workspace.list('.').entries.map(({ name }) => name)).toEqual(['c', 'new']);
  await workspace.delete('new');
  for (const change of [...deleted, ...written]) await workspace.undo(change);
  expect((await workspace.readText('dir/a')).lines).toEqual(['12345']);
  expect((await workspace.readText('c')).lines).toEqual(['123']);
});

it('counts again before it refuses, because other programs write too', async () => {
  const { workspace, at } = open(['a = 12345'], { quota: { maxBytes: 10 } });
  workspace.write('b', '12');
  writeFileSync(at('other'), '123');
  expect((await failureOf(() => workspace.write('c', '12345'))).code).toBe('quota');
  rmSync(at('other'));
  rmSync(at('a'));
  expect(workspace.write('c', '12345')).toMatchObject({ status: 'created' });
});

/** More files than are counted before each refusal. */
const MANY = Array.from({ length: 250 }, (_, at) => `many/${at} = x`);

it('counts what another thread reserved since its own count', async () => {
  const ledger = new BigInt64Array(new SharedArrayBuffer(LEDGER_BYTES));
  const quota = { maxBytes: 1_000, ledger };
  const { workspace, scratch } = open(MANY, { quota });
  const other = openWorkspace(scratch.workspace, { quota });
  try {
    for (const each of [workspace, other]) await whenReady(() => each.write('counted', 'x'));
    workspace.write('mine', 'x'.repeat(600));
    expect((await failureOf(() => other.write('theirs', 'x'.repeat(600)))).code).toBe('quota');
    expect(other.write('theirs', 'x'.repeat(100))).toMatchObject({ status: 'created' });
  } finally {
    other.close();
  }
});

it('counts copies under way, which no walk finds', async () => {
  const { workspace } = open(['a = 12345678', 'dir/b = 12345678'], { quota: { maxBytes: 32 } });
  const copies = ['c', 'd', 'e', 'f'].flatMap((name) => [workspace.copy('a', name), workspace.copy('dir', `${name}s`)]);
  const done = await Promise.allSettled(copies);
  expect(done.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
});

it('takes a write into a large workspace where another thread has just deleted files', async () => {
  const { workspace, at } = open([...MANY, 'old = 1234567890'], { quota: { maxBytes: 270 } });
  expect((await failureOf(() => workspace.write('new', '12345678901'))).code).toBe('quota');
  rmSync(at('old'));
  workspace.recount();
  expect(await whenReady(() => workspace.write('new', '12345678901'))).toMatchObject({ status: 'created' });
});

it('takes a file of a large workspace that became shorter and grows again', async () => {
  const { workspace } = open([...MANY, 'file = 1234567890'], { quota: { maxBytes: 260 } });
  for (let round = 0; round < 5; round++)
    for (const content of ['1', '1234567890'])
      expect(await whenReady(() => workspace.write('file', content))).toMatchObject({ status: 'updated' });
  expect((await failureOf(() => workspace.write('file', '12345678901'))).code).toBe('quota');
});

it('takes exactly as many files and bytes as it has', async () => {
  const { workspace } = open(['a = 1'], { quota: { maxFiles: 3, maxBytes: 5 } });
  workspace.write('b', '12');
  workspace.write('c', '12');
  expect((await failureOf(() => workspace.write('d', ''))).message).toBe(
    'Quota exceeded: 3 of 3 files exist and this adds 1. Delete files first.',
  );
  expect((await failureOf(() => workspace.write('d', '1'))).message).toBe(
    'Quota exceeded: 5 of 5 bytes are used and this needs 1 more. Delete files first.',
  );
  expect((await failureOf(() => workspace.write('b', '123'))).message).toBe(
    'Quota exceeded: 5 of 5 bytes are used and this needs 1 more. Delete files first.',
  );
  expect(workspace.createDir('e').created).toBe(true);
});

it('refuses to grow what it cannot count, but not to shrink it', async () => {
  const { workspace, at } = open(['a = 12345'], { quota: { maxBytes: 1_000_000 } });
  mkdirSync(at('d/'.repeat(257)), { recursive: true });
  const deep = 'Quota cannot be counted: directories are nested more than 256 levels. Move or delete inner ones first.';
  for (const act of [() => workspace.write('b', ''), () => workspace.write('a', '123456')]) {
    const { code, message } = await failureOf(act);
    expect([code, message]).toEqual(['quota', deep]);
  }
  expect(workspace.write('a', '1234').status).toBe('updated');
  rmSync(at('d'), { recursive: true });
  expect(workspace.write('b', '').status).toBe('created');
});

it('counts a large workspace again only if the last count is older than a second', async () => {
  const { workspace, at } = open(MANY, { quota: { maxBytes: 260 } });
  vi.useFakeTimers({ toFake: ['Date'] });
  try {
    await whenReady(() => workspace.write('first', '12345'));
    rmSync(at('many/0'));
    const refusal = async () => {
      try {
        workspace.write('second', '123456');
        return 'written';
      } catch (error) {
        return (error as { code: string }).code;
      }
    };
    expect(await refusal()).toBe('quota');
    vi.setSystemTime(Date.now() + 999);
    expect(await refusal()).toBe('quota');
    vi.setSystemTime(Date.now() + 1);
    expect(await refusal()).toBe('busy');
    expect((await whenReady(() => workspace.write('second', '123456'))).status).toBe('created');
  } finally {
    vi.useRealTimers();
  }
});
