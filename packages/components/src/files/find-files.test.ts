import { expect, it } from 'vitest';
import { useWorkspace } from '../../../../tests/support/use-workspace.ts';
import { runAlone, declaredBy, textsOf } from '../testing.ts';
import { globFiles, grepFiles } from './find-files.ts';

const { workspace } = useWorkspace(['a.txt = one\ntwo', 'docs/b.md = ONE', 'docs/c.txt = three']);

it('lists files whose path matches', async () => {
  const found = async (pattern: string) =>
    (await runAlone(globFiles, { pattern: { text: pattern } }, { workspace })).outputs['dataframe'];
  expect(await found('**/*.md')).toEqual([{ path: 'docs/b.md' }]);
  expect(await found('*.none')).toEqual([]);
});

it('finds lines by an expression, in some files and in any case', async () => {
  const found = async (more: object) =>
    (await runAlone(grepFiles, { pattern: 'o.e', glob: '', ignore_case: false, ...more }, { workspace })).outputs[
      'dataframe'
    ];
  expect(await found({})).toEqual([{ path: 'a.txt', line: 1, text: 'one' }]);
  expect(await found({ ignore_case: true })).toHaveLength(2);
  expect(await found({ ignore_case: true, glob: 'docs/*' })).toEqual([{ path: 'docs/b.md', line: 1, text: 'ONE' }]);
  expect(await found({ pattern: 't.*' })).toEqual([
    { path: 'a.txt', line: 2, text: 'two' },
    { path: 'docs/c.txt', line: 1, text: 'three' },
  ]);
});

it('needs files, and ends with the run', async () => {
  await expect(runAlone(globFiles, { pattern: '*' })).rejects.toThrow('This run has no files to work with.');
  const signal = AbortSignal.abort(new Error('stop'));
  await expect(runAlone(globFiles, { pattern: '*' }, { workspace }, { signal })).rejects.toThrow();
  await expect(runAlone(grepFiles, { pattern: 'x', glob: '' }, { workspace }, { signal })).rejects.toThrow();
});

it('declares the fields of Glob with these defaults and limits', () => {
  expect(declaredBy(globFiles)).toEqual([
    'Glob: workspace-read',
    'pattern: text Message default="**/*" required toolParameter variables=false',
    'dataframe: gives Table',
  ]);
});

it('declares the fields of Grep with these defaults and limits', () => {
  expect(declaredBy(grepFiles)).toEqual([
    'Grep: workspace-read',
    'pattern: text Message required toolParameter variables=false',
    'glob: text default="" toolParameter variables=false',
    'ignore_case: switch default=false',
    'dataframe: gives Table',
  ]);
});

it('shows these texts of globFiles to people and models', () => {
  expect(textsOf(globFiles.descriptor)).toEqual([
    'Find files (folder-search): Lists up to 100 files of the workspace whose path matches a pattern such as docs/**/*.md.',
    'files | folder | directory | names',
    'pattern: Pattern',
    'dataframe: Files',
  ]);
});

it('shows these texts of grepFiles to people and models', () => {
  expect(textsOf(grepFiles.descriptor)).toEqual([
    'Search in files (text-search): Finds lines in files of the workspace by a regular expression.',
    'files',
    'pattern: Expression',
    'glob: In files',
    'ignore_case: Ignore case',
    'dataframe: Lines',
  ]);
});
