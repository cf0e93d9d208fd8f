import type { AddressInfo } from 'node:net';
import { hostname, networkInterfaces } from 'node:os';
import { join } from 'node:path';
import {
  answerDecisions,
  createDecisionLog,
  createDecisionRoutes,
  createGuardProxy,
  createPageKeys,
  type DecisionEvent,
  type DecisionLog,
  type GuardedRequest,
  guardHealth,
  LOOPBACK_NAMES,
  policyFor,
  startLines,
  thisTurn,
  type Upstream,
  violationLine,
} from '@croft/guard';
import { croftBaseDir, osReason } from '@croft/workspace';
import { asInUrl, parseHost } from '../compose/allowed-host.ts';
import { type GuardConfig, type GuardFlags, guardRoot, offNotice, readGuardConfig } from '../compose/guard.ts';
import { createRequestJudges, type RequestJudges } from '../compose/request-judges.ts';
import { palette } from '../render/colours.ts';
import { printable, printableName } from '../render/printable.ts';
import { UsageError } from '../usage-error.ts';
import { version } from '../version.ts';
import { parseUpstream, parseKeyRoot, existingDir, parsePattern } from './guard-serve-values.ts';

/** Flags of `croft guard serve`. */
export interface GuardServeFlags extends GuardFlags {
  readonly upstream: readonly string[];
  readonly host: string;
  readonly port: number;
  readonly keyRoot: readonly string[];
  readonly rootsBelow?: string;
  readonly pass: readonly string[];
  /** Further host names of this machine, behind a reverse proxy. */
  readonly allowedHost: readonly string[];
}

const UNREACHABLE_EVERY_MS = 60_000;
const CONTAINER_NAMES = ['host.docker.internal', 'host.containers.internal'];

/**
 * Runs the guard's proxy between agents and models until a signal arrives.
 *
 * @throws UsageError before it listens
 */
export async function runGuardServe(flags: GuardServeFlags): Promise<void> {
  const config = readGuardConfig(flags, process.cwd(), process.env);
  const { policy } = config;
  const root = guardRoot(flags, policy.remote, process.cwd());
  if (flags.upstream.length === 0)
    throw new UsageError('--upstream is needed: the address of the model, such as https://api.openai.com');
  const upstreams = flags.upstream.map(parseUpstream);
  const keyRoots = flags.keyRoot.map(parseKeyRoot);
  const rootsBelow = flags.rootsBelow === undefined ? undefined : existingDir(flags.rootsBelow);
  const told = new Set(config.notices);
  const tell = (notice: string): void => {
    if (!told.has(notice)) say(notice);
  };
  const judges = createRequestJudges(config, { root, keyRoots, rootsBelow }, tell, thisTurn);
  const dir = join(croftBaseDir(), 'guard');
  const log = createDecisionLog({
    dir,
    onError: (error) => say(`decisions cannot be stored in ${dir} (${osReason(error)}); only the page shows them`),
  });
  const keys = createPageKeys();
  const facts = () => ({
    enabled: policy.enabled,
    mode: policy.mode,
    strict: policy.strict,
    roots: root === undefined ? [] : [root],
    protect: policy.protect,
    denyRead: policy.denyRead,
  });
  const hostnames = [...namesOf(flags.host), ...flags.allowedHost.map(parseHost)];
  const routes = createDecisionRoutes({
    log,
    keys,
    version,
    facts,
    hostnames,
  });
  const tellUnreachable = unreachableTeller();
  const proxy = createGuardProxy({
    upstreams,
    passPaths: flags.pass.map(parsePattern),
    hostnames,
    judgeFor: (request) => {
      const subject = judges.for(request);
      return subject.policy.enabled ? subject.judge : undefined;
    },
    onDecision: recorder(log, judges),
    onUnreachable: (upstream, error) => {
      log.unreachable();
      tellUnreachable(upstream, error);
    },
    own: (request, response) => answerDecisions(routes, request, response),
    health: () => guardHealth({ log, facts, version }),
  });
  await listen(proxy, flags);
  const { port } = proxy.address() as AddressInfo;
  announce(flags, { port, code: keys.code, root, upstreams, config });
  for (const line of startLines(root, policy.enabled)) process.stderr.write(`${printable(line)}\n`);
  const notice = offNotice(config);
  if (notice !== undefined) say(notice);
  const stop = () => {
    proxy.close();
    proxy.closeAllConnections();
    judges.close();
    log.close();
    process.exit(0);
  };
  process.once('SIGINT', stop).once('SIGTERM', stop);
}

/** Records every decision. Prints a blocked call once, although the model may repeat it in further attempts. */
function recorder(log: DecisionLog, judges: RequestJudges): (event: DecisionEvent) => void {
  const said = new WeakMap<GuardedRequest, Map<string, number>>();
  return ({ request, call, decision, blocked, attempt }) => {
    const { agent, model, root, policy } = judges.for(request);
    const tool = call?.name ?? '(too large to read)';
    log.record(decision, { tool, wire: request.wire, agent, model: model(), mode: policy.mode, root });
    if (decision.decision !== 'block') return;
    const line = printable(violationLine(tool, decision, agent)) + (blocked ? '' : ' (dry run: it passed)');
    const lines = said.get(request) ?? new Map<string, number>();
    said.set(request, lines);
    if ((lines.get(line) ?? attempt) < attempt) return;
    lines.set(line, attempt);
    process.stderr.write(`${line}\n`);
  };
}

/** Reports an unreachable upstream at most once a minute, because agents retry. */
function unreachableTeller(): (upstream: Upstream, error: NodeJS.ErrnoException) => void {
  const told = new Map<string, number>();
  return ({ url }, error) => {
    const last = told.get(url.href);
    const now = performance.now();
    if (last !== undefined && now - last < UNREACHABLE_EVERY_MS) return;
    told.set(url.href, now);
    const why = error.message === 'idle' ? 'no response' : (error.code ?? 'no reason given');
    say(`the upstream ${url.href} cannot be reached (${why}); requests to it fail`);
  };
}

function listen(proxy: ReturnType<typeof createGuardProxy>, { host, port }: GuardServeFlags): Promise<void> {
  return new Promise((done, fail) => {
    proxy.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE')
        fail(new UsageError(`Port ${port} is taken. Stop what uses it, or pass --port 0 for any free port`));
      else fail(new UsageError(`Cannot listen on ${host}, port ${port}: ${osReason(error)}`));
    });
    proxy.listen(port, host, done);
  });
}

interface Announced {
  readonly port: number;
  readonly code: string;
  readonly root: string | undefined;
  readonly upstreams: readonly Upstream[];
  readonly config: GuardConfig;
}

function announce({ host }: GuardServeFlags, { port, code, root, upstreams, config }: Announced): void {
  const { bold, dim } = palette(process.stdout);
  // The unspecified address is not a destination.
  const reached = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  const origin = `http://${reached.includes(':') ? `[${reached}]` : reached}:${port}`;
  const { enabled, mode, strict } = policyFor(config.policy, { project: root });
  const isBlocking = enabled && mode === 'enforce';
  const noProject = `Guarding without a project${isBlocking ? ': no tool call will pass' : ''}`;
  const lines: string[] = [];
  if (!enabled)
    lines.push(
      bold(`GUARD OFF: ${offNotice(config) ?? 'the configuration says so for this project: every call passes'}`),
    );
  else if (mode === 'dry-run') lines.push(bold('DRY RUN: every call passes; what would be blocked is only recorded'));
  lines.push(
    bold(root === undefined ? noProject : `${enabled ? 'Guarding' : 'Not guarding'} ${printableName(root)}`),
    `  Mode       ${!enabled ? 'off' : `${mode === 'dry-run' ? 'dry run' : 'enforce'}, ${strict ? 'strict' : 'default'}`}`,
    `  Policy     ${config.file === undefined ? 'no file read' : printableName(config.file)}`,
  );
  if (isEverywhere(host)) lines.push(`  Listens    on every address of this machine (${host}), port ${port}`);
  for (const prefix of new Set(upstreams.map((one) => one.prefix))) {
    lines.push('');
    for (const { url, model } of upstreams.filter((one) => one.prefix === prefix))
      lines.push(dim(`to ${url.href}${model ? ' for the models named' : ''}`));
    lines.push(
      `  OpenAI     OPENAI_BASE_URL=${origin}${prefix}/v1`,
      `  Codex      codex -c openai_base_url="${origin}${prefix}/v1", or that line in ~/.codex/config.toml`,
      `  Anthropic  ANTHROPIC_BASE_URL=${origin}${prefix}`,
      `  Gemini     GOOGLE_GEMINI_BASE_URL=${origin}${prefix}`,
    );
  }
  lines.push(
    '',
    `Decisions  ${origin}/guard/open?code=${code}`,
    dim('           works once, within ten minutes; Ctrl-C stops the guard'),
  );
  if (!isLoopback(host))
    lines.push('', 'Every machine that can reach this address can use the guard, with its own key for the model.');
  if (root === undefined)
    lines.push('', 'No project was found here: give --root DIR, or start the guard in the project.');
  process.stdout.write(`${lines.join('\n')}\n`);
}

/**
 * The host names that a request may use for this machine. If the guard listens on all addresses: all of them, the host name,
 * and the names that containers use for their host. Never a name that an external DNS server resolves.
 */
function namesOf(host: string): readonly string[] {
  const addresses = Object.values(networkInterfaces()).flatMap((all) => all?.map(({ address }) => address) ?? []);
  const hosts = isEverywhere(host) ? [hostname(), ...CONTAINER_NAMES, ...addresses] : [host];
  return [...new Set([...LOOPBACK_NAMES, ...hosts.map(asInUrl)])];
}

function isEverywhere(host: string): boolean {
  return host === '0.0.0.0' || host === '::';
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);
}

function say(text: string): void {
  process.stderr.write(`croft: ${printable(text)}\n`);
}
