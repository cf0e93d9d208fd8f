import { describe, expect, it } from 'vitest';
import { useWorkspace } from '../../../../tests/support/use-workspace.ts';
import type { Services } from '../services.ts';
import { callOf, drain, runAlone, runNode, textsOf, declaredBy } from '../testing.ts';
import { directory } from './directory.ts';
import { FILES } from './testing-files.ts';

const { dir, workspace } = useWorkspace(FILES);
const services: Services = { workspace, now: () => new Date(0) };

describe('Directory', () => {
  const read = (config: object) => runNode({ type: 'Directory', output: 'dataframe', config: { ...config }, services });

  it('reads the files of the types, with the directories below', async () => {
    expect((await read({ path: 'docs', types: 'md, .TXT' })).value).toEqual([
      { text: '# A', file_path: 'docs/a.md' },
      { text: 'deep', file_path: 'docs/deep/d.txt' },
    ]);
    expect((await read({ path: 'docs', types: 'md,txt', recursive: false })).value).toHaveLength(1);
  });

  it('cannot leave the workspace, and names a file that fails', async () => {
    const { status, failure } = await read({ path: '..' });
    expect([status, failure?.message.includes(dir)]).toEqual(['failed', false]);
    expect((await read({ path: 'docs', types: 'bin' })).failure?.message).toContain('docs/c.bin');
    expect((await read({ path: 'docs', types: 'bin', silent_errors: true })).value).toEqual([]);
  });

  it('lists one directory in a turn of the event loop, until the run is cancelled', async () => {
    const listed: string[] = [];
    const cancel = new AbortController();
    const list = (path: string) => {
      listed.push(path);
      setImmediate(() => cancel.abort());
      return { entries: listed.length < 500 ? [{ name: 'below', type: 'directory' }] : [] };
    };
    const endless = { ...services, workspace: Object.assign(Object.create(workspace), { list }) };
    const ran = await runNode({ type: 'Directory', output: 'dataframe', services: endless }, { signal: cancel.signal });
    expect(ran.status).toBe('cancelled');
    expect(listed.length).toBeLessThan(3);
  });

  it('reads nothing once the run is cancelled', async () => {
    const ran = await runNode({ type: 'Directory', output: 'dataframe', services }, { signal: AbortSignal.abort() });
    expect([ran.status, ran.value]).toEqual(['cancelled', undefined]);
  });
});

const progress = (done: number, text: string) => ({ kind: 'progress', done, total: 2, text });
const inputs = { types: 'md,txt', recursive: true };

it('reads the workspace where the path is empty, and reports each file', async () => {
  const docs = [
    { text: '# A', file_path: 'docs/a.md' },
    { text: 'deep', file_path: 'docs/deep/d.txt' },
  ];
  for (const path of [undefined, ' ', '.'])
    expect((await runAlone(directory, { ...inputs, path }, services)).outputs['dataframe']).toEqual(
      expect.arrayContaining(docs),
    );
  expect(await runAlone(directory, { ...inputs, path: ' docs ' }, services)).toEqual({
    outputs: { dataframe: docs },
    progress: [progress(0, 'docs/a.md'), progress(1, 'docs/deep/d.txt')],
  });
});

it('logs the files that it leaves out, and stops at a failure when the run is cancelled', async () => {
  const readWhole = async (path: string) => {
    if (path === 'docs/a.md') throw 'broken';
    throw new Error('not a text');
  };
  const failing = { ...services, workspace: Object.assign(Object.create(workspace), { readWhole }) };
  const all = { ...inputs, path: 'docs', silent_errors: true };
  expect(await runAlone(directory, all, failing)).toEqual({
    outputs: { dataframe: [] },
    progress: [
      progress(0, 'docs/a.md'),
      { kind: 'log', text: 'docs/a.md: broken' },
      progress(0, 'docs/deep/d.txt'),
      { kind: 'log', text: 'docs/deep/d.txt: not a text' },
    ],
  });
  await expect(runAlone(directory, { ...all, silent_errors: false }, failing)).rejects.toBe('broken');
  const abort = new AbortController();
  const running = directory.run(callOf(all, failing, { signal: abort.signal })) as AsyncGenerator;
  await running.next();
  abort.abort();
  await expect(drain(running)).rejects.toBe('broken');
});

it('reads at most 1,000 files and 20,000,000 characters', async () => {
  const given = (files: number, text: string) =>
    runAlone(
      directory,
      { types: 'txt' },
      {
        workspace: {
          list: () => ({ entries: Array.from({ length: files }, (_, at) => ({ name: `${at}.TXT`, type: 'file' })) }),
          readWhole: async () => ({ text }),
        } as unknown as NonNullable<Services['workspace']>,
      },
    );
  const advice = { fix: 'Choose a directory below, or fewer types.' };
  expect((await given(1_000, 'x')).outputs['dataframe']).toHaveLength(1_000);
  await expect(given(1_001, 'x')).rejects.toMatchObject({
    message: 'The directory has more than 1000 files of these types.',
    ...advice,
  });
  expect((await given(2, 'x'.repeat(10_000_000))).outputs['dataframe']).toHaveLength(2);
  await expect(given(1, 'x'.repeat(20_000_001))).rejects.toMatchObject({
    message: 'The files have more than 20000000 characters together.',
    ...advice,
  });
});

it('declares its effects and ports', () => {
  expect(declaredBy(directory)).toEqual([
    'Directory: workspace-read',
    'path: text Message default="." toolParameter variables=false',
    'types: text default="txt, md, csv, json, yaml, html" variables=false',
    'recursive: switch default',
    'silent_errors: switch advanced default=false',
    'dataframe: gives Table',
  ]);
});

it('shows these texts to people and models', () => {
  expect(textsOf(directory.descriptor)).toEqual([
    'Directory (folder-open): Reads the text files of a directory of the workspace as rows.',
    'files | folder | load',
    'path: Directory',
    'types: File types | Endings separated by commas.',
    'recursive: Directories below too',
    'silent_errors: Leave out files that fail',
    'dataframe: Files | text, file_path',
  ]);
});
