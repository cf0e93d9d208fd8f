import { expect, it } from 'vitest';
import { useWorkspace } from '../../../../tests/support/use-workspace.ts';
import { runAlone, declaredBy, textsOf } from '../testing.ts';
import { pathOf, readFile, readWhole } from './read-file.ts';

const { workspace } = useWorkspace([
  'a.txt = one',
  'docs/b.txt = two',
  'docs/sub/',
  ...['1', '2', '3', '4', '5', '6'].map((name) => `many/${name} = x`),
  'empty/',
]);
const { signal } = new AbortController();
const read = async (path: unknown) => (await runAlone(readFile, { path }, { workspace })).outputs;
const fixOf = (path: string) =>
  readWhole(path, { workspace, now: () => new Date() }, signal).then(
    () => '',
    ({ fix }) => fix as string,
  );

it('gives the text and the file', async () => {
  const file = { path: 'docs/b.txt', version: workspace.info('docs/b.txt').version, type: 'text/plain' };
  expect(await read(' docs/b.txt ')).toEqual({ message: { text: 'two' }, file });
  expect(await read({ path: 'docs/b.txt' })).toMatchObject({ file });
});

it('takes the path of a file, of a message and of a text', () => {
  expect([pathOf({ path: ' a ' }), pathOf({ text: ' a ' }), pathOf(' a '), pathOf({ path: 7, text: 'b' })]).toEqual([
    ' a ',
    'a',
    'a',
    'b',
  ]);
});

it('names the files beside one that does not exist', async () => {
  expect(await fixOf('none.txt')).toBe('Choose a file that exists: a.txt, or another one.');
  expect(await fixOf('docs/none.txt')).toBe('Choose a file that exists: docs/b.txt, or another one.');
  expect(await fixOf('many/none')).toBe(
    'Choose a file that exists: many/1, many/2, many/3, many/4, many/5, or another one.',
  );
  expect(await fixOf('empty/none')).toBe(
    'Add the file, or choose one of another directory. This directory has no files.',
  );
  expect(await fixOf('nowhere/none')).toBe("Choose a file that exists: there is no directory 'nowhere'.");
  workspace.write('only/one', 'x');
  expect(await fixOf('only/none')).toBe('Choose a file that exists: only/one.');
});

it('leaves other failures as they are', async () => {
  await expect(read('docs')).rejects.not.toHaveProperty('fix');
  await expect(runAlone(readFile, { path: 'a.txt' })).rejects.toThrow('This run has no files to work with.');
});

it('reads at most five million characters', async () => {
  workspace.write('long.txt', 'a'.repeat(5_000_001));
  await expect(read('long.txt')).rejects.toMatchObject({
    message: 'long.txt has 5000001 characters; a flow reads at most 5000000.',
    fix: 'Split the file, or read a part of it.',
  });
  workspace.write('long.txt', 'a'.repeat(5_000_000));
  expect(((await read('long.txt'))['message'] as { text: string }).text).toHaveLength(5_000_000);
});

it('declares its fields with these defaults and limits', () => {
  expect(declaredBy(readFile)).toEqual([
    'File: workspace-read',
    'path: file Message File required toolParameter',
    'message: gives Message',
    'file: gives File',
  ]);
});

it('shows these texts to people and models', () => {
  expect(textsOf(readFile.descriptor)).toEqual([
    'Read file (file-input): Reads a text file of the workspace.',
    'files | open | load | take | ReadFile',
    'path: File | A path inside the workspace.',
    'message: Text',
    'file: File',
  ]);
});
