import type { Field, NodeCall } from '@croft/flow';
import { credentialFor } from '../network/bound-credential.ts';
import { ComponentError, type CroftComponent, type Services } from '../services.ts';
import { isRow, message, toText } from '../values.ts';
import type { SqlDatabase, SqlResult } from './sql-service.ts';

const CHECKED = 'Checked certificate';
const PLAIN = 'Not encrypted';
const DEFAULT_PORT = 5432;

const FIELDS: readonly Field[] = [
  {
    name: 'database_url',
    label: 'Database',
    kind: 'text',
    required: true,
    variables: false,
    placeholder: 'postgres://reader@db.example.com/shop',
    help: 'The address of a PostgreSQL database, without the password.',
  },
  {
    name: 'credential',
    label: 'Credential',
    kind: 'text',
    default: '',
    variables: false,
    help: 'The name of a variable with the password. It is bound to HOST:PORT, for plain connections to http://HOST:PORT.',
  },
  {
    name: 'query',
    label: 'SQL',
    kind: 'code',
    language: 'sql',
    accepts: ['Message'],
    required: true,
    variables: false,
    toolParameter: true,
    help: 'One statement. Write $1, $2, … for values.',
  },
  {
    name: 'parameters',
    label: 'Values',
    kind: 'json',
    schema: { type: ['array', 'object'] },
    accepts: ['Data', 'Table'],
    default: [],
    help: 'A list: the values of $1, $2, … Values in the text itself could change the statement.',
  },
  { name: 'max_rows', label: 'Rows at most', kind: 'integer', default: 1_000, min: 1, max: 100_000, advanced: true },
  {
    name: 'encryption',
    label: 'Encryption',
    kind: 'select',
    options: [CHECKED, PLAIN],
    default: CHECKED,
    advanced: true,
  },
  { name: 'timeout', label: 'Timeout in seconds', kind: 'integer', default: 30, min: 1, max: 600, advanced: true },
];

/** Rows of a database. */
export const sqlQuery: CroftComponent = {
  descriptor: {
    type: 'SQLComponent',
    label: 'SQL query',
    description: 'Reads rows of a PostgreSQL database. Cannot change the database.',
    category: 'data',
    icon: 'database',
    keywords: ['postgres', 'postgresql', 'select', 'table'],
    aliases: ['SQLDatabase', 'SQLQuery'],
    effects: ['database-read'],
    fields: FIELDS,
    outputs: [
      { name: 'run_sql_query', label: 'Rows', types: ['Table'] },
      { name: 'message', label: 'Text', types: ['Message'], help: 'the rows as JSON' },
    ],
  },
  async *run(call) {
    const { rows, isCut } = await runSql(call, true);
    if (isCut) yield { kind: 'log', text: `Reads only the first ${counted(rows.length)}.` };
    return { run_sql_query: rows, message: message(JSON.stringify(rows)) };
  },
};

/** A statement that changes a database. */
export const sqlStatement: CroftComponent = {
  descriptor: {
    type: 'SQLStatement',
    label: 'SQL statement',
    description: 'Runs one statement that changes a PostgreSQL database, all of it or nothing.',
    category: 'data',
    icon: 'database-zap',
    keywords: ['postgres', 'postgresql', 'insert', 'update', 'delete'],
    effects: ['database-write'],
    fields: FIELDS,
    outputs: [
      { name: 'message', label: 'Report', types: ['Message'] },
      { name: 'dataframe', label: 'Rows', types: ['Table'], help: 'what RETURNING gives' },
    ],
  },
  async *run(call) {
    const { rows, changed, isCut } = await runSql(call, false);
    if (isCut) yield { kind: 'log', text: `RETURNING gives only the first ${counted(rows.length)}; all were changed.` };
    return { message: message(`Changed ${counted(changed)}`), dataframe: rows };
  },
};

const counted = (rows: number): string => `${rows} ${rows === 1 ? 'row' : 'rows'}`;

async function runSql({ inputs, services, signal }: NodeCall<Services>, readOnly: boolean): Promise<SqlResult> {
  if (services.sql === undefined)
    throw new ComponentError('This run has no databases.', 'Run the flow with croft run or on a server.');
  const given = inputs['parameters'];
  return services.sql({
    database: databaseIn(inputs, services),
    text: toText(inputs['query']),
    parameters: Array.isArray(given) ? given : isRow(given) ? Object.values(given) : [],
    readOnly,
    maxRows: Number(inputs['max_rows']),
    timeoutMs: Number(inputs['timeout']) * 1_000,
    signal,
  });
}

function databaseIn(inputs: NodeCall<Services>['inputs'], services: Services): SqlDatabase {
  const text = toText(inputs['database_url']).trim();
  const url = /^postgres(ql)?:\/\//i.test(text) && URL.canParse(text) ? new URL(text) : undefined;
  const database = decodeURIComponent(url?.pathname.slice(1) ?? '');
  if (url === undefined || url.hostname === '' || database === '' || url.username === '')
    throw new ComponentError(
      'The address of the database is not valid.',
      'Write it as postgres://USER@HOST:PORT/DATABASE.',
    );
  if (url.password !== '')
    throw new ComponentError(
      'The address of the database has a password.',
      'Remove it, put it into a variable, and name the variable in credential.',
    );
  const host = decodeURIComponent(url.hostname).replace(/^\[|\]$/g, '');
  const port = Number(url.port || DEFAULT_PORT);
  const tls = inputs['encryption'] !== PLAIN;
  const credential = toText(inputs['credential'] ?? '').trim();
  const origin = `${tls ? 'https' : 'http'}://${url.hostname}:${port}`;
  return {
    host,
    port,
    database,
    user: decodeURIComponent(url.username),
    password: credential === '' ? undefined : credentialFor(services, credential, origin),
    tls,
  };
}
