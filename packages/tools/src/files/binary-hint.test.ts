import { afterEach, expect, it } from 'vitest';
import { type Bench, makeBench } from '../testing.ts';

let bench: Bench;
afterEach(() => bench.close());

it('names read_media where a file that is read is not text, and only in the toolset that has it', async () => {
  bench = makeBench('full', ['picture.png = \x89PNG\0\0']);
  const refusal = { error: 'Refusing to read binary file: picture.png', hint: expect.stringContaining('read_media') };
  expect((await bench.call('read_file', { path: 'picture.png' })).data).toMatchObject(refusal);
  expect((await bench.call('read_many', { paths: ['picture.png'] })).data.files).toMatchObject([refusal]);
  const edit = await bench.call('edit_file', { path: 'picture.png', old_string: 'P', new_string: 'Q' });
  expect(edit.data.error).toMatch(/binary/);
  expect(edit.data).not.toHaveProperty('hint');
  bench.close();
  bench = makeBench('files', ['picture.png = \x89PNG\0\0']);
  expect((await bench.call('read_file', { path: 'picture.png' })).data).not.toHaveProperty('hint');
});
