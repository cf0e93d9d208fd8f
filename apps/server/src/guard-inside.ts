import { readFileSync, realpathSync, statSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { isAbsolute, join } from 'node:path';
import type { Judge, LoadedPolicy, Policy, Upstream } from '@croft/guard';
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

/**
 * Opens the guard of `CROFT_GUARD_UPSTREAM`: one project (`CROFT_GUARD_ROOT`, else the one that the working directory is
 * in), the policy of the environment and of `croft.config.yaml`, tightened by the project's own file. Logs a warning if
 * it is off, in dry-run mode, or ignores a setting. Returns `undefined`, without loading the guard, if no upstream is set.
 *
 * @throws ConfigError for an upstream, a root or a policy that cannot be used, and if there is no project
 */
export async function openGuardInside(
  settings: Pick<Settings, 'baseDir' | 'guardUpstreams' | 'guardRoot'>,
  version: string,
  log: Log,
  cwd = process.cwd(),
): Promise<GuardInside | undefined> {
  const { baseDir, guardUpstreams } = settings;
  if (guardUpstreams.length === 0) return undefined;
  const upstreams = guardUpstreams.map(parseUpstream);
  const guard = await import('@croft/guard');
  const root = usableRoot(settings.guardRoot) ?? guard.detectRoot(cwd);
  if (root === undefined)
    throw new ConfigError(
      `CROFT_GUARD_UPSTREAM is set, but ${cwd} is not in a project. Set CROFT_GUARD_ROOT to the project directory`,
    );
  const { loaded, policy } = readPolicy(guard, baseDir, root);
  const statement = describeGuard(root, loaded, policy);
  for (const warning of statement.warnings) log.warn({ root }, warning);
  for (const line of guard.startLines(root, policy.enabled)) log.info({ root }, line);
  const judge: Judge = guard.createJudge(policy, guard.openPlace(policy, root));
  const decided = guard.createDecisionLog({
    dir: join(baseDir, 'guard'),
    onError: (error) => log.error({ err: error }, 'decisions of the guard cannot be kept'),
  });
  const { enabled, mode, strict, protect, denyRead } = policy;
  // The server admits only admins to the page, so any code opens it and every key is valid.
  const keys = { ...guard.createPageKeys(), redeem: () => 'admin', isKey: () => true };
  const facts = () => ({ enabled, mode, strict, roots: [root], protect, denyRead });
  const routes = guard.createDecisionRoutes({ log: decided, keys, version, facts });
  const server = guard.createGuardProxy({
    upstreams,
    judgeFor: () => (enabled ? { judge: (call) => judge.judge(call), enforce: mode === 'enforce' } : undefined),
    onDecision: ({ request, call, decision, blocked }) => {
      const tool = call?.name ?? '(too large to read)';
      decided.record(decision, { tool, wire: request.wire, mode, root });
      if (decision.decision === 'block')
        log.warn({ tool, rule: decision.rule, blocked }, guard.violationLine(tool, decision));
    },
    onUnreachable: ({ url }, error) => {
      decided.unreachable();
      log.warn({ upstream: url.host, code: error.code }, 'a model cannot be reached');
    },
  });
  return {
    statement,
    proxy(request, response) {
      request.url = (request.url ?? '').slice(PROXY.length).replace(/^(?!\/)/, '/');
      if (climbs(request.url)) return void response.writeHead(400).end();
      toLocal(request);
      forget(request, ['x-croft-key', 'cookie']);
      server.emit('request', request, response);
    },
    decisions(request, response) {
      toLocal(request);
      if (guard.answerDecisions(routes, request, response)) return;
      response.writeHead(404).end();
    },
    close() {
      judge.close();
      decided.close();
    },
  };
}

function readPolicy(
  guard: typeof import('@croft/guard'),
  baseDir: string,
  root: string,
): { readonly loaded: LoadedPolicy; readonly policy: Policy } {
  try {
    const loaded = guard.loadPolicy({
      env: process.env,
      yaml: textOf(join(baseDir, 'croft.config.yaml')),
      project: textOf(join(root, 'croft.config.yaml')),
      privateTemporary: guard.privateTemporary(baseDir),
    });
    return { loaded, policy: guard.policyFor(loaded.policy, { project: root }) };
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

/** Parses `https://api.openai.com`, or `/prefix=URL` for one of several upstreams. */
function parseUpstream(text: string): Upstream {
  const [, prefix = '', address = ''] = /^(?:(\/[^=]*)=)?(.*)$/s.exec(text) ?? [];
  const bad = () =>
    new ConfigError(
      `CROFT_GUARD_UPSTREAM: ${text} is not an address such as https://api.openai.com or /prefix=https://…`,
    );
  let url: URL;
  try {
    url = new URL(address);
  } catch {
    throw bad();
  }
  if (!/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash) throw bad();
  return { prefix: prefix.replace(/\/+$/, ''), url };
}

function usableRoot(root: string | undefined): string | undefined {
  if (root === undefined) return undefined;
  if (!isAbsolute(root) || !statSync(root, { throwIfNoEntry: false })?.isDirectory())
    throw new ConfigError(`CROFT_GUARD_ROOT: ${root} is not the whole path of a directory`);
  return realpathSync(root);
}

function textOf(file: string): { file: string; text: string } | undefined {
  if (!statSync(file, { throwIfNoEntry: false })?.isFile()) return undefined;
  return { file, text: readFileSync(file, 'utf8') };
}
