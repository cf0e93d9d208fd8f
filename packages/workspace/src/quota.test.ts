import { rmSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { failureOf } from './testing.ts';
import { useWorkspaces } from './use-workspaces.ts';

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

it('counts again before it refuses, because other programs write too', async () => {
  const { workspace, at } = open(['a = 12345'], { quota: { maxBytes: 10 } });
  workspace.write('b', '12');
  writeFileSync(at('other'), '123');
  expect((await failureOf(() => workspace.write('c', '12345'))).code).toBe('quota');
  rmSync(at('other'));
  rmSync(at('a'));
  expect(workspace.write('c', '12345')).toMatchObject({ status: 'created' });
});

it('counts again where another thread changed files', async () => {
  const { workspace, at } = open([], { quota: { maxBytes: 10 } });
  workspace.write('own', '12345');
  writeFileSync(at('other'), '12345');
  workspace.recount();
  expect((await failureOf(() => workspace.write('more', '1'))).code).toBe('quota');
});
