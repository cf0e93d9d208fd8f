import { makeToolset } from '@croft/tools';
import { openWorkspace } from '@croft/workspace';
import { makeScratch } from '@croft/workspace/testing';
import { afterAll, expect, it } from 'vitest';
import { toolContext } from '../../../../tests/support/tool-context.ts';
import { isLoss } from './lost-file.ts';

const scratch = makeScratch(['mine.txt', 'dir/f', '.env = KEY', 'away => $OUT']);
const workspace = openWorkspace(scratch.workspace);
const files = { tools: makeToolset('files', { acquire: () => workspace }) };
afterAll(() => {
  workspace.close();
  scratch.remove();
});

it.each([
  ['mine.txt', true],
  ['dir', true],
  ['new.txt', false],
  ['../outside.txt', false],
  ['away/secret.txt', false],
  ['.env', false],
  ['a\0', false],
])('a write to %j that the message does not name loses something: %j', async (path, expected) => {
  const { context } = await toolContext(undefined, { turn: { files }, named: 'do it' });
  expect(await isLoss(path, context)).toBe(expected);
});

it('does not count a file that the message names or the turn made', async () => {
  const { context } = await toolContext(undefined, { turn: { files }, named: 'change mine.txt' });
  context.notes.ownFiles.add('dir/f');
  expect([await isLoss('mine.txt', context), await isLoss('dir/f', context)]).toEqual([false, false]);
});

it('counts what cannot be looked up as a loss', async () => {
  const { context } = await toolContext();
  expect(await isLoss('new.txt', context)).toBe(true);
});
