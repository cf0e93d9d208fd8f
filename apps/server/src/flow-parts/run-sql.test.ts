import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { createGuardedAddresses, type Services } from '@croft/components';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runNode, runSpec } from '../../../../packages/components/src/testing.ts';
import { openTestDatabase } from '../../../../tests/store/test-database.ts';
import { createRunSql } from './run-sql.ts';

let opened: Awaited<ReturnType<typeof openTestDatabase>>;
let own: pg.Client;
/** Leads to the database over TCP, as databases elsewhere are reached. */
let proxy: Server;
const proxyClients = new Set<Socket>();
let port: number;
let user: string;

beforeAll(async () => {
  opened = await openTestDatabase();
  const config = opened.database.connection();
  user = String(config.user);
  own = new pg.Client(config);
  await own.connect();
  await own.query('CREATE DATABASE shop');
  await own.end();
  own = new pg.Client({ ...config, database: 'shop' });
  await own.connect();
  await own.query('CREATE TABLE orders (id int PRIMARY KEY, region text, total numeric, at timestamptz)');
  await own.query("INSERT INTO orders VALUES (1, 'North', 160, '2026-03-01T12:00:00Z'), (2, 'South', 80, NULL)");
  const socket = join(String(config.host), `.s.PGSQL.${config.port ?? 5432}`);
  proxy = createServer((client) => {
    proxyClients.add(client);
    client.once('close', () => proxyClients.delete(client));
    const target = connect(socket);
    for (const each of [client, target]) each.on('error', () => undefined);
    client.pipe(target).pipe(client);
    client.on('close', () => target.destroy());
  });
  await once(proxy.listen(0, '127.0.0.1'), 'listening');
  ({ port } = proxy.address() as AddressInfo);
});
afterAll(async () => {
  proxy?.close();
  await own?.end();
  await opened?.close();
});

const services = (): Partial<Services> => ({
  sql: createRunSql(createGuardedAddresses({ allow: [`127.0.0.1:${port}`] })),
});
const config = (query: string, more: object = {}) => ({
  database_url: `postgres://${user}@127.0.0.1:${port}/shop`,
  encryption: 'Not encrypted',
  query,
  ...more,
});
const read = (query: string, more: object = {}, signal?: AbortSignal) =>
  runNode(
    { type: 'SQLComponent', output: 'run_sql_query', config: config(query, more), services: services() },
    signal && { signal },
  );
const change = (query: string, more: object = {}) =>
  runNode({ type: 'SQLStatement', output: 'message', config: config(query, more), services: services() });
const regions = async () =>
  (await own.query<{ region: string }>('SELECT region FROM orders ORDER BY id')).rows.map(({ region }) => region);

describe('SQL query', () => {
  it('gives rows as JSON has them, with values for $1', async () => {
    const { value } = await read('SELECT id, region, at FROM orders WHERE total > $1 ORDER BY id;', {
      parameters: [50],
    });
    expect(value).toEqual([
      { id: 1, region: 'North', at: '2026-03-01T12:00:00.000Z' },
      { id: 2, region: 'South', at: null },
    ]);
    expect((await read('SELECT $1::jsonb AS a, $2::int[] AS b', { parameters: [{ x: 1 }, [1, 2]] })).value).toEqual([
      { a: { x: 1 }, b: [1, 2] },
    ]);
  });

  it('feeds other components', async () => {
    const spec = `nodes:
  Q: SQLComponent
  P: ParserComponent
  O: ChatOutput
edges:
  Q.run_sql_query -> P.input_data
  P.parsed_text -> O.input_value
config:
  Q.database_url: postgres://${user}@127.0.0.1:${port}/shop
  Q.encryption: Not encrypted
  Q.query: SELECT region, total FROM orders ORDER BY total
  P.pattern: "{region}: {total}"
`;
    expect((await runSpec(spec, services())).text).toBe('South: 80\nNorth: 160');
  });

  it('reads at most so many rows, and says that there are more', async () => {
    const ran = await read('SELECT generate_series(1, 1000000000) AS n', { max_rows: 250 });
    expect(ran.value).toHaveLength(250);
    expect(ran.events.some((event) => event.kind === 'log' && event.text.includes('first 250 rows'))).toBe(true);
  });

  it.each([
    'DELETE FROM orders',
    'DROP TABLE orders',
    'SELECT 1; DELETE FROM orders',
    'SELECT 1; COMMIT; DELETE FROM orders; --',
    'COMMIT',
    'SET TRANSACTION READ WRITE',
    'WITH gone AS (DELETE FROM orders RETURNING *) SELECT * FROM gone',
    'SELECT * FROM orders FOR UPDATE',
    'SELECT * INTO copied FROM orders',
    "COPY orders TO PROGRAM 'touch /tmp/croft-was-here'",
    "SELECT setval(pg_get_serial_sequence('orders', 'id'), 1), lo_create(1)",
    'DO $$ BEGIN DELETE FROM orders; END $$',
  ])('changes nothing: %s', async (query) => {
    expect((await read(query)).status).toBe('failed');
    expect(await regions()).toEqual(['North', 'South']);
  });

  it('names the reason of a failure, and no password', async () => {
    expect((await read('SELECT * FROM nothing')).failure).toMatchObject({
      message: 'The database refused the statement: relation "nothing" does not exist',
      fix: 'Correct the statement.',
    });
    expect((await read('SELECT pg_sleep(60)', { timeout: 1 })).failure).toMatchObject({
      message: 'The statement took too long.',
      fix: 'Raise the timeout, or ask for less.',
    });
    const wrong = async (url: string, more: object = {}) =>
      (await read('SELECT 1', { database_url: url, ...more })).failure?.message ?? '';
    expect(await wrong(`postgres://${user}:secret@127.0.0.1:${port}/shop`)).toBe(
      'The address of the database has a password.',
    );
    expect(await wrong(`postgres://${user}@127.0.0.1:${port}/none`)).toContain('does not exist');
    expect(await wrong(`postgres://${user}@127.0.0.1:${port}/shop`, { encryption: 'Checked certificate' })).toContain(
      'could not be reached',
    );
    for (const url of [
      'mysql://u@h/d',
      'postgres://host/db',
      'postgres://u@h',
      'postgres:///db?host=/run/postgresql',
      'x',
    ])
      expect(await wrong(url)).toBe('The address of the database is not valid.');
  });

  it('sends a credential to its host only, and none of the environment', async () => {
    process.env['PGPASSWORD'] = 'canary-of-the-environment';
    const received: Buffer[] = [];
    const fake = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.on('data', (data) => {
        received.push(data);
        // Asks for the password as plain text.
        if (received.length === 1) socket.write(Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 3]));
        else socket.destroy();
      });
    });
    await once(fake.listen(0, '127.0.0.1'), 'listening');
    const at = (fake.address() as AddressInfo).port;
    const ask = (hosts: readonly string[], more: object) =>
      runNode({
        type: 'SQLComponent',
        output: 'message',
        config: config('SELECT 1', { database_url: `postgres://u@127.0.0.1:${at}/d`, ...more }),
        services: {
          sql: createRunSql(createGuardedAddresses({ allow: [`127.0.0.1:${at}`] })),
          credential: () => ({ value: 'bound-secret', hosts }),
        },
      });
    expect((await ask([], {})).status).toBe('failed');
    expect(Buffer.concat(received).toString()).not.toContain('canary');
    received.length = 0;
    expect((await ask(['db.example.com'], { credential: 'DB' })).failure?.message).toContain('is not sent');
    expect(received).toEqual([]);
    await ask([`http://127.0.0.1:${at}`], { credential: 'DB' });
    expect(Buffer.concat(received).toString()).toContain('bound-secret');
    delete process.env['PGPASSWORD'];
    fake.close();
  });

  it('ends in the database too when the run is cancelled', async () => {
    const abort = new AbortController();
    const running = read('SELECT pg_sleep(60)', {}, abort.signal);
    const isFetching = "datname = 'shop' AND state = 'active' AND query LIKE 'FETCH % FROM croft_rows'";
    const active = async () => (await own.query(`SELECT 1 FROM pg_stat_activity WHERE ${isFetching}`)).rowCount;
    await expect.poll(active).toBe(1);
    abort.abort();
    expect((await running).status).toBe('cancelled');
    await expect.poll(active).toBe(0);
  });

  it('says so where the run has no databases', async () => {
    const node = { type: 'SQLComponent', output: 'message', config: config('SELECT 1') };
    expect((await runNode(node)).failure?.message).toBe('This run has no databases.');
  });
});

describe('SQL statement', () => {
  it('gives the rows of RETURNING up to a number, and counts all that it changed', async () => {
    await own.query('CREATE TABLE numbers (n int)');
    const query = 'INSERT INTO numbers SELECT generate_series(1, 3) RETURNING n';
    const rows = async (max_rows: number) =>
      runNode({ type: 'SQLStatement', output: 'dataframe', config: config(query, { max_rows }), services: services() });
    expect((await rows(2)).value).toEqual([{ n: 1 }, { n: 2 }]);
    expect((await rows(3)).value).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]);
    expect((await own.query('SELECT n FROM numbers')).rowCount).toBe(6);
  });

  it('changes the database, all of it or nothing', async () => {
    expect((await change("INSERT INTO orders VALUES (3, 'East', 1, NULL)")).value).toEqual({ text: 'Changed 1 row' });
    expect(await regions()).toEqual(['North', 'South', 'East']);
    expect((await change("UPDATE orders SET id = 1 WHERE region IN ('South', 'East')")).failure?.message).toContain(
      'duplicate key',
    );
    expect((await change('DELETE FROM orders WHERE id = 3; DELETE FROM orders')).failure).toMatchObject({
      message: 'The text has several statements.',
      fix: 'Use one component for each statement.',
    });
    expect((await change('DELETE FROM orders WHERE id = $1', { parameters: [3] })).status).toBe('completed');
    expect(await regions()).toEqual(['North', 'South']);
  });
});

describe('a statement', () => {
  /** Runs a statement as it is; the result, or what it failed with. */
  const run = (
    text: string,
    { database = {}, addresses = [{ address: '127.0.0.1', family: 4 }], ...more }: any = {},
  ): Promise<any> =>
    createRunSql(async () => addresses)({
      database: { host: 'db.test', port, database: 'shop', user, password: undefined, tls: false, ...database },
      text,
      parameters: [],
      maxRows: 100,
      readOnly: true,
      timeoutMs: 10_000.5,
      signal: new AbortController().signal,
      ...more,
    }).catch((error: unknown) => error);

  it('is sent to the addresses that were checked, whatever the name resolves to now', async () => {
    expect(await run('SELECT 1 AS n')).toEqual({ rows: [{ n: 1 }], isCut: false, changed: 0 });
    expect(await run("SELECT current_setting('application_name') AS name")).toMatchObject({
      rows: [{ name: 'croft' }],
    });
    const other = [{ address: '127.0.0.2', family: 4 }];
    const refused = createServer().listen(0, '127.0.0.1');
    await once(refused, 'listening');
    const unused = (refused.address() as AddressInfo).port;
    await new Promise((resolve) => refused.close(resolve));
    expect(await run('SELECT 1', { addresses: other, database: { port: unused } })).toMatchObject({
      name: 'NetworkError',
      message: `'db.test:${unused}' could not be reached (ECONNREFUSED).`,
      fix: 'Check the address.',
    });
  });

  it('is refused with the words of the database, and says what to check', async () => {
    expect(await run('SELECT 1', { database: { database: 'none' } })).toMatchObject({
      message: 'database "none" does not exist',
      fix: 'Check the user, the database and the credential.',
    });
    expect(await run('SELECT 1', { database: { tls: true } })).toMatchObject({
      message: `'db.test:${port}' could not be reached.`,
      fix: 'Check the address, and that the server offers an encrypted connection.',
    });
  });

  it('gives values as JSON has them', async () => {
    const values = `'2026-01-02T03:04:05Z'::timestamptz AS at, '\\x6869'::bytea AS bytes, ARRAY[1, 2] AS list,
      ARRAY['2026-01-02T03:04:05Z'::timestamptz] AS times, '{"a":[1]}'::jsonb AS json, 12345678901234567890::numeric AS big,
      true AS yes, NULL AS nothing`;
    expect((await run(`SELECT ${values}`)).rows).toEqual([
      {
        at: '2026-01-02T03:04:05.000Z',
        bytes: 'aGk=',
        list: [1, 2],
        times: ['2026-01-02T03:04:05.000Z'],
        json: { a: [1] },
        big: '12345678901234567890',
        yes: true,
        nothing: null,
      },
    ]);
    const parameters = [{ x: 1 }, [3, 4], 'text', null, new Date(0)];
    const text = 'SELECT $1::jsonb AS a, $2::int[] AS b, $3::text AS c, $4::text AS d';
    expect((await run(text, { parameters: parameters.slice(0, 4) })).rows).toEqual([
      { a: { x: 1 }, b: [3, 4], c: 'text', d: null },
    ]);
  });

  it('reads rows in parts up to a number, and says whether there are more', async () => {
    const count = async (maxRows: number, of: number, more: object = {}) => {
      const { rows, isCut, changed } = await run(`SELECT generate_series(1, ${of}) AS n`, { maxRows, ...more });
      return [rows.length, isCut, changed];
    };
    expect(await count(100, 100)).toEqual([100, false, 0]);
    expect(await count(100, 101)).toEqual([100, true, 0]);
    expect(await count(99, 100)).toEqual([99, true, 0]);
    expect(await count(150, 150)).toEqual([150, false, 0]);
    expect(await count(250, 201)).toEqual([201, false, 0]);
    expect(await count(2, 3, { readOnly: false })).toEqual([2, true, 3]);
    expect(await count(3, 3, { readOnly: false })).toEqual([3, false, 3]);
  });

  it('does not start where the run was cancelled, and ends its connection', async () => {
    const reason = new Error('cancelled');
    expect(await run('SELECT 1', { signal: AbortSignal.abort(reason) })).toBe(reason);
    const sessions = "SELECT count(*)::int AS n FROM pg_stat_activity WHERE application_name = 'croft'";
    const open = async () => (await own.query<{ n: number }>(sessions)).rows[0]?.n;
    await run('SELECT 1');
    await run('SELECT wrong');
    await expect.poll(open).toBe(0);
  });

  it('says that the connection ended where the database closes it', async () => {
    const running = run('SELECT pg_sleep(60)');
    const pids = "SELECT pid FROM pg_stat_activity WHERE application_name = 'croft' AND query LIKE 'FETCH%'";
    await expect.poll(async () => (await own.query(pids)).rowCount).toBe(1);
    proxyClients.forEach((client) => client.destroy());
    expect(await running).toMatchObject({
      name: 'NetworkError',
      message: 'The connection to the database ended.',
      fix: 'Try again.',
    });
    await own.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'croft'");
  });
});
