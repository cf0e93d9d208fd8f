import { join } from 'node:path';
import { isLoopback, loadOrCreateToken, makeToken, type Overview, startMcpServer } from '@croft/server/mcp-only';
import { openActivity } from '@croft/tools';
import { croftBaseDir, errnoOf, osReason, resolveNamespace, type SecondWallStatus } from '@croft/workspace';
import { loadConfig } from '../compose/config.ts';
import { instructionsFor } from '../compose/instructions.ts';
import { openBrowserWhenReady } from '../compose/open-browser.ts';
import { requireProtection } from '../compose/protection.ts';
import { programDirs, raiseSecondWall } from '../compose/second-wall.ts';
import { ownCommand, shellWord } from '../compose/own-command.ts';
import { openServing, type Serving } from '../compose/serving.ts';
import { palette } from '../render/colours.ts';
import { printableName } from '../render/printable.ts';
import { UsageError } from '../usage-error.ts';
import { version } from '../version.ts';
import { type ServingFlags, toServingOptions } from './serving-flags.ts';

/** The flags of `croft mcp --http`. */
export interface McpHttpFlags extends ServingFlags {
  readonly dir: readonly string[];
  readonly host?: string;
  readonly port?: number;
  readonly open: boolean;
  readonly token: boolean;
}

/** Serves these directories over HTTP, with a page that explains how to connect, until SIGINT or SIGTERM. */
export async function runMcpHttp(flags: McpHttpFlags): Promise<void> {
  const config = await loadConfig(
    { ...(flags.host !== undefined && { host: flags.host }), ...(flags.port !== undefined && { port: flags.port }) },
    { agentDirs: flags.dir },
  );
  const host = config.values.host;
  if (!flags.token && !isLoopback(host))
    throw new UsageError(
      `--no-token on ${host} would open these directories to the network; keep the token or listen on 127.0.0.1`,
    );
  const baseDir = croftBaseDir();
  const dirs =
    flags.dir.length > 0 || flags.user !== undefined
      ? flags.dir
      : [resolveNamespace({ env: { ...process.env, ...config.environment } }).root];
  const tokenFile = join(baseDir, 'mcp-token');
  const { token, kept } = tokenIn(tokenFile);
  const serving = openServing(toServingOptions(flags, dirs));
  const browser = flags.open && process.stdout.isTTY ? openBrowserWhenReady() : undefined;
  const secondWall = await raise(serving, flags, baseDir);
  try {
    if (flags.requireSandbox) requireProtection(serving.resolver, secondWall);
  } catch (error) {
    browser?.cancel();
    throw error;
  }
  const running = await startMcpServer({
    host,
    port: config.values.port,
    identity: {
      name: 'croft',
      title: 'Croft',
      version,
      instructions: instructionsFor(serving, flags.readOnly ?? false),
    },
    table: serving.table,
    token: flags.token ? token : undefined,
    overview: (url) => overviewOf(serving, flags, url, flags.token ? token : undefined, secondWall),
    onError: (error) => process.stderr.write(`croft: ${error.message}\n`),
  }).catch((error: NodeJS.ErrnoException) => {
    browser?.cancel();
    if (error.code === 'EADDRINUSE')
      throw new UsageError(
        `Port ${config.values.port} is taken. Stop what uses it, or pass --port 0 for any free port`,
      );
    if (error.code === 'EACCES')
      throw new UsageError(`Not allowed to listen on port ${config.values.port}; use one above 1023`);
    if (error.syscall === 'listen' || error.syscall === 'getaddrinfo')
      throw new UsageError(
        `Cannot listen on ${host}: ${osReason(error)}. Give an address of this machine, e.g. --host 127.0.0.1`,
      );
    throw error;
  });
  announce(
    running.oneTimeUrl,
    running.url,
    isLoopback(host) ? undefined : running.boundTo,
    serving,
    flags,
    kept ? `in ${tokenFile}` : 'for this run only; the page shows it',
    secondWall,
  );
  browser?.open(running.oneTimeUrl);
  const stop = () => {
    browser?.cancel();
    void running.close().then(() => {
      serving.close();
      process.exit(0);
    });
  };
  process.once('SIGINT', stop).once('SIGTERM', stop);
}

async function raise(serving: Serving, flags: McpHttpFlags, baseDir: string): Promise<SecondWallStatus> {
  if (!flags.secondWall) return { active: false, reason: 'switched off' };
  // Where --host is a name, the system looks it up in its own files.
  const resolving = ['/etc/hosts', '/etc/nsswitch.conf', '/etc/resolv.conf', '/etc/host.conf'];
  const read = [...programDirs(), ...serving.readFiles, ...resolving];
  return raiseSecondWall({ write: [...serving.roots, ...serving.stateDirs, join(baseDir, 'cache')], read }).verified;
}

/** Where nothing can be kept, a token for this run is better than none. */
function tokenIn(file: string): { token: string; kept: boolean } {
  try {
    return { token: loadOrCreateToken(file), kept: true };
  } catch (error) {
    if (errnoOf(error) === undefined) throw new UsageError((error as Error).message);
    process.stderr.write(
      `croft: the token cannot be kept in ${file} (${osReason(error)}), so it holds for this run only\n`,
    );
    return { token: makeToken(), kept: false };
  }
}

function overviewOf(
  serving: Serving,
  flags: McpHttpFlags,
  url: string,
  token: string | undefined,
  wall: SecondWallStatus,
): Overview {
  const recent = serving.roots
    .flatMap((root) => openActivity(croftBaseDir(), root).entries())
    .sort((a, b) => (a.time < b.time ? 1 : -1))
    .slice(0, 12);
  return {
    url,
    token,
    roots: serving.roots,
    advice: adviceOf(serving, flags),
    tools: serving.table.tools.map((tool) => tool.name),
    toolset: flags.toolset,
    readOnly: flags.readOnly ?? false,
    resolver: serving.resolver,
    secondWall: wall.active ? 'on (Landlock)' : `off (${wall.reason})`,
    version,
    recent: recent.map(({ time, tool, outcome, paths }) => ({ time, tool, outcome, what: paths.join(' → ') })),
  };
}

/** The commands that list and undo what agents did. They work in any directory. */
function adviceOf(serving: Serving, flags: McpHttpFlags): Overview['advice'] {
  const croft = ownCommand(undefined, null);
  const choices =
    flags.user === undefined
      ? serving.roots.map((root) => `--dir ${shellWord(root)}`)
      : [`--user ${shellWord(flags.user)}`];
  return choices.map((choice) => ({ log: `${croft} log ${choice}`, undo: `${croft} undo ${choice}` }));
}

function announce(
  oneTimeUrl: string,
  url: string,
  openAddress: string | undefined,
  serving: Serving,
  flags: McpHttpFlags,
  tokenPlace: string,
  wall: SecondWallStatus,
): void {
  const { bold, dim, red, yellow } = palette(process.stdout);
  const lines = [
    '',
    `  ${bold('Croft')} ${version} serves ${serving.roots.map((root) => bold(printableName(root))).join(', ')}${flags.readOnly ? ' (read only)' : ''}`,
    '',
    `  Page      ${bold(oneTimeUrl)}`,
    `            ${dim('works once; shows how to connect Claude Code, Cursor, VS Code and others')}`,
    `  MCP       ${url}/mcp`,
    ...(openAddress === undefined
      ? []
      : [
          `  ${red(bold(`OPEN      listens on ${openAddress}: every machine that reaches this one can send requests, over plain http`))}`,
        ]),
    flags.token
      ? `  Token     ${dim(tokenPlace)}`
      : `  ${yellow('Token     none: every program on this machine can use these tools')}`,
    `  Sandbox   ${dim(`${serving.resolver}; second sandbox ${wall.active ? 'on (Landlock)' : `off (${wall.reason})`}`)}`,
    '',
    `  ${dim('Stop with Ctrl+C. See what agents did, and undo it, with')}`,
    ...adviceOf(serving, flags).flatMap(({ log, undo }) => [`    ${log}`, `    ${undo}`].map(printableName).map(dim)),
    '',
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
}
