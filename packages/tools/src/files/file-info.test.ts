import { utimesSync } from 'node:fs';
import { expect, it } from 'vitest';
import { READS } from '../tool.ts';
import { useBench } from '../use-bench.ts';
import { fileInfoTool } from './file-info.ts';

const { setUp, call, host } = useBench('full');
const info = async (path: string) => (await call('file_info', { path })).data;

it('describes a file and a directory', async () => {
  setUp(['d/a.txt = four']);
  utimesSync(host('d/a.txt'), 1, 1);
  expect(await info('d/a.txt')).toEqual({
    status: 'ok',
    path: 'd/a.txt',
    type: 'file',
    size: 4,
    modified: '1970-01-01T00:00:01.000Z',
    created: expect.stringMatching(/Z$/),
    mode: '644',
    links: 1,
    version: expect.stringMatching(/^[0-9a-z]+-4-[0-9a-z]+$/),
  });
  expect(await info('d')).toMatchObject({ type: 'directory', mode: '755' });
});

it('shows the target of a link inside, and nothing of a link to outside', async () => {
  setUp(['d/a.txt', 'in => d/a.txt', 'out => $OUT/secret.txt', 'gone => nowhere']);
  expect(await info('in')).toMatchObject({ type: 'file', real_path: 'd/a.txt' });
  expect((await info('out')).error).toBe('Path escapes workspace boundary: out');
  expect((await info('gone')).error).toMatch(/gone/);
  const { data } = await call('list_dir', {});
  expect(data.entries).toEqual(expect.arrayContaining([expect.objectContaining({ name: 'out', type: 'link' })]));
});

it('is described with the form of its result', () => {
  const { run: _, input, output, paths, ...tool } = fileInfoTool({} as Parameters<typeof fileInfoTool>[0]);
  expect(tool).toEqual({
    name: 'file_info',
    title: 'File information',
    description:
      'Type, size, times, permissions and version of a file or directory. real_path tells where a link leads.',
    tags: ['file_info'],
    structured: true,
    annotations: READS,
  });
  expect(paths?.({ path: 'a' })).toEqual(['a']);
  expect(input.toJSONSchema()).toMatchObject({
    properties: { path: { description: 'File or directory, relative to the workspace root.' } },
    additionalProperties: false,
  });
  const data = {
    status: 'ok',
    path: 'a',
    type: 'link',
    size: 1,
    modified: '',
    created: '',
    mode: '',
    links: 1,
    version: '',
  };
  const accepts = (value: object) => output?.safeParse(value).success;
  for (const type of ['file', 'directory', 'link', 'other']) expect(accepts({ ...data, type, more: 1 })).toBe(true);
  expect(accepts({ ...data, real_path: 'b' })).toBe(true);
  for (const key of [...Object.keys(data), 'real_path']) expect(accepts({ ...data, [key]: true }), key).toBe(false);
});
