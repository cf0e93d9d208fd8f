import { makeToolset } from '@croft/tools';
import { openWorkspace, type Workspace } from '@croft/workspace';
import { makeScratch, type Scratch } from '@croft/workspace/testing';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { toolContext } from '../../../../tests/support/tool-context.ts';
import { REDACTED } from '../hide-secrets.ts';
import { clientOfTurn } from '../turn-files.ts';
import { fileTools } from './file-tools.ts';

let scratch: Scratch;
let workspace: Workspace;
beforeEach(() => {
  scratch = makeScratch(['mine.txt = old', 'notes/a.md']);
  workspace = openWorkspace(scratch.workspace);
});
afterEach(() => {
  workspace.close();
  scratch.remove();
});

const table = () => ({ tools: makeToolset('files', { acquire: () => workspace }) });
async function setUp(more: NonNullable<Parameters<typeof toolContext>[1]> = {}) {
  const files = table();
  const made = await toolContext(undefined, { ...more, turn: { files, ...more.turn } });
  const tools = fileTools({ files });
  return { ...made, tools, use: (name: string, args: Record<string, unknown>) => made.call(tools, name, args) };
}
const text = (name: string) => readFileSync(join(scratch.workspace, name), 'utf8');

it('offers the tools of the table with their schemas, and asks for consent before a write', async () => {
  expect(fileTools({ files: undefined })).toEqual([]);
  const { tools } = await setUp();
  const needs = tools.filter((tool) => tool.needs === 'write').map(({ name }) => name);
  expect(needs.sort()).toEqual(['edit_file', 'write_file']);
  const read = tools.find(({ name }) => name === 'read_file');
  expect(read?.parameters).toMatchObject({ type: 'object', properties: { path: { type: 'string' } } });
  expect(read?.parameters).not.toHaveProperty('$schema');
  expect([read?.label({ path: 'a' }), read?.label({})]).toEqual(['Reading a', 'Reading']);
});

it('writes a new file, and reports it without secrets', async () => {
  const { use, events, context } = await setUp({ turn: { secrets: new Set(['hunter2-key']) } });
  const result = await use('write_file', { path: 'new.txt', content: 'with hunter2-key' });
  expect(result['summary']).toBe('Wrote new.txt.');
  expect(events).toEqual([
    { event: 'file_written', action: 'write_file', path: 'new.txt', size: 16, content: 'with ***REDACTED***' },
  ]);
  expect([text('new.txt'), context.notes.ownFiles.has('new.txt')]).toEqual(['with hunter2-key', true]);
});

it('asks before it changes a file that the message does not name, once', async () => {
  const { use, asked, events } = await setUp({ answer: 'Allow' });
  for (const [from, to] of [
    ['old', 'new'],
    ['new', 'last'],
  ])
    await use('edit_file', { path: 'mine.txt', old_string: from, new_string: to });
  expect([text('mine.txt'), asked]).toEqual([
    'last',
    ['Your message does not ask for a change of this file. May I change it? “mine.txt”'],
  ]);
  expect(events.filter(({ event }) => event === 'file_written')).toMatchObject([{ action: 'edit_file' }, {}]);
  const no = await setUp({ answer: 'Do not allow' });
  expect(await no.use('write_file', { path: 'mine.txt', content: 'x' })).toMatchObject({ declined: true });
  expect(text('mine.txt')).toBe('last');
});

it('lists what a search found', async () => {
  const { use } = await setUp();
  expect((await use('glob_search', { pattern: '**/*.md' }))['summary']).toBe('I found:\n\n- notes/a.md');
  expect((await use('glob_search', { pattern: '*.none' }))['summary']).toBe('I found nothing.');
});

it('reads, and gives a refusal as an error', async () => {
  const { use, events } = await setUp();
  expect(JSON.stringify(await use('read_file', { path: 'mine.txt' }))).toContain('old');
  expect((await use('read_file', { path: 'none.txt' }))['error']).toContain('none.txt');
  expect(events).toEqual([]);
});

it('has no files without a table', async () => {
  const { context } = await toolContext();
  const [tool] = fileTools({ files: table() });
  expect(await tool?.run({ path: 'x' }, context)).toEqual({ error: 'There are no files.' });
});

it('names the turn as the client of its changes', () => {
  expect(clientOfTurn('t1')).toBe('assistant t1');
});

it('writes no mark in place of a secret that a model could not read', async () => {
  const { use, context } = await setUp();
  context.notes.ownFiles.add('mine.txt');
  const refused = async (name: string, args: object) =>
    expect(() => use(name, { path: 'mine.txt', ...args })).rejects.toThrow('would replace the secret');
  await refused('write_file', { content: `key: ${REDACTED}` });
  await refused('write_file', { path: `${REDACTED}.txt`, content: 'x' });
  await refused('edit_file', { old_string: 'old', new_string: REDACTED });
  await refused('edit_file', { edits: [{ old_string: 'old', new_string: `a ${REDACTED}` }] });
  expect(text('mine.txt')).toBe('old');
});

it('edits the text around a mark that the file has', async () => {
  const { use, context } = await setUp();
  context.notes.ownFiles.add('mine.txt');
  writeFileSync(join(scratch.workspace, 'mine.txt'), `shows ${REDACTED}`);
  await use('edit_file', { path: 'mine.txt', old_string: `shows ${REDACTED}`, new_string: `hides ${REDACTED}` });
  expect(text('mine.txt')).toBe(`hides ${REDACTED}`);
});
