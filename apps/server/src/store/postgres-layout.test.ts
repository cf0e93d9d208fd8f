import { expect, it } from 'vitest';
import { DATABASE_NAME, postgresLayout } from './postgres-layout.ts';

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

it('has one name for the role and the database', () => {
  expect(DATABASE_NAME).toBe('croft');
});

it('names files by their path on other systems', () => {
  const { platform } = process;
  Object.defineProperty(process, 'platform', { value: 'darwin' });
  const path = postgresLayout('/base').asSeen('data');
  Object.defineProperty(process, 'platform', { value: platform });
  expect(path).toBe('/base/postgres/data');
});
