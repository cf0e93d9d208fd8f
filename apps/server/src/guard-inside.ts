import { realpathSync, statSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { isAbsolute } from 'node:path';
import { ConfigError } from './config/load-config.ts';
import type { Settings } from './config/settings.ts';
import { describeGuard, type GuardStatement } from './guard-statement.ts';
import type { Log } from './log.ts';

const PROXY = '/guard/proxy';
const LOCAL_HOST = '127.0.0.1';

/** The guard inside a server: its proxy below `/guard/proxy`, its decisions page at `/guard`. */
export interface GuardInside {
  /** Tells the operator at start how the guard is set up. */
  readonly statement: GuardStatement;
  /** Forwards a request to a model and judges the response. The caller must be authenticated already. */
  proxy(request: IncomingMessage, response: ServerResponse): void;
  /** Serves the page of decisions and its data. The caller must be an authenticated admin already. */
  decisions(request: IncomingMessage, response: ServerResponse): void;
  close(): void;
}

/** Whether a path is the guard's proxy. */
export function isGuardProxy(path: string): boolean {
  return path === PROXY || path.startsWith(`${PROXY}/`) || path.startsWith(`${PROXY}?`);
}

type GuardSettings = Pick<
  Settings,
  'baseDir' | 'guardUpstreams' | 'guardRoot' | 'guardRootsBelow' | 'guardKeyRoots' | 'guardPass'
>;

/**
 * Opens the guard of `CROFT_GUARD_UPSTREAM` for one project (`CROFT_GUARD_ROOT`, else the one that the working directory is
 * in), and for those that requests choose. Logs a warning if it is off, in dry-run mode, or ignores a setting. Returns
 * `undefined`, without loading the guard, if no upstream is set.
 *
 * @throws ConfigError for an upstream, a root or a policy that cannot be used, and if there is no project
 */
export async function openGuardInside(
  settings: GuardSettings,
  version: string,
  log: Log,
  cwd = process.cwd(),
): Promise<GuardInside | undefined> {
  const { baseDir } = settings;
  if (settings.guardUpstreams.length === 0) return undefined;
  const guard = await import('@croft/guard');
  const { root, config, values } = readSettings(guard, settings, cwd);
  // The server admits only admins to the page, so any code opens it and every key is valid.
  const keys = { redeem: () => 'admin', isKey: () => true };
  const opened = guard.openGuard({
    ...values,
    config,
    root,
    baseDir,
    keys,
    version,
    servesPage: false,
    onNotice: (notice) => log.warn({ root }, notice),
    onBlocked: ({ line, tool, rule, blocked }) => log.warn({ tool, rule, blocked }, line),
    onUnreachable: ({ url }, { code }) => log.warn({ upstream: url.host, code }, 'a model cannot be reached'),
    onRefused: ({ method, path, reason, pattern }) =>
      log.warn({ method, path, pattern }, `a request was refused: ${reason}; CROFT_GUARD_PASS can let it pass`),
    onLogError: (error) => log.error({ err: error }, 'decisions of the guard cannot be kept'),
  });
  const statement = describeGuard(root, config, opened.policy);
  for (const warning of statement.warnings) log.warn({ root }, warning);
  for (const line of guard.startLines(root, opened.policy.enabled)) log.info({ root }, line);
  return {
    statement,
    proxy(request, response) {
      request.url = (request.url ?? '').slice(PROXY.length).replace(/^(?!\/)/, '/');
      if (climbs(request.url)) return void response.writeHead(400).end();
      toLocal(request);
      forget(request, ['x-croft-key', 'cookie']);
      opened.server.emit('request', request, response);
    },
    decisions(request, response) {
      toLocal(request);
      if (opened.answerPage(request, response)) return;
      response.writeHead(404).end();
    },
    close: opened.close,
  };
}

/** @throws ConfigError */
function readSettings(guard: typeof import('@croft/guard'), settings: GuardSettings, cwd: string) {
  const { baseDir, guardKeyRoots, guardPass, guardRootsBelow, guardUpstreams } = settings;
  try {
    const values = {
      upstreams: guardUpstreams.map((text) => guard.parseUpstream(text, 'CROFT_GUARD_UPSTREAM:')),
      keyRoots: guardKeyRoots.map((text) => guard.parseKeyRoot(text, 'CROFT_GUARD_KEY_ROOT:')),
      rootsBelow: guardRootsBelow === undefined ? undefined : guard.existingDir(guardRootsBelow),
      passPaths: guardPass === undefined ? [] : [guard.parsePattern(guardPass, 'CROFT_GUARD_PASS:')],
    };
    const root = usableRoot(settings.guardRoot) ?? guard.detectRoot(cwd);
    if (root === undefined)
      throw new ConfigError(
        `CROFT_GUARD_UPSTREAM is set, but ${cwd} is not in a project. Set CROFT_GUARD_ROOT to the project directory`,
      );
    return { values, root, config: guard.findGuardConfig({ env: process.env, baseDir }, root) };
  } catch (error) {
    throw error instanceof guard.GuardConfigError ? new ConfigError(error.message) : error;
  }
}

/** Whether a path has `..` in it, however written: it would lead out of the part of the upstream that was named. */
function climbs(url: string): boolean {
  const path = (url.split('?', 1)[0] as string).replace(/%2e/gi, '.').replace(/%2f|%5c|\\/gi, '/');
  return path.split('/').includes('..');
}

/** The server has already checked Host and Origin against its public name, so the guard gets loopback values. */
function toLocal(request: IncomingMessage): void {
  request.headers.host = LOCAL_HOST;
  forget(request, ['origin']);
}

/** Removes headers that are for this server only, because a proxy forwards all headers unchanged. */
function forget(request: IncomingMessage, names: readonly string[]): void {
  for (const name of names) delete request.headers[name];
  const raw = request.rawHeaders;
  request.rawHeaders = raw.filter((_, i) => !names.includes((raw[i - (i % 2)] as string).toLowerCase()));
}

function usableRoot(root: string | undefined): string | undefined {
  if (root === undefined) return undefined;
  if (!isAbsolute(root) || !statSync(root, { throwIfNoEntry: false })?.isDirectory())
    throw new ConfigError(`CROFT_GUARD_ROOT: ${root} is not the whole path of a directory`);
  return realpathSync(root);
}
