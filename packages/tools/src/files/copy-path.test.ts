import { expect, it } from 'vitest';
import { useBench } from '../use-bench.ts';

const { setUp, call, text } = useBench('full');

it('copies a directory, counts what it copied and what it left out, and leaves the source', async () => {
  setUp(['d/a.txt = one', 'd/e/b.txt = two', 'd/.env = KEY', 'd/link => a.txt']);
  const { ok, data, bytes, changes } = await call('copy_path', { source: 'd', destination: 'new/copy' });
  expect([ok, data, bytes]).toEqual([
    true,
    { status: 'ok', source: 'd', destination: 'new/copy', files: 2, directories: 2, bytes: 6, skipped: 2 },
    6,
  ]);
  expect([text('new/copy/e/b.txt'), text('d/e/b.txt')]).toEqual(['two', 'two']);
  expect(changes?.map(({ kind, path }) => [kind, path])).toEqual([
    ['mkdir', 'new'],
    ['create', 'new/copy'],
  ]);
});

it('ends when the call is cancelled', async () => {
  setUp(['d/a.txt']);
  const { data } = await call('copy_path', { source: 'd', destination: 'e' }, { signal: AbortSignal.abort() });
  expect(data).toMatchObject({ error: 'The call was cancelled' });
});
