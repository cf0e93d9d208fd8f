import { expect, it } from 'vitest';
import { postgresLayout } from './postgres-layout.ts';

it('keeps the database in a directory of its own', () => {
  const { root, data, run, links } = postgresLayout('/base');
  expect([root, data, run, links]).toEqual([
    '/base/postgres',
    '/base/postgres/data',
    '/base/postgres/run',
    '/base/postgres/lib',
  ]);
});

it.runIf(process.platform === 'linux')('names files by a descriptor, so that their path may have any length', () => {
  expect(postgresLayout('/base').asSeen('data')).toBe('/proc/self/fd/3/data');
});
