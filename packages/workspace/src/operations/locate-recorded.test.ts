import { existsSync, readFileSync, renameSync, symlinkSync } from 'node:fs';
import { expect, it } from 'vitest';
import { failureOf } from '../testing.ts';
import { useWorkspaces } from '../use-workspaces.ts';

const open = useWorkspaces();

it('does not follow a directory that became a link since the change was recorded', async () => {
  const { workspace, at } = open(['d/f = old', 'other/f = kept'], ({ base }) => ({ trashDir: `${base}/trash` }));
  const { changes } = workspace.write('d/f', 'new');
  renameSync(at('d'), at('away'));
  symlinkSync('other', at('d'));
  const failure = await failureOf(() => workspace.undo(changes[0] as NonNullable<(typeof changes)[0]>));
  expect([failure.code, failure.message]).toEqual(['changed', 'd/f was changed since']);
  expect(readFileSync(at('other/f'), 'utf8')).toBe('kept');
});

it('makes no directory behind such a link', async () => {
  const { workspace, at } = open(['d/sub/f = old', 'other/'], ({ base }) => ({ trashDir: `${base}/trash` }));
  const [change] = (await workspace.delete('d/sub', { recursive: true })).changes;
  renameSync(at('d'), at('away'));
  symlinkSync('other', at('d'));
  expect((await failureOf(() => workspace.undo(change as NonNullable<typeof change>))).code).toBe('changed');
  expect(existsSync(at('other/sub'))).toBe(false);
});
