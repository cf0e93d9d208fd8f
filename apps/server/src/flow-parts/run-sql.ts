import { Socket } from 'node:net';
import { ComponentError, type GuardedAddresses, NetworkError, type RunSql, type SqlRequest } from '@croft/components';
import type { Client, QueryResult } from 'pg';

const CONNECT_TIMEOUT_MS = 10_000;
const FETCH_ROWS = 100;
/** Received from one statement. */
const MAX_BYTES = 64 * 1024 * 1024;
const LOOK_MS = 20;

/** Runs statements on PostgreSQL databases: a connection for each, to an address that was checked. */
export function createRunSql(addressesOf: GuardedAddresses): RunSql {
  return async (request) => {
    const client = await connect(request, addressesOf);
    const stop = (reason: unknown) => streamOf(client).destroy(reason as Error);
    const onAbort = () => stop(request.signal.reason);
    request.signal.addEventListener('abort', onAbort, { once: true });
    const look = setInterval(() => {
      if (streamOf(client).bytesRead > MAX_BYTES) stop(tooMuch());
    }, LOOK_MS);
    try {
      request.signal.throwIfAborted();
      return request.readOnly ? await read(client, request) : await change(client, request);
    } catch (error) {
      throw failureOf(error, client, request);
    } finally {
      clearInterval(look);
      request.signal.removeEventListener('abort', onAbort);
      await client.end().catch(() => undefined);
    }
  };
}

/** A cursor takes queries only, without changes inside of them, and the transaction refuses changes by functions. */
async function read(client: Client, request: SqlRequest) {
  await begin(client, 'BEGIN READ ONLY', request);
  // The extended protocol takes one statement. PostgreSQL refuses a text with more.
  await ask(client, `DECLARE croft_rows NO SCROLL CURSOR FOR ${request.text}`, request.parameters);
  const rows: Record<string, unknown>[] = [];
  while (rows.length <= request.maxRows) {
    const more = await client.query<Record<string, unknown>>(`FETCH ${FETCH_ROWS} FROM croft_rows`);
    rows.push(...more.rows);
    if (more.rows.length < FETCH_ROWS) break;
  }
  await client.query('ROLLBACK');
  return { rows: rows.slice(0, request.maxRows).map(plainRow), isCut: rows.length > request.maxRows, changed: 0 };
}

async function change(client: Client, request: SqlRequest) {
  await begin(client, 'BEGIN', request);
  const { rows, rowCount } = await ask(client, request.text, request.parameters);
  await client.query('COMMIT');
  const { maxRows } = request;
  return { rows: rows.slice(0, maxRows).map(plainRow), isCut: rows.length > maxRows, changed: rowCount ?? 0 };
}

async function begin(client: Client, statement: string, { timeoutMs }: SqlRequest): Promise<void> {
  // Ends a statement whose client has gone.
  await client.query("SET client_connection_check_interval = '1s'").catch(() => undefined);
  await client.query(`${statement}; SET LOCAL statement_timeout = ${Math.trunc(timeoutMs)}`);
}

function ask(
  client: Client,
  text: string,
  parameters: readonly unknown[],
): Promise<QueryResult<Record<string, unknown>>> {
  return client.query({ text, values: parameters.map(valueOf), queryMode: 'extended' } as { text: string });
}

/** Lists become arrays of PostgreSQL, records JSON. */
const valueOf = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? JSON.stringify(value) : value;

async function connect(
  { database: { host, port, database, user, password, tls }, signal }: SqlRequest,
  addressesOf: GuardedAddresses,
): Promise<Client> {
  const addresses = await addressesOf(host, port);
  signal.throwIfAborted();
  const { default: pg } = await import('pg');
  const client = new pg.Client({
    host,
    port,
    database,
    user,
    // For an empty text, pg would send the password of the server's environment or home directory.
    password: () => password ?? '',
    ssl: tls ? { rejectUnauthorized: true } : false,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    application_name: 'croft',
    stream: () => new PinnedSocket(addresses),
  });
  client.on('error', () => undefined);
  const onAbort = () => streamOf(client).destroy();
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    await client.connect();
    return client;
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    const { code, message } = error as NodeJS.ErrnoException;
    // PostgreSQL refused the user, the password or the database, and says why.
    if (/^[0-9A-Z]{5}$/.test(code ?? ''))
      throw new ComponentError(message, 'Check the user, the database and the credential.');
    throw new NetworkError(
      'unreachable',
      `'${host}:${port}' could not be reached${code === undefined ? '' : ` (${code})`}.`,
      tls ? 'Check the address, and that the server offers an encrypted connection.' : 'Check the address.',
    );
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

/** A socket that connects to these addresses, whatever the name resolves to now. */
class PinnedSocket extends Socket {
  readonly #addresses: Awaited<ReturnType<GuardedAddresses>>;

  constructor(addresses: Awaited<ReturnType<GuardedAddresses>>) {
    super();
    this.#addresses = addresses;
  }

  override connect(...args: unknown[]): this {
    const [port, host] = args as [number, string];
    return super.connect({
      port,
      host,
      lookup: (_name, options, done) => {
        const [first] = this.#addresses;
        if (options.all === true) done(null, [...this.#addresses]);
        else done(null, first?.address ?? '', first?.family);
      },
    });
  }
}

/** The socket under the client; it changes when the connection becomes encrypted. */
const streamOf = (client: Client): Socket =>
  (client as unknown as { readonly connection: { readonly stream: Socket } }).connection.stream;

const tooMuch = (): ComponentError =>
  new ComponentError(`The rows have more than ${MAX_BYTES} bytes.`, 'Select fewer columns or rows.');

function failureOf(error: unknown, client: Client, { signal }: SqlRequest): unknown {
  if (signal.aborted) return signal.reason;
  if (streamOf(client).bytesRead > MAX_BYTES) return tooMuch();
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === '57014')
    return new ComponentError('The statement took too long.', 'Raise the timeout, or ask for less.');
  if (code === '42601' && message.includes('multiple commands'))
    return new ComponentError('The text has several statements.', 'Use one component for each statement.');
  if (code !== undefined && /^[0-9A-Z]{5}$/.test(code))
    return new ComponentError(`The database refused the statement: ${message}`, 'Correct the statement.');
  return new NetworkError('unreachable', 'The connection to the database ended.', 'Try again.');
}

/** A row as JSON has it. Numbers of more than 15 digits are texts already. */
function plainRow(row: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, plain(value)]));
}

function plain(value: unknown): unknown {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
  if (Buffer.isBuffer(value)) return value.toString('base64');
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value === 'object' && value !== null) return JSON.parse(JSON.stringify(value)) as unknown;
  return value;
}
