import { expect, it } from 'vitest';
import { callTool } from '../call-tool.ts';
import { makeBench } from '../testing.ts';
import { useBench } from '../use-bench.ts';

const { setUp, call, text } = useBench('full');

it('adds to the end of a file exactly as given, and creates a missing one', async () => {
  setUp(['a.txt = one']);
  const added = await call('append_file', { path: 'a.txt', content: ' é' });
  expect(added.data).toEqual({ status: 'updated', path: 'a.txt', bytes_written: 3, version: expect.any(String) });
  expect([text('a.txt'), added.bytes]).toEqual(['one é', 3]);
  expect(added.changes).toMatchObject([{ kind: 'append', path: 'a.txt', length: 3, bytes: 3 }]);
  const created = await call('append_file', { path: 'd/new.txt', content: 'x' });
  expect([created.data.status, text('d/new.txt')]).toEqual(['created', 'x']);
});

it('is refused for another version than the caller saw', async () => {
  setUp(['a.txt = one']);
  const refused = await call('append_file', { path: 'a.txt', content: 'x', expected_version: 'absent' });
  expect([refused.ok, refused.code, text('a.txt')]).toEqual([false, 'changed', 'one']);
});

it('is refused for content that was too large to receive', async () => {
  const { table, close } = makeBench('full');
  expect(table.tools.find(({ name }) => name === 'append_file')).toMatchObject({ structured: true });
  const call = { name: 'append_file', input: { path: 'a.txt' }, omittedBytes: { content: 20_000_000 } };
  const { ok, data } = await callTool(table, call);
  close();
  expect([ok, data.error]).toEqual([false, expect.stringContaining('20000000')]);
});
