import pg from 'pg';
import { expect, it, onTestFinished, vi } from 'vitest';
import { connectionTo } from './socket-connection.ts';

it('is complete, whatever variables of PostgreSQL the environment has', () => {
  onTestFinished(() => void vi.unstubAllEnvs());
  const variables = {
    PGPORT: '5433',
    PGSSLMODE: 'require',
    PGHOST: 'other',
    PGUSER: 'x',
    PGDATABASE: 'y',
    PGOPTIONS: '-z',
  };
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
  const { host, port, ssl, user, database } = new pg.Client({ ...connectionTo('/run/croft') });
  expect({ host, port, ssl, user, database }).toEqual({
    host: '/run/croft',
    port: 5432,
    ssl: false,
    user: 'croft',
    database: 'croft',
  });
});
