import { describe, expect, it } from 'vitest';
import type { Services } from '../services.ts';
import { runAlone, declaredBy, textsOf } from '../testing.ts';
import { sqlQuery, sqlStatement } from './sql-query.ts';
import type { SqlRequest } from './sql-service.ts';

const INPUTS = {
  database_url: ' postgres://reader@db.example.com/shop ',
  query: { text: 'select 1' },
  parameters: [],
  max_rows: 2,
  timeout: 30,
};
const credential: NonNullable<Services['credential']> = (name) =>
  name === 'PASS' ? { value: 'secret', hosts: ['db.example.com:5432', 'http://db.example.com:6000'] } : undefined;

/** Runs a query, and gives what the database was asked. */
async function ask(inputs: object = {}, isCut = false, component = sqlQuery, [rows, changed] = [1, 7]) {
  const asked: SqlRequest[] = [];
  const services: Partial<Services> = {
    credential,
    sql: async (request) => {
      asked.push(request);
      return { rows: Array.from({ length: rows }, () => ({ a: 1 })), isCut, changed };
    },
  };
  const ran = await runAlone(component, { ...INPUTS, ...inputs }, services);
  return { ...ran, asked: asked[0] as SqlRequest };
}

describe('a query', () => {
  it('gives its rows, also as text, and reads only', async () => {
    const { outputs, progress, asked } = await ask();
    expect(outputs).toEqual({ run_sql_query: [{ a: 1 }], message: { text: '[{"a":1}]' } });
    expect(progress).toEqual([]);
    expect(asked).toMatchObject({ text: 'select 1', readOnly: true, maxRows: 2, timeoutMs: 30_000, parameters: [] });
  });

  it('says that there are more rows', async () => {
    const log = async (rows: number) => (await ask({}, true, sqlQuery, [rows, 0])).progress;
    expect(await log(1)).toEqual([{ kind: 'log', text: 'Reads only the first 1 row.' }]);
    expect(await log(2)).toEqual([{ kind: 'log', text: 'Reads only the first 2 rows.' }]);
  });

  it.each([
    [
      [1, 'a'],
      [1, 'a'],
    ],
    [{ x: 1, y: 2 }, [1, 2]],
    ['text', []],
    [undefined, []],
  ])('takes the values %j', async (parameters, expected) => {
    expect((await ask({ parameters })).asked.parameters).toEqual(expected);
  });
});

it('a statement changes the database, and counts the rows', async () => {
  const { outputs, progress, asked } = await ask({}, false, sqlStatement);
  expect(outputs).toEqual({ message: { text: 'Changed 7 rows' }, dataframe: [{ a: 1 }] });
  expect(progress).toEqual([]);
  expect(asked.readOnly).toBe(false);
});

it('a statement says that RETURNING gives more rows', async () => {
  const { outputs, progress } = await ask({}, true, sqlStatement, [2, 1]);
  expect(outputs['message']).toEqual({ text: 'Changed 1 row' });
  expect(progress).toEqual([{ kind: 'log', text: 'RETURNING gives only the first 2 rows; all were changed.' }]);
});

describe('the database', () => {
  it('is read from its address', async () => {
    expect((await ask()).asked.database).toEqual({
      host: 'db.example.com',
      port: 5432,
      database: 'shop',
      user: 'reader',
      password: undefined,
      tls: true,
    });
    const other = { database_url: 'postgresql://re%40der@[::1]:6000/sh%20op', encryption: 'Not encrypted' };
    expect((await ask(other)).asked.database).toMatchObject({
      host: '::1',
      port: 6000,
      database: 'sh op',
      user: 're@der',
      tls: false,
    });
    expect((await ask({ encryption: 'Checked certificate' })).asked.database.tls).toBe(true);
  });

  it('gets the password of a credential that is bound to it', async () => {
    expect((await ask({ credential: ' PASS ' })).asked.database.password).toBe('secret');
    expect((await ask({ credential: ' ' })).asked.database.password).toBeUndefined();
    const plain = { credential: 'PASS', database_url: 'postgres://a@db.example.com:6000/b' };
    expect((await ask({ ...plain, encryption: 'Not encrypted' })).asked.database.password).toBe('secret');
    await expect(ask(plain)).rejects.toThrow("'PASS' is not sent to 'https://db.example.com:6000'");
    await expect(ask({ credential: 'OTHER' })).rejects.toThrow("There is no credential 'OTHER'.");
  });

  it.each(['', 'mysql://a@b/c', 'postgres://b/c', 'postgres://a@b', 'postgres://a@b/', 'postgres://a@/c', 'x'])(
    'is refused with the address "%s"',
    async (database_url) => {
      await expect(ask({ database_url })).rejects.toMatchObject({
        message: 'The address of the database is not valid.',
        fix: 'Write it as postgres://USER@HOST:PORT/DATABASE.',
      });
    },
  );

  it('is refused with a password in its address', async () => {
    await expect(ask({ database_url: 'postgres://a:p@b/c' })).rejects.toThrow(
      'The address of the database has a password.',
    );
  });

  it('does not exist in a run without databases', async () => {
    await expect(runAlone(sqlQuery, INPUTS)).rejects.toThrow('This run has no databases.');
  });
});

const FIELDS = [
  'database_url: text required variables=false',
  'credential: text default="" variables=false',
  'query: code Message required toolParameter variables=false',
  'parameters: json Data Table default=[]',
  'max_rows: integer advanced default=1000 max=100000 min=1',
  'encryption: select advanced default="Checked certificate" of Checked certificate|Not encrypted',
  'timeout: integer advanced default=30 max=600 min=1',
];

it('declares the fields of SQLComponent with these defaults and limits', () => {
  expect(declaredBy(sqlQuery)).toEqual([
    'SQLComponent: database-read',
    ...FIELDS,
    'run_sql_query: gives Table',
    'message: gives Message',
  ]);
});

it('declares the fields of SQLStatement with these defaults and limits', () => {
  expect(declaredBy(sqlStatement)).toEqual([
    'SQLStatement: database-write',
    ...FIELDS,
    'message: gives Message',
    'dataframe: gives Table',
  ]);
});

const TEXTS = [
  'database_url: Database | The address of a PostgreSQL database, without the password. | postgres://reader@db.example.com/shop',
  'credential: Credential | The name of a variable with the password. It is bound to HOST:PORT, for plain connections to http://HOST:PORT.',
  'query: SQL | One statement. Write $1, $2, … for values. | sql',
  'parameters: Values | A list: the values of $1, $2, … Values in the text itself could change the statement. | {"type":["array","object"]}',
  'max_rows: Rows at most',
  'encryption: Encryption',
  'timeout: Timeout in seconds',
];

it('shows these texts of sqlQuery to people and models', () => {
  expect(textsOf(sqlQuery.descriptor)).toEqual([
    'SQL query (database): Reads rows of a PostgreSQL database. Cannot change the database.',
    'data | postgres | postgresql | select | table | SQLDatabase | SQLQuery',
    ...TEXTS,
    'run_sql_query: Rows',
    'message: Text | the rows as JSON',
  ]);
});

it('shows these texts of sqlStatement to people and models', () => {
  expect(textsOf(sqlStatement.descriptor)).toEqual([
    'SQL statement (database-zap): Runs one statement that changes a PostgreSQL database, all of it or nothing.',
    'data | postgres | postgresql | insert | update | delete',
    ...TEXTS,
    'message: Report',
    'dataframe: Rows | what RETURNING gives',
  ]);
});
