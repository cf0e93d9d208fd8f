import type { IncomingMessage, ServerResponse } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { type Accounts, createAccounts } from './accounts/accounts.ts';
import { createKnownBrowsers } from './accounts/known-browsers.ts';
import { createSignInLimits } from './accounts/sign-in-limits.ts';
import { createApp } from './app.ts';
import { changeHandlers } from './change-handlers.ts';
import { composeAdministration } from './compose-administration.ts';
import { composeFlows } from './compose-flows.ts';
import type { Settings } from './config/settings.ts';
import { trustedProxies } from './edge/addresses.ts';
import { admit } from './edge/admit.ts';
import { answerRaw } from './edge/answer-raw.ts';
import { basePathOf } from './edge/base-path.ts';
import { openedAt } from './edge/opened-at.ts';
import { originRule as makeOriginRule } from './edge/own-origin.ts';
import { createEndedSessions } from './ended-sessions.ts';
import { createEventStreams } from './events.ts';
import { createCallerFiles } from './files/caller-files.ts';
import { machineTools } from './files/caller-tools.ts';
import { createLocalAccess } from './files/local-access.ts';
import { createNamespaces } from './files/namespaces.ts';
import { createSharedMount } from './files/shared-mount.ts';
import type { QueuedRunOptions } from './flow-runs/queued-run-options.ts';
import { workerNameOf } from './flow-runs/worker-name.ts';
import type { GuardInside } from './guard-inside.ts';
import { type IdentifyOptions, identify as identifyCaller, ownerOfKey, refuseForeignPage } from './identify.ts';
import { createLocalSessions, LOCAL_SESSION_SECONDS, type LocalSessions } from './local-session.ts';
import type { Job } from './jobs.ts';
import { type Log, problemOf } from './log.ts';
import { makeHub } from './make-hub.ts';
import { createCliPackage } from './pack-cli.ts';
import type { Readiness } from './readiness.ts';
import { createReadyCheck } from './ready-check.ts';
import { addRoutes } from './routes/add-routes.ts';
import { deriveKeys, type SecretKeys } from './secret-key.ts';
import { createKeyTouches } from './store/api-keys.ts';
import type { ChangeHandlers, ChangeListener } from './store/changes.ts';
import { getUser } from './store/users.ts';
import type { TestOptions } from './test-options.ts';
import type { Variables } from './variables/variables.ts';
import { createVisitorLimits } from './public-links/visitor-limits.ts';
import type { Webhooks } from './webhooks/webhooks.ts';

export interface ComposeOptions {
  readonly settings: Settings;
  readonly version: string;
  readonly log: Log;
  readonly secretKeys: SecretKeys;
  /** The bearer token of programs on this machine, under auto-login. */
  readonly machineToken: string | undefined;
  readonly readiness: Readiness;
  readonly database: QueuedRunOptions['database'];
  readonly workerGroup: string;
  /** The port that the server listens on. */
  readonly port: number;
  /** The server's address, without a slash at the end. */
  readonly url: string;
  /** The directory of the `croft` package, which other machines download. */
  readonly cliDir: string | undefined;
  /** Detected if absent. */
  readonly isContainer: boolean | undefined;
  readonly guard: GuardInside | undefined;
  readonly studioDir: string | undefined;
  readonly forTests: TestOptions | undefined;
  /** Follows the changes that other processes make. */
  readonly listen: (handlers: ChangeHandlers) => ChangeListener;
  /** The user whose machine the static gateway key connects; `undefined` until that user is known. */
  readonly gatewayKeyUser: () => string | undefined;
}

/** A server without its socket and database. */
export interface Composed {
  answer(request: IncomingMessage, response: ServerResponse): void;
  readonly accounts: Accounts;
  readonly localSessions: LocalSessions;
  readonly variables: Variables;
  readonly schedules: Pick<Webhooks, 'reseal'>;
  readonly webhooks: Webhooks;
  /** Resources that responses use. Stop them after the last response. */
  readonly resources: readonly Job[];
  /** Event streams and connections of machines, which do not end by themselves. Stop them before the connections. */
  readonly streams: readonly Job[];
}

/** Creates the parts of a server, and gives each part what it uses. */
export function compose(options: ComposeOptions): Composed {
  const { settings, log, readiness, secretKeys, url, guard, version } = options;
  const { storage, isReady } = readiness;
  const basePath = basePathOf(settings.publicUrl);
  const cookie = {
    // Browsers send cookies to every port of a host, and one host may run several servers.
    name: `croft_session_${options.port}`,
    path: basePath,
    secure: settings.publicUrl?.startsWith('https:') ?? false,
  };
  const proxies = trustedProxies(settings.trustedProxies);
  const originRule = makeOriginRule({
    host: settings.host,
    publicUrl: settings.publicUrl,
    allowedOrigins: settings.allowedOrigins,
  });
  const events = createEventStreams();
  const localSessions = createLocalSessions(deriveKeys(secretKeys, 'local session'));
  let listener: ChangeListener | undefined;
  const isFresh = (): boolean => listener?.isFresh() ?? false;
  const endedSessions = createEndedSessions(storage, { lastsMs: LOCAL_SESSION_SECONDS * 1_000, isFresh });
  const keyTouches = createKeyTouches(readiness.db, {
    onError: (error) => log.warn({ err: error }, 'last uses of keys could not be written'),
  });
  const administration = composeAdministration({ settings, log, proxies, readiness });
  const namespaces = createNamespaces({
    baseDir: settings.baseDir,
    quotaBytes: settings.userQuotaBytes,
    trashBytes: settings.trashBytes,
    onChange(userId) {
      events.sendFilesChanged(userId);
      if (userId !== undefined) administration.storageSurvey.changed(userId);
      flowRuns.filesChanged(userId);
    },
  });
  const sharedMount = createSharedMount(settings.baseDir);
  const files = createCallerFiles({ autoLogin: settings.autoLogin, namespaces, sharedMount, log });
  const { flowRuns, ...flows } = composeFlows({
    database: options.database,
    events,
    files,
    log,
    machineTools: (userId) => machineTools({ hub, localAccess }, userId),
    namespaces,
    runsInThread: options.forTests?.runsInThread ?? true,
    secretKeys,
    settings,
    storage,
    workerGroup: options.workerGroup,
    workerName: workerNameOf(settings, options.port),
  });
  const { liveTurns, schedules, variables, webhooks } = flows;
  const isPublic = settings.publicUrl !== undefined;
  const hub = makeHub({
    auditLog: administration.auditLog,
    settings,
    log,
    db: readiness.db,
    events,
    isFresh,
    addressOf: (request) => openedAt(request, { url, isPublic, basePath, proxies }),
    gatewayKeyUser: options.gatewayKeyUser,
  });
  const accounts = createAccounts({
    storage,
    secrets: deriveKeys(secretKeys, 'accounts'),
    cookie: () => cookie,
    passwordHashing: options.forTests?.passwordHashing,
    onCut: async (userId) => {
      events.endFor(userId);
      liveTurns.cancelFor(userId);
      const disconnecting = hub
        .disconnect(userId)
        .catch((error: unknown) => log.error({ err: error }, 'a machine could not be disconnected'));
      await Promise.all([flowRuns.cancelFor(userId), disconnecting]);
    },
  });
  const callers: IdentifyOptions = {
    autoLogin: settings.autoLogin,
    cookieName: cookie.name,
    storage,
    keyTouches: () => keyTouches,
    accounts,
    localSessions,
    endedSessions,
    originRule,
  };
  const identify = administration.touching((request) => identifyCaller(request, callers));
  const localAccess = createLocalAccess(settings, options.isContainer);
  const app = createApp((error, request) => problemOf(log, error, request));
  const routes = addRoutes(app, {
    ...flowRuns,
    ...flows,
    accounts,
    ...administration,
    basePath,
    checksResponses: options.forTests?.checksResponses,
    cookie,
    endedSessions,
    events,
    files,
    checkReady: createReadyCheck({ settings, readiness, sharedMount, log }),
    hasGuard: guard !== undefined,
    hub,
    identify,
    knownBrowsers: createKnownBrowsers(deriveKeys(secretKeys, 'known browser')),
    limits: createSignInLimits(storage),
    localAccess,
    localSessions,
    log,
    machineToken: options.machineToken,
    namespaces,
    packedCli: options.cliDir === undefined ? undefined : createCliPackage(options.cliDir),
    proxies,
    requireOwnPage: (request) => refuseForeignPage(request, originRule),
    settings,
    sharedMount,
    storage,
    studioDir: options.studioDir,
    url: () => url,
    version,
    visitorLimits: createVisitorLimits(),
  });
  // hono recognises a response that a library made by Node's own classes.
  const respond = getRequestListener(app.fetch, { overrideGlobalObjects: false });
  const edge = { basePath, originRule, proxies };
  const ownerOf = (secret: string) => ownerOfKey(secret, callers);
  const raw = { guard, hub, identify, isReady, log, ownerOfKey: ownerOf, storage };
  return {
    answer(request, response) {
      if (!admit(request, response, edge) || answerRaw(request, response, raw)) return;
      void respond(request, response);
    },
    accounts,
    localSessions,
    variables,
    schedules,
    webhooks,
    resources: [
      ...administration.jobs,
      { name: 'files', stop: () => namespaces.close() },
      { name: 'local access', stop: () => localAccess.close() },
      { name: 'guard', stop: () => guard?.close() },
      { name: 'last uses of keys', stop: () => keyTouches.close() },
      { name: 'MCP', stop: () => routes.close() },
    ],
    streams: [
      { name: 'gateway', stop: () => hub.close() },
      { name: 'assistant', stop: () => liveTurns.close() },
      flowRuns.job,
      {
        name: 'changes of other processes',
        start: () => {
          const isActive = async (userId: string) => (await getUser(await storage(), userId))?.disabled === false;
          const parts = { hub, events, endedSessions, log, flowRuns, liveTurns };
          listener = options.listen(changeHandlers({ ...parts, isActive }));
        },
        stop: () => listener?.close(),
      },
      { name: 'events', stop: () => events.close() },
    ],
  };
}
