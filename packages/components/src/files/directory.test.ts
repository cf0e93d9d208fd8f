import { describe, expect, it } from 'vitest';
import { useWorkspace } from '../../../../tests/support/use-workspace.ts';
import type { Services } from '../services.ts';
import { runNode, textsOf, declaredBy } from '../testing.ts';
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

  it('reads nothing once the run is cancelled', async () => {
    const ran = await runNode({ type: 'Directory', output: 'dataframe', services }, { signal: AbortSignal.abort() });
    expect([ran.status, ran.value]).toEqual(['cancelled', undefined]);
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
