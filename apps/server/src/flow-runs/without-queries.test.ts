import { ComponentError } from '@croft/components';
import { DrizzleQueryError } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { StoreError } from '../store/store-error.ts';
import { withoutQueries } from './without-queries.ts';

it('hides the statement of a query that failed, logs it, and passes other failures on', async () => {
  const lines: unknown[] = [];
  const query = new DrizzleQueryError('select secret_column from users where id = $1', ['value']);
  const failures = [
    query,
    new ComponentError('No such flow.', 'Choose one.'),
    new DOMException('stopped', 'AbortError'),
  ];
  const service = withoutQueries(
    {
      find: async () => {
        throw failures.shift();
      },
      names: (count: number) => Promise.resolve(count + 1),
      list: ['a'],
    },
    { warn: (...line: unknown[]) => void lines.push(line) },
  );
  await expect(service.find()).rejects.toMatchObject({
    message: 'The database of the server did not answer.',
    fix: 'Try again in a moment.',
    cause: query,
  });
  await expect(service.find()).rejects.toThrow('No such flow.');
  await expect(service.find()).rejects.toThrow('stopped');
  expect(lines).toMatchObject([[{ err: query }, 'a query of a run failed']]);
  expect([await service.names(1), service.list]).toEqual([2, ['a']]);
});

it('runs a function again while the database is away, and gives up in time', async () => {
  const terminated = new Error('Connection terminated unexpectedly');
  const away = () =>
    new StoreError(
      'unavailable',
      'The database restarts.',
      Object.assign(new Error(), { code: 'ENOENT', syscall: 'connect' }),
    );
  const lost = () => new DrizzleQueryError('select 1', [], terminated);
  const failures = [lost(), away(), lost()];
  const service = {
    find: async () => {
      const failure = failures.shift();
      if (failure !== undefined) throw failure;
      return 'found';
    },
  };
  const log = { warn: () => {} };
  expect(await withoutQueries(service, log).find()).toBe('found');
  failures.push(...Array.from({ length: 1_000 }, lost));
  await expect(withoutQueries(service, log, 300).find()).rejects.toThrow('The database of the server did not answer.');
  expect(failures.length).toBeGreaterThan(900);
});

it('a missing file is not a database that is away', async () => {
  const missing = Object.assign(new Error('no such file'), { code: 'ENOENT', syscall: 'open' });
  let calls = 0;
  const find = async () => {
    calls++;
    throw new Error('Cannot open the files', { cause: missing });
  };
  await expect(withoutQueries({ find }, { warn: () => {} }).find()).rejects.toThrow('Cannot open the files');
  expect(calls).toBe(1);
});
