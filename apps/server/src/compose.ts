import type { IncomingMessage } from 'node:http';
import { createHub, type Hub, type HubEvent } from '@croft/gateway/hub';
import { createAccounts } from './accounts/accounts.ts';
import { createKnownBrowsers } from './accounts/known-browsers.ts';
import { createSignInLimits } from './accounts/sign-in-limits.ts';
import type { Settings } from './config/settings.ts';
import { trustedProxies } from './edge/addresses.ts';
import { basePathOf } from './edge/base-path.ts';
import { openedAt } from './edge/opened-at.ts';
import { originRule } from './edge/own-origin.ts';
import { createEndedSessions } from './ended-sessions.ts';
import { createEventStreams } from './events.ts';
import { createLocalAccess } from './files/local-access.ts';
import { createCallerFiles } from './files/caller-files.ts';
import { createCallerToolsets } from './files/caller-toolsets.ts';
import { createNamespaces } from './files/namespaces.ts';
import { createSharedMount } from './files/shared-mount.ts';
import type { GuardInside } from './guard-inside.ts';
import { identify, ownerOfKey, refuseForeignPage } from './identify.ts';
import { createLocalSessions, LOCAL_SESSION_SECONDS } from './local-session.ts';
import type { Log } from './log.ts';
import { createCliPackage } from './pack-cli.ts';
import type { Parts } from './parts.ts';
import { deriveKeys, type SecretKeys } from './secret-key.ts';
import { throwProblems } from './problem.ts';
import { createReadyCheck } from './ready-check.ts';
import type { Readiness } from './readiness.ts';
import { createKeyTouches } from './store/api-keys.ts';
import type { ChangeHandlers, ChangeListener } from './store/changes.ts';
import { createGatewayStore } from './store/gateway-store.ts';

/** What a server is put together from. */
export interface ComposeOptions {
  readonly settings: Settings;
  readonly version: string;
  readonly log: Log;
  readonly secretKeys: SecretKeys;
  readonly machineToken: string | undefined;
  readonly readiness: Readiness;
  /** Of the port that is listened on: known before anything asks. */
  readonly port: () => number;
  readonly url: () => string;
  /** The directory of the `croft` package, for other machines. */
  readonly cliDir: string | undefined;
  /** Looked for where it is not said. */
  readonly isContainer: boolean | undefined;
  readonly guard: GuardInside | undefined;
  /** Follows the changes that other processes make. */
  readonly listen: (handlers: ChangeHandlers) => ChangeListener;
  /** Whose machine the static gateway key connects; nobody's until that user is known. */
  readonly gatewayKeyUser: () => string | undefined;
}

/** Everything a server has beside its socket, and how it is put away. */
export interface Composed {
  readonly parts: Parts;
  readonly originRule: ReturnType<typeof originRule>;
  /** Ends what would never end by itself: event streams, and those of connected machines. */
  endStreams(): Promise<void>;
  /** Puts files and keys away. When the last answer is out: a directory that is held must not be let go under one. */
  close(): Promise<void>;
}

/** Puts the parts together. Reads it from top to bottom: what each part is given is what it can touch. */
export function compose(options: ComposeOptions): Composed {
  const { settings, log, readiness, secretKeys } = options;
  const basePath = basePathOf(settings.publicUrl);
  const cookie = {
    // One host may have servers on several ports, and cookies do not know of ports.
    get name() {
      return `croft_session_${options.port()}`;
    },
    path: basePath,
    secure: settings.publicUrl?.startsWith('https:') ?? false,
  };
  const proxies = trustedProxies(settings.trustedProxies);
  const rule = originRule({
    host: settings.host,
    publicUrl: settings.publicUrl,
    allowedOrigins: settings.allowedOrigins,
  });
  const events = createEventStreams();
  const localSessions = createLocalSessions(deriveKeys(secretKeys, 'local session'));
  const isFresh = (): boolean => listener.isFresh();
  const endedSessions = createEndedSessions(readiness.storage, {
    lastsMs: LOCAL_SESSION_SECONDS * 1_000,
    isFresh,
  });
  const keyTouches = createKeyTouches(readiness.db, {
    onError: (error) => log.warn({ err: error }, 'last uses of keys could not be written'),
  });
  const namespaces = createNamespaces({
    baseDir: settings.baseDir,
    quotaBytes: settings.userQuotaBytes,
    trashBytes: settings.trashBytes,
    onChange: (userId) => {
      const event = { event: 'files' as const, data: {} };
      if (userId === undefined) events.sendAll(event);
      else events.send(userId, event);
    },
  });
  const sharedMount = createSharedMount(settings.baseDir);
  const files = createCallerFiles({ autoLogin: settings.autoLogin, namespaces, sharedMount, log });
  const isPublic = settings.publicUrl !== undefined;
  const hub = makeHub(options, events, {
    isFresh,
    addressOf: (request) => openedAt(request, { url: options.url(), isPublic, basePath, proxies }),
  });
  const listener = options.listen(changeHandlers({ hub, events, endedSessions, log }));
  const accounts = createAccounts({
    storage: readiness.storage,
    secrets: deriveKeys(secretKeys, 'accounts'),
    cookie: () => ({ ...cookie, name: cookie.name }),
    onCut: async (userId) => {
      events.endFor(userId);
      await hub
        .disconnect(userId)
        .catch((error: unknown) => log.error({ err: error }, 'a machine could not be cut off'));
    },
  });
  const asking = {
    autoLogin: settings.autoLogin,
    get cookieName() {
      return cookie.name;
    },
    storage: readiness.storage,
    keyTouches: () => keyTouches,
    accounts,
    localSessions,
    endedSessions,
    originRule: rule,
  };
  const localAccess = createLocalAccess(settings, options.isContainer);
  return {
    originRule: rule,
    parts: {
      settings,
      version: options.version,
      log,
      basePath,
      cookie,
      url: options.url,
      machineToken: options.machineToken,
      isReady: readiness.isReady,
      findNotReady: createReadyCheck({ settings, readiness, log }),
      storage: readiness.storage,
      keyTouches: () => keyTouches,
      identify: (request) => identify(request, asking),
      ownerOfKey: (secret) => ownerOfKey(secret, asking),
      requireOwnPage: (request) => refuseForeignPage(request, rule),
      proxies,
      localSessions,
      endedSessions,
      accounts,
      limits: createSignInLimits(readiness.storage),
      knownBrowsers: createKnownBrowsers(deriveKeys(secretKeys, 'known browser')),
      namespaces,
      sharedMount,
      files,
      toolsets: createCallerToolsets({ files, log }),
      localAccess,
      hub,
      events,
      packedCli: options.cliDir === undefined ? undefined : createCliPackage(options.cliDir),
      guard: options.guard,
    },
    async endStreams() {
      events.close();
      await listener.close();
      await hub.close();
    },
    async close() {
      await keyTouches.close();
      options.guard?.close();
      localAccess.close();
      namespaces.close();
    },
  };
}

/** Ends and forgets here what another process on the same database changed. */
function changeHandlers(parts: Pick<Parts, 'hub' | 'events' | 'endedSessions' | 'log'>): ChangeHandlers {
  const { hub, events, endedSessions, log } = parts;
  return {
    async onChange({ kind, userId }) {
      if (kind === 'sessions') endedSessions.reload();
      if (kind === 'sessions' || kind === 'cut') events.endFor(userId);
      if (kind === 'pairing' || kind === 'cut') hub.forgetPairing(userId);
      if (kind === 'switch' || kind === 'machine' || kind === 'cut') await hub.refresh(userId);
    },
    async onMissed() {
      endedSessions.reload();
      await hub.refresh();
      await events.endInvalid();
    },
    onError: (error) =>
      log.warn({ err: error }, 'changes by other processes do not arrive; asking the database instead'),
  };
}

function makeHub(
  options: ComposeOptions,
  events: ReturnType<typeof createEventStreams>,
  { isFresh, addressOf }: { isFresh: () => boolean; addressOf: (request: IncomingMessage) => string },
): Hub {
  const { settings, log, gatewayKeyUser } = options;
  const key = settings.gatewayApiKey;
  return createHub({
    isFresh,
    store: throwProblems(createGatewayStore(options.readiness.db)),
    ...(key !== undefined && {
      staticKey: {
        key,
        get userId() {
          return gatewayKeyUser() ?? '';
        },
      },
    }),
    linkFor: (request, token) => connectCommand(addressOf(request), token),
    onChange: (of, status) => events.send(of, { event: 'gateway', data: status }),
    log: (event) => logHubEvent(log, event),
  });
}

/**
 * The command that connects a folder: `npx` takes `croft` from this server, at the address the page was opened at. That
 * address works from where the person is, also through a port that a container publishes.
 */
function connectCommand(url: string, token: string): { command: string; url: string } {
  // npm installs without the optional helper when no registry answers; by default it tries again for two minutes first.
  return { command: `npx -y --fetch-retries=0 ${url}/dl/croft.tgz connect ${url} ${token}`, url };
}

function logHubEvent(log: Log, { event, error, ...facts }: HubEvent): void {
  if (event === 'failed') log.error({ ...facts, err: error }, 'the gateway failed');
  else if (event === 'called' || event === 'refused') log.debug(facts, `gateway: ${event}`);
  else log.info(facts, `a machine ${event}`);
}
