import { ComponentError } from '@croft/components';
import { DrizzleQueryError } from 'drizzle-orm';
import { expect, it } from 'vitest';
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
  await expect(service.find()).rejects.toThrow('The database of the server did not answer.');
  await expect(service.find()).rejects.toThrow('No such flow.');
  await expect(service.find()).rejects.toThrow('stopped');
  expect(lines).toMatchObject([[{ err: query }, 'a query of a run failed']]);
  expect([await service.names(1), service.list]).toEqual([2, ['a']]);
});
