import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { z } from 'zod';
import { type Bench, makeBench } from '../testing.ts';

let bench: Bench;
afterEach(() => bench.close());
const host = (path: string) => join(bench.scratch.workspace, path);
const remove = async (input: object) => (await bench.call('delete_path', input)).data;

it('deletes a directory with content only with recursive, and a link without its target', async () => {
  bench = makeBench('full', ['d/x.txt', 'link => d', 'out => $OUT', 'e/', 'f']);
  expect(await remove({ path: 'd' })).toEqual({
    error: 'Directory is not empty: d. Pass recursive=true to delete it with its content.',
    path: 'd',
  });
  for (const path of ['link', 'out'])
    expect(await remove({ path })).toEqual({ status: 'deleted', path, type: 'link', undoable: false });
  expect(await remove({ path: 'e' })).toMatchObject({ type: 'directory', entries: 0 });
  expect(await remove({ path: 'f' })).toEqual({ status: 'deleted', path: 'f', type: 'file', undoable: false });
  expect([existsSync(host('d/x.txt')), existsSync(bench.scratch.outside)]).toEqual([true, true]);
  expect(await remove({ path: 'd', recursive: true })).toMatchObject({ type: 'directory', entries: 1 });
  for (const path of ['.', '', './', bench.scratch.workspace])
    expect((await remove({ path, recursive: true })).error).toMatch(/^The workspace itself cannot be/);
});

it('keeps the content for the undo, and says where it cannot', async () => {
  const beside = makeBench('full');
  const trashDir = join(beside.scratch.base, 'trash');
  bench = makeBench('full', [], { workspace: { trashDir, trashLimits: { maxBytes: 4 } } });
  const descriptionOf = ({ table }: Bench) => table.tools.find(({ name }) => name === 'delete_path')?.description;
  expect(descriptionOf(bench)).toContain('what is too large for that needs permanent');
  await bench.call('write_file', { path: 'f', content: 'text' });
  await bench.call('write_file', { path: 'large', content: 'texts' });
  expect(await remove({ path: 'f' })).toMatchObject({ undoable: true });
  expect((await remove({ path: 'large' })).error).toMatch(/^large could not be restored afterwards/);
  expect(existsSync(host('large'))).toBe(true);
  beside.close();
});

it('is logged with its path and its change, and is marked as one that removes', async () => {
  bench = makeBench('full', ['f']);
  const tool = bench.table.tools.find(({ name }) => name === 'delete_path');
  expect([tool?.paths?.({ path: 'f' }), tool?.annotations.destructiveHint]).toEqual([['f'], true]);
  expect(tool?.description).toContain('nothing is kept for undo');
  const { changes } = await bench.call('delete_path', { path: 'f' });
  expect(changes).toMatchObject([{ kind: 'delete', path: 'f' }]);
});

it('describes its arguments and its result', () => {
  bench = makeBench('full');
  const tool = bench.table.tools.find(({ name }) => name === 'delete_path');
  expect([tool?.title, tool?.tags, tool?.structured]).toEqual(['Delete', ['delete_path'], true]);
  expect(z.toJSONSchema(tool?.output as z.ZodType)).toMatchObject({
    properties: {
      status: { type: 'string', const: 'deleted' },
      path: { type: 'string' },
      type: { type: 'string', enum: ['file', 'directory', 'link'] },
      entries: { type: 'number' },
      undoable: { type: 'boolean' },
    },
    required: ['status', 'path', 'type', 'undoable'],
  });
  expect(z.toJSONSchema(tool?.input as z.ZodType, { io: 'input' })).toMatchObject({
    properties: {
      path: { description: 'File or directory to delete.' },
      recursive: { default: false, description: 'Delete a directory with everything in it.' },
    },
    required: ['path'],
    additionalProperties: false,
  });
});
