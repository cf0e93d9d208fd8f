import { hostname } from 'node:os';
import { expect, it } from 'vitest';
import { workerNameOf } from './worker-name.ts';

it('is the same after a restart, and another one at another port of a shared database', () => {
  const databaseUrl = 'postgres://db.test/croft';
  const name = workerNameOf({ databaseUrl }, 7860);
  expect(name).toBe(workerNameOf({ databaseUrl }, 7860));
  expect(name).not.toBe(workerNameOf({ databaseUrl }, 7861));
  expect(name.startsWith(`${hostname()} 7860 `)).toBe(true);
  expect(name).toMatch(/( [0-9a-f]{2}(:[0-9a-f]{2}){5})+$/);
});

it('needs no name of the host for an embedded database, which one process uses', () => {
  expect(workerNameOf({ databaseUrl: undefined }, 7860)).toBe('server');
});
