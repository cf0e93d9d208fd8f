import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { hostname, networkInterfaces } from 'node:os';
import { join } from 'node:path';
import {
  createPageKeys,
  existingDir,
  type GuardConfig,
  GuardConfigError,
  LOOPBACK_NAMES,
  makePageSecret,
  offNotice,
  openGuard,
  parseKeyRoot,
  parsePattern,
  parseUpstream,
  policyFor,
  startLines,
  type Upstream,
} from '@croft/guard';
import { croftBaseDir, osReason } from '@croft/workspace';
import { asInUrl, parseHost } from '../compose/allowed-host.ts';
import { type GuardFlags, guardRoot, readGuardConfig } from '../compose/guard.ts';
import { ownCommand } from '../compose/own-command.ts';
import { keepServedGuard, type ServedGuard } from '../compose/served-guards.ts';
import { palette } from '../render/colours.ts';
import { printable, printableName } from '../render/printable.ts';
import { UsageError } from '../usage-error.ts';
import { version } from '../version.ts';
import { openUrl } from './guard-open.ts';

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

const CONTAINER_NAMES = ['host.docker.internal', 'host.containers.internal'];

/**
 * Runs the guard's proxy between agents and models until a signal arrives.
 *
 * @throws UsageError before it listens
 */
export async function runGuardServe(flags: GuardServeFlags): Promise<void> {
  const config = readGuardConfig(flags, process.cwd(), process.env);
  const root = guardRoot(flags, config.policy.remote, process.cwd());
  if (flags.upstream.length === 0)
    throw new UsageError('--upstream is needed: the address of the model, such as https://api.openai.com');
  const values = parseValues(flags);
  const baseDir = croftBaseDir();
  const secret = makePageSecret();
  const guard = openGuard({
    ...values,
    config,
    root,
    baseDir,
    keys: createPageKeys(secret),
    version,
    hostnames: [...namesOf(flags.host), ...flags.allowedHost.map(parseHost)],
    servesPage: true,
    onNotice: say,
    onBlocked: ({ line, blocked }) =>
      process.stderr.write(`${printable(line)}${blocked ? '' : ' (dry run: it passed)'}\n`),
    onUnreachable: ({ url }, error) => {
      const why = error.message === 'idle' ? 'no response' : (error.code ?? 'no reason given');
      say(`the upstream ${url.href} cannot be reached (${why}); requests to it fail`);
    },
    onRefused: ({ method, path, reason, pattern }) =>
      say(`${method} ${path} was refused: ${reason}. To let it pass unread, start with --pass '${pattern}'`),
    onLogError: (error) =>
      say(`decisions cannot be stored in ${join(baseDir, 'guard')} (${osReason(error)}); only the page shows them`),
  });
  const { server, policy } = guard;
  await listen(server, flags);
  const { port } = server.address() as AddressInfo;
  const origin = originOf(flags.host, port);
  const forget = remember(baseDir, { port, origin, secret });
  announce(flags, { origin, port, secret, root, upstreams: values.upstreams, config });
  for (const line of startLines(root, policy.enabled)) process.stderr.write(`${printable(line)}\n`);
  const notice = offNotice(config);
  if (notice !== undefined) say(notice);
  const stop = () => {
    forget();
    guard.close();
    process.exit(0);
  };
  process.once('SIGINT', stop).once('SIGTERM', stop);
}

/** For `croft guard open`. Returns a function that undoes it. */
function remember(baseDir: string, served: ServedGuard): () => void {
  try {
    return keepServedGuard(baseDir, served);
  } catch (error) {
    say(`croft guard open will not find this guard: ${join(baseDir, 'guard')} cannot be written (${osReason(error)})`);
    return () => {};
  }
}

/** @throws UsageError */
function parseValues({ upstream, keyRoot, rootsBelow, pass }: GuardServeFlags) {
  try {
    return {
      upstreams: upstream.map((text) => parseUpstream(text, '--upstream')),
      keyRoots: keyRoot.map((text) => parseKeyRoot(text, '--key-root')),
      rootsBelow: rootsBelow === undefined ? undefined : existingDir(rootsBelow),
      passPaths: pass.map((text) => parsePattern(text, '--pass')),
    };
  } catch (error) {
    throw error instanceof GuardConfigError ? new UsageError(error.message) : error;
  }
}

function listen(proxy: Server, { host, port }: GuardServeFlags): Promise<void> {
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
  readonly origin: string;
  readonly port: number;
  readonly secret: string;
  readonly root: string | undefined;
  readonly upstreams: readonly Upstream[];
  readonly config: GuardConfig;
}

function originOf(host: string, port: number): string {
  // The unspecified address is not a destination.
  const reached = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return `http://${reached.includes(':') ? `[${reached}]` : reached}:${port}`;
}

function announce({ host }: GuardServeFlags, announced: Announced): void {
  const { origin, port, secret, root, upstreams, config } = announced;
  const { bold, dim } = palette(process.stdout);
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
    `Decisions  ${openUrl({ origin, secret })}`,
    dim(
      `           works once, within ten minutes; ${ownCommand(undefined, null)} guard open makes another; Ctrl-C stops the guard`,
    ),
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
