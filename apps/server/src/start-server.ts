import { accessSync, constants } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { errnoOf, makeDirs, osReason } from '@croft/workspace';
import { ensureSuperuser } from './accounts/superuser.ts';
import { compose } from './compose.ts';
import { ConfigError } from './config/load-config.ts';
import type { Settings } from './config/settings.ts';
import { refuseExposure } from './exposure.ts';
import { refuseFilesystemPath } from './files/local-access.ts';
import { refuseFlowNetwork } from './flow-runs/flow-network.ts';
import { announceGroup, workerGroupOf } from './flow-runs/worker-group.ts';
import { openGuardInside } from './guard-inside.ts';
import { guardLines } from './guard-statement.ts';
import { openHttpServer } from './http-server.ts';
import { startJobs } from './jobs.ts';
import { loadOrCreateToken } from './token-file.ts';
import type { Log } from './log.ts';
import { createReadiness } from './readiness.ts';
import { loadOrCreateSecretKey, type SecretKeys } from './secret-key.ts';
import { ensureApiKey } from './store/api-keys.ts';
import { listenForChanges } from './store/changes.ts';
import { type Database, openDatabase } from './store/database.ts';
import { StoreError } from './store/store-error.ts';
import { ensureLocalUser, findUserByEmail, getUser } from './store/users.ts';
import type { TestOptions } from './test-options.ts';
import { LOCAL_USER_ID } from './local-user.ts';
import { emailOf } from './accounts/accounts.ts';
import type { Variables } from './variables/variables.ts';

/** The settings of a server and its surroundings. */
export interface StartOptions {
  readonly settings: Settings;
  readonly version: string;
  readonly log: Log;
  /** Lets other machines reach a server without sign-in. Only the command line sets it, so that no accident does. */
  readonly allowOpenAutoLogin?: boolean;
  /** The built studio; without it a plain page says that it is missing. */
  readonly studioDir?: string | undefined;
  /** The directory of the `croft` package, which the server offers to other machines. */
  readonly cliDir?: string | undefined;
  /** Whether the server runs in a container, whose disk holds no files of the user. Detected if absent. */
  readonly isContainer?: boolean | undefined;
  readonly forTests?: TestOptions | undefined;
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
  /** Stops listening, gives running requests up to two seconds, then aborts them and releases all resources. */
  close(): Promise<void>;
}

/** Time limit of a whole request, for an upload over a slow line. Its headers have one minute, Node's default. */
const MAX_UPLOAD_MS = 3_600_000;

/** PostgreSQL writes a checkpoint before it ends. */
const DATABASE_STOP_MS = 60_000;

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
  refuseFlowNetwork(settings);
  const { secretKeys, machineToken, workerGroup } = readSecrets(settings);
  const guard = await openGuardInside(settings, version, log);
  const http = await openHttpServer({ ...settings, requestTimeoutMs: MAX_UPLOAD_MS });
  const { url } = http;
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
    await announceGroup(db, workerGroup, secretKeys);
    if (machineToken === undefined) return;
    await ensureLocalUser(db);
    await ensureApiKey(db, { userId: LOCAL_USER_ID, name: 'this machine', secret: machineToken });
  });
  const readiness = createReadiness(database, prepared);
  const { answer, accounts, localSessions, resources, schedules, streams, variables, webhooks } = compose({
    settings,
    version,
    log,
    secretKeys,
    machineToken,
    readiness,
    database,
    workerGroup,
    port: http.port,
    url,
    cliDir: options.cliDir,
    isContainer: options.isContainer,
    guard,
    studioDir: options.studioDir,
    forTests: options.forTests,
    listen: (handlers) => listenForChanges(database, handlers),
    gatewayKeyUser: () => gatewayKeyUser,
  });
  http.serve((request, response) => {
    logAnswer(request, response, log);
    answer(request, response);
  });
  // Stopped from the last to the first.
  const jobs = startJobs(
    [
      { name: 'database', stop: () => database.close(), stopMs: DATABASE_STOP_MS },
      ...resources,
      { name: 'connections', stop: () => http.close() },
      ...streams,
    ],
    log,
  );
  const ready = prepared
    .then(async () => {
      await reseal('variables', variables, log);
      await reseal('secrets of webhooks', webhooks, log);
      await reseal('schedules', schedules, log);
      if (settings.autoLogin) return;
      await ensureSuperuser(db, accounts, settings, secretKeys, log);
      await findGatewayKeyUser();
    })
    .catch((error: unknown) => {
      if (error instanceof StoreError) throw error;
      // The error may hold query parameters; the log drops them.
      log.error({ err: error }, 'the database could not be prepared');
      throw new StoreError('start_failed', 'The server could not prepare its database. The log has the reason.');
    });
  ready.catch(() => {});
  return {
    url,
    boundTo: http.boundTo,
    oneTimeUrl: settings.autoLogin ? `${url}/open?code=${localSessions.makeCode()}` : undefined,
    guard: guard === undefined ? [] : guardLines(guard.statement),
    ready,
    close() {
      http.stopListening();
      return jobs.stop();
    },
  };
}

/** After a rotation of the secret key, so that the old one can be removed. Values that no key opens stay as they are. */
async function reseal(what: string, stored: Pick<Variables, 'reseal'>, log: Log): Promise<void> {
  const { resealed, lost } = await stored.reseal();
  if (resealed > 0) log.info({ resealed }, `${what} were encrypted with the new secret key`);
  if (lost > 0) log.warn({ lost }, `${what} need an earlier secret key; set CROFT_SECRET_KEY_PREVIOUS`);
}

/** @throws ConfigError with a sentence, where the base directory or a file in it cannot be used */
function readSecrets({ baseDir, databaseUrl, secretKey, previousSecretKeys, autoLogin }: Settings): {
  workerGroup: string;
  secretKeys: SecretKeys;
  machineToken: string | undefined;
} {
  try {
    makeDirs(baseDir);
    accessSync(baseDir, constants.R_OK | constants.W_OK | constants.X_OK);
    return {
      workerGroup: workerGroupOf({ baseDir, databaseUrl }),
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

/** Logs one line for each response at level debug. Leaves out the query, which may contain codes and keys. */
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
  return openDatabase(databaseUrl === undefined ? { baseDir, ...told } : { url: databaseUrl, holds: baseDir, ...told });
}
