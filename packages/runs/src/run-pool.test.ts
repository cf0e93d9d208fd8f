import { type AddressInfo, createServer } from 'node:net';
import { afterAll, expect, it } from 'vitest';
import pg from 'pg';
import { RunPool } from './run-pool.ts';

const pools: pg.Pool[] = [];
afterAll(async () => {
  for (const pool of pools) await pool.end();
});

function poolAt(host: string): RunPool {
  const pool = new RunPool({ host, port: 1, connectionTimeoutMillis: 5_000 });
  pools.push(pool);
  return pool;
}

it('reports a socket that is missing during a restart as a refused connection, which DBOS repeats', async () => {
  const pool = poolAt('/no-such-directory');
  await expect(pool.connect()).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  const error = await new Promise((done) => pool.connect((failure) => done(failure)));
  expect(error).toMatchObject({ code: 'ECONNREFUSED' });
});

it('reports a write to a closed connection as a reset one', () => {
  const Client = (poolAt('/no-such-directory') as unknown as { Client: typeof pg.Client }).Client;
  const { connection } = new Client() as unknown as { connection: NodeJS.EventEmitter };
  const errors = ['EPIPE', 'ETIMEDOUT'].map((code) => Object.assign(new Error(code), { code }));
  connection.on('error', () => {});
  for (const error of errors) connection.emit('error', error);
  expect(errors.map(({ code }) => code)).toEqual(['ECONNRESET', 'ETIMEDOUT']);
});

it('leaves other failures as they are', async () => {
  const server = createServer((socket) => socket.destroy());
  await new Promise<void>((listening) => void server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  const pool = new RunPool({ host: '127.0.0.1', port });
  pools.push(pool);
  const error = await pool.connect().then(
    () => undefined,
    (failure: Error) => failure,
  );
  server.close();
  expect(error).toBeInstanceOf(Error);
  expect(error).not.toMatchObject({ code: 'ECONNREFUSED' });
});
