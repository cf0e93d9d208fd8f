import { accessSync, constants } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { errnoOf, makeDirs, osReason } from '@croft/workspace';
import { getRequestListener } from '@hono/node-server';
import { ensureSuperuser } from './accounts/superuser.ts';
import { createApp } from './app.ts';
import { compose } from './compose.ts';
import { ConfigError } from './config/load-config.ts';
import type { Settings } from './config/settings.ts';
import { answerRaw } from './edge/answer-raw.ts';
import { refuseExposure } from './exposure.ts';
import { refuseFilesystemPath } from './files/local-access.ts';
import { openGuardInside } from './guard-inside.ts';
import { guardLines } from './guard-statement.ts';
import { loadOrCreateToken } from './local/token-file.ts';
import type { Log } from './log.ts';
import { createReadiness } from './readiness.ts';
import { loadOrCreateSecretKey, type SecretKeys } from './secret-key.ts';
import { ensureApiKey } from './store/api-keys.ts';
import { listenForChanges } from './store/changes.ts';
import { type Database, openDatabase } from './store/database.ts';
import { StoreError } from './store/store-error.ts';
import { ensureLocalUser, findUserByEmail, getUser, LOCAL_USER_ID } from './store/users.ts';
import { emailOf } from './accounts/accounts.ts';

/** What a server is started with. */
export interface StartOptions {
  readonly settings: Settings;
  readonly version: string;
  readonly log: Log;
  /** A server without sign-in may be reached by others: said on the command line, never by accident. */
  readonly allowOpenAutoLogin?: boolean;
  /** The built studio; without it a plain page says that it is missing. */
  readonly studioDir?: string | undefined;
  /** The directory of the `croft` package, which other machines are given. */
  readonly cliDir?: string | undefined;
  /** Whether it runs in a container, whose disk is nobody's; looked for unless said. */
  readonly isContainer?: boolean | undefined;
  /** Fails a request whose response its definition does not describe. For tests. */
  readonly checksResponses?: boolean | undefined;
}

/** A server that is listening. */
export interface RunningServer {
  readonly url: string;
  /** Address and port it really listens on. */
  readonly boundTo: string;
  /** Opens the page once, under auto-login. */
  readonly oneTimeUrl: string | undefined;
  /** The lines that tell the operator what the guard inside does; empty without one. */
  readonly guard: readonly string[];
  /** Fulfilled when everything works, the database too. Rejects with a `StoreError` for the operator. */
  readonly ready: Promise<void>;
  /** Stops listening, lets running answers end for up to two seconds, then cuts them and puts everything away. */
  close(): Promise<void>;
}

/** How long a request may take to come in: an upload over a slow line. Its headers have a minute, as Node gives them. */
const MAX_UPLOAD_MS = 3_600_000;
/** How long running answers may take to end. */
const ANSWERS_MS = 2_000;

/**
 * Starts the server: it listens first, so that a page and `/healthz` answer at once; then the database, then the rest.
 *
 * @throws ConfigError for settings that would open the server or contradict each other; Node's own error when it cannot
 *   listen (`EADDRINUSE`)
 */
export async function startServer(options: StartOptions): Promise<RunningServer> {
  const { settings, log, version } = options;
  refuseExposure(settings, options.allowOpenAutoLogin ?? false);
  refuseFilesystemPath(settings);
  const { secretKeys, machineToken } = readSecrets(settings);
  const guard = await openGuardInside(settings, version, log);
  const server = createServer({ requestTimeout: MAX_UPLOAD_MS });
  const address = await listen(server, settings);
  const url = addressOf(settings, address.port);
  const database = openStore(settings, log);
  const { db } = database;
  let gatewayKeyUser = settings.autoLogin ? LOCAL_USER_ID : undefined;
  const findGatewayKeyUser = async () => {
    const named = settings.gatewayApiKeyUser;
    if (named !== undefined && !settings.autoLogin)
      gatewayKeyUser = ((await getUser(db, named)) ?? (await findUserByEmail(db, emailOf(named))))?.id;
  };
  const prepared = database.ready.then(async () => {
    await findGatewayKeyUser();
    if (machineToken === undefined) return;
    await ensureLocalUser(db);
    await ensureApiKey(db, { userId: LOCAL_USER_ID, name: 'this machine', secret: machineToken });
  });
  const readiness = createReadiness(database, prepared);
  const { parts, originRule, endStreams, close } = compose({
    settings,
    version,
    log,
    secretKeys,
    machineToken,
    readiness,
    port: () => address.port,
    url: () => url,
    cliDir: options.cliDir,
    isContainer: options.isContainer,
    guard,
    listen: (handlers) => listenForChanges(database, handlers),
    gatewayKeyUser: () => gatewayKeyUser,
  });
  const { app, close: closeApp } = createApp(parts, {
    studioDir: options.studioDir,
    checksResponses: options.checksResponses,
  });
  // The classes stay Node's own: what a library hands back is known again as an answer.
  const listener = getRequestListener(app.fetch, { overrideGlobalObjects: false });
  server.on('request', (request, response) => {
    logAnswer(request, response, log);
    if (answerRaw(request, response, parts, originRule)) return;
    void listener(request, response);
  });
  const ready = prepared
    .then(async () => {
      if (settings.autoLogin) return;
      await ensureSuperuser(db, parts.accounts, settings, secretKeys, log);
      await findGatewayKeyUser();
    })
    .catch((error: unknown) => {
      if (error instanceof StoreError) throw error;
      // The error may hold query parameters; the log drops them.
      log.error({ err: error }, 'the database could not be prepared');
      throw new StoreError('start_failed', 'The server could not prepare its database. The log has the reason.');
    });
  ready.catch(() => {});
  let closing: Promise<void> | undefined;
  return {
    url,
    boundTo: `${settings.host.includes(':') ? `[${settings.host}]` : settings.host}:${address.port}`,
    oneTimeUrl: settings.autoLogin ? `${url}/open?code=${parts.localSessions.makeCode()}` : undefined,
    guard: guard === undefined ? [] : guardLines(guard.statement),
    ready,
    close() {
      closing ??= (async () => {
        const closed = new Promise<void>((resolve) => server.close(() => resolve()));
        server.closeIdleConnections();
        const cut = setTimeout(() => server.closeAllConnections(), ANSWERS_MS);
        await endStreams();
        await closed;
        clearTimeout(cut);
        await closeApp();
        await close();
        await database.close();
      })();
      return closing;
    },
  };
}

/** @throws ConfigError with a sentence, where the base directory or a file in it cannot be used */
function readSecrets({ baseDir, secretKey, previousSecretKeys, autoLogin }: Settings): {
  secretKeys: SecretKeys;
  machineToken: string | undefined;
} {
  try {
    makeDirs(baseDir);
    accessSync(baseDir, constants.R_OK | constants.W_OK | constants.X_OK);
    return {
      secretKeys: [loadOrCreateSecretKey(baseDir, secretKey), ...previousSecretKeys],
      machineToken: autoLogin ? loadOrCreateToken(join(baseDir, 'mcp-token')) : undefined,
    };
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
    const { path = baseDir } = error as NodeJS.ErrnoException;
    throw new ConfigError(
      `CROFT_BASE_DIR (${baseDir}) cannot be used: ${osReason(error)} (${path}). Make it writable for this user, or set CROFT_BASE_DIR to a place that is`,
    );
  }
}

/** One line for each answer, where an operator wants to see them. Without the query: codes and keys may stand there. */
function logAnswer(request: IncomingMessage, response: ServerResponse, log: Log): void {
  if (!log.isLevelEnabled('debug')) return;
  const started = performance.now();
  const path = (request.url ?? '').split('?', 1)[0];
  response.once('close', () => {
    const tookMs = Math.round(performance.now() - started);
    log.debug({ method: request.method, path, status: response.statusCode, tookMs }, 'answered');
  });
}

function openStore({ databaseUrl, baseDir }: Settings, log: Log): Database {
  const told = {
    log: (line: string) => {
      const isNews = /\b(WARNING|ERROR|FATAL|PANIC)\b|lost/.test(line);
      log[isNews ? 'warn' : 'debug']({ from: 'database' }, line);
    },
  };
  return openDatabase(databaseUrl === undefined ? { baseDir, ...told } : { url: databaseUrl, ...told });
}

/** Where people reach the server, without a slash at the end. */
function addressOf({ host, publicUrl }: Settings, port: number): string {
  if (publicUrl !== undefined) return publicUrl.replace(/\/+$/, '');
  const reached = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return `http://${reached.includes(':') ? `[${reached}]` : reached}:${port}`;
}

function listen(server: Server, { host, port }: Settings): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve(server.address() as AddressInfo);
    });
  });
}
