import { openWorkspace } from '@croft/workspace';
import { describe, expect, it } from 'vitest';
import { useWorkspace } from '../../../../tests/support/use-workspace.ts';
import type { Services } from '../services.ts';
import { runNode, runSpec, textsOf, declaredBy } from '../testing.ts';
import { fileValue } from './file-value.ts';
import { fileInput, fileOutput } from './flow-files.ts';

const { dir, workspace } = useWorkspace(['a.txt = one', 'docs/b.txt = two']);
const services: Services = { workspace, now: () => new Date(0) };
const cancelled = { signal: AbortSignal.abort() };
const input = (paths: unknown, more = {}) =>
  runSpec(
    [
      'nodes:',
      '  F: FileInput',
      '  A: TypeConverterComponent',
      '  O: FileOutput',
      'edges:',
      '  F.files -> A.input_data',
      '  F.file -> O.file',
      `config:\n  F.input_value: ${JSON.stringify(paths)}`,
    ],
    services,
    more,
  );
const valueOf = ({ outputs }: Awaited<ReturnType<typeof input>>, type: string) =>
  Object.entries(outputs).find(([id]) => id.startsWith(type))?.[1];

describe('FileInput', () => {
  it('gives the first file and all files by path, version and type, without their bytes', async () => {
    const { version } = workspace.info('a.txt');
    const both = await input(['a.txt', 'docs/b.txt']);
    expect(valueOf(both, 'TypeConverter')?.['dataframe_output']).toEqual([
      { path: 'a.txt', version, type: 'text/plain' },
      { path: 'docs/b.txt', version: workspace.info('docs/b.txt').version, type: 'text/plain' },
    ]);
    expect(valueOf(both, 'FileOutput')).toEqual({ file: { path: 'a.txt', version, type: 'text/plain' } });
    expect(valueOf(await input('docs/b.txt'), 'FileOutput')).toMatchObject({ file: { path: 'docs/b.txt' } });
  });

  it('gives a loop its files, each of which is read in its round', async () => {
    const { text, status } = await runSpec(
      [
        'nodes:',
        '  F: FileInput',
        '  L: LoopComponent',
        '  D: DocumentText',
        '  O: ChatOutput',
        'edges:',
        '  F.files -> L.data',
        '  L.item -> D.file',
        '  D.text -> L.item',
        '  L.done -> O.input_value',
        'config:',
        '  F.input_value: ["a.txt", "docs/b.txt"]',
      ],
      services,
    );
    expect([status, text]).toEqual(['completed', 'one\ntwo']);
  });

  it('names a file that is missing, outside or a directory, and shows no host path', async () => {
    for (const [path, reason] of [
      ['gone.txt', 'gone.txt'],
      ['../x.txt', 'outside'],
      ['docs', 'a directory, not a file'],
    ]) {
      const { status, failure } = await input(path);
      expect([status, failure?.message.includes(dir)], path).toEqual(['failed', false]);
      if (path !== '../x.txt') expect(failure?.message).toContain(reason);
    }
    expect((await input([' '])).failure).toMatchObject({ message: 'The run brings no file.' });
  });

  it('does not run in a run that is cancelled', async () => {
    expect((await input('a.txt', cancelled)).status).toBe('cancelled');
  });
});

describe('FileOutput', () => {
  const output = (path: string, more = {}) =>
    runNode({ type: 'FileOutput', output: 'file', config: { file: path }, services }, more);

  it('gives a file of another component as the result of the flow, shown by its path', async () => {
    const { text, status } = await runSpec(
      [
        'nodes:',
        '  I: TextInput',
        '  W: SaveToFile',
        '  O: FileOutput',
        'edges:',
        '  I.text -> W.input',
        '  W.file -> O.file',
        'config:',
        '  I.input_value: three',
        '  W.file_name: c.txt',
      ],
      services,
    );
    expect([status, text]).toEqual(['completed', 'c.txt']);
  });

  it('fails if the file is missing, and does not run in a cancelled run', async () => {
    expect((await output('gone.txt')).failure?.message).toContain('gone.txt');
    expect((await output('a.txt', cancelled)).status).toBe('cancelled');
  });
});

describe('ListItem', () => {
  const item = (items: unknown, index: number, more = {}) =>
    runNode({ type: 'ListItem', output: 'item', input: 'items', value: items, config: { index } }, more);

  it('gives the element at a place, counted from the start or the end', async () => {
    const rows = [{ n: 1 }, { n: 2 }, { n: 3 }];
    expect((await item(rows, 1)).value).toEqual({ n: 1 });
    expect((await item(rows, -1)).value).toEqual({ n: 3 });
  });

  it.each([0, 4, -4])('names the place that the list does not have: %i', async (index) => {
    const { failure } = await item([{ n: 1 }, { n: 2 }, { n: 3 }], index);
    expect(failure).toMatchObject({ message: `The list has 3 items, and none at place ${index}.` });
  });

  it('does not run in a run that is cancelled', async () => {
    expect((await item([{ n: 1 }], 1, cancelled)).status).toBe('cancelled');
  });
});

describe('a file value', () => {
  it.each([
    ['report.PDF', 'application/pdf'],
    ['a/b.c/notes.md', 'text/markdown'],
    ['table.csv', 'text/csv'],
    ['x.docx', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
    ['folder.md/README', 'application/octet-stream'],
    ['x.constructor', 'application/octet-stream'],
    ['.gitignore', 'application/octet-stream'],
  ])('of %s has the type %s', (path, type) => {
    expect(fileValue(path, 'v')).toEqual({ path, version: 'v', type });
  });

  it('of an older run, without a type, is read and gets one', async () => {
    const older = JSON.stringify({ path: 'a.txt', version: 'older' });
    const ran = await runSpec(
      [
        'nodes:',
        '  I: TextInput',
        '  T: TypeConverterComponent',
        '  F: FileOutput',
        '  D: DocumentText',
        '  O: ChatOutput',
        'edges:',
        '  I.text -> T.input_data',
        '  T.data_output -> F.file',
        '  F.file -> D.file',
        '  D.text -> O.input_value',
        `config:\n  I.input_value: ${JSON.stringify(older)}`,
      ],
      services,
    );
    expect([ran.status, ran.failure?.message]).toEqual(['completed', undefined]);
    expect(valueOf(ran, 'FileOutput')).toMatchObject({ file: { path: 'a.txt', type: 'text/plain' } });
  });
});

describe('a workspace of many files with a quota', () => {
  const { dir: large } = useWorkspace(Array.from({ length: 250 }, (_, at) => `many/${at} = x`));

  it('takes the first write when its files are counted', async () => {
    const counted = openWorkspace(large, { quota: { maxBytes: 10_000 } });
    try {
      const spec = ['nodes:', '  W: SaveToFile', 'config:', '  W.file_name: new.md', '  W.input: text'];
      const own = { ...services, workspace: counted };
      expect(await runSpec(spec, own)).toMatchObject({ status: 'completed' });
    } finally {
      counted.close();
    }
  });
});

it('declares the ports of fileInput', () => {
  expect(declaredBy(fileInput)).toEqual([
    'FileInput: workspace-read',
    'input_value: file default=[] list',
    'file: gives File',
    'files: gives Table',
  ]);
});

it('shows these texts of fileInput to people and models', () => {
  expect(textsOf(fileInput.descriptor)).toEqual([
    'File input (file-up): Files of the workspace that a run of the flow works on. Each run may bring others.',
    'input and output | upload | attachment | document | files | input',
    'input_value: Files | Paths inside the workspace. A run may bring others.',
    'file: First file',
    'files: All files | path, version, type',
  ]);
});

it('declares the ports of fileOutput', () => {
  expect(declaredBy(fileOutput)).toEqual([
    'FileOutput: workspace-read',
    'file: file File Message Any required',
    'file: gives File',
  ]);
});

it('shows these texts of fileOutput to people and models', () => {
  expect(textsOf(fileOutput.descriptor)).toEqual([
    'File output (file-down): Gives a file of the workspace as a result of the flow.',
    'input and output | download | result | document | output',
    'file: File | A file of another component, or a path inside the workspace.',
    'file: File',
  ]);
});
