import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { isLoopback, loadOrCreateToken, type Overview, startServer } from '@croft/server';
import { openActivity } from '@croft/tools';
import { croftBaseDir, resolveNamespace, type SecondWallStatus } from '@croft/workspace';
import { loadConfig } from '../compose/config.ts';
import { instructionsFor } from '../compose/instructions.ts';
import { openBrowserWhenReady } from '../compose/open-browser.ts';
import { programDirs, raiseSecondWall } from '../compose/second-wall.ts';
import { openServing, type Serving } from '../compose/serving.ts';
import { palette } from '../render/colours.ts';
import { UsageError } from '../usage-error.ts';
import { version } from '../version.ts';
import { type ServeFlags, toServingOptions } from './serving-flags.ts';

/** Serves until it is told to stop. */
export async function runServe(flags: ServeFlags): Promise<void> {
  const config = await loadConfig({ ...(flags.host !== undefined && { host: flags.host }), ...(flags.port !== undefined && { port: flags.port }) }, { agentDirs: flags.dir });
  // What the file says of namespaces is read from the environment at every call.
  Object.assign(process.env, config.environment);
  const host = config.values.host;
  if (!flags.token && !isLoopback(host)) throw new UsageError(`--no-token on ${host} would open these directories to the network; keep the token or listen on 127.0.0.1`);
  const baseDir = croftBaseDir();
  const dirs = flags.dir.length > 0 || flags.user !== undefined ? flags.dir : [resolveNamespace({}).root];
  const tokenFile = join(baseDir, 'mcp-token');
  const token = loadOrCreateToken(tokenFile);
  const serving = openServing(toServingOptions(flags, dirs));
  const browser = flags.open && process.stdout.isTTY ? openBrowserWhenReady() : undefined;
  const wall = raise(serving, flags, baseDir);
  const secondWall = await wall;
  const running = await startServer({
    host,
    port: config.values.port,
    identity: { name: 'croft', title: 'Croft', version, instructions: instructionsFor(serving, flags.readOnly ?? false) },
    table: serving.table,
    token: flags.token ? token : undefined,
    pageSecret: token,
    overview: (url) => overviewOf(serving, flags, url, flags.token ? token : undefined, secondWall),
    onError: (error) => process.stderr.write(`croft: ${error.message}\n`),
  }).catch((error: NodeJS.ErrnoException) => {
    browser?.cancel();
    if (error.code === 'EADDRINUSE') throw new UsageError(`Port ${config.values.port} is taken. Stop what uses it, or pass --port 0 for any free port`);
    if (error.code === 'EACCES') throw new UsageError(`Not allowed to listen on port ${config.values.port}; use one above 1023`);
    throw error;
  });
  announce(running.oneTimeUrl, running.url, serving, flags, tokenFile, secondWall);
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

async function raise(serving: Serving, flags: ServeFlags, baseDir: string): Promise<SecondWallStatus> {
  if (!flags.secondWall) return { active: false, reason: 'switched off' };
  const cache = join(baseDir, 'cache');
  mkdirSync(cache, { recursive: true, mode: 0o700 });
  return raiseSecondWall({ write: [...serving.roots, ...serving.stateDirs, cache], read: programDirs() }).verified;
}

function overviewOf(serving: Serving, flags: ServeFlags, url: string, token: string | undefined, wall: SecondWallStatus): Overview {
  const recent = serving.roots
    .flatMap((root) => openActivity(croftBaseDir(), root).entries())
    .sort((a, b) => (a.time < b.time ? 1 : -1))
    .slice(0, 12);
  return {
    url,
    token,
    roots: serving.roots,
    tools: serving.table.tools.map((tool) => tool.name),
    toolset: flags.toolset,
    readOnly: flags.readOnly ?? false,
    resolver: serving.resolver,
    secondWall: wall.active ? 'on (Landlock)' : `off (${wall.reason})`,
    version,
    recent: recent.map(({ time, tool, outcome, paths }) => ({ time, tool, outcome, what: paths.join(' → ') })),
  };
}

function announce(oneTimeUrl: string, url: string, serving: Serving, flags: ServeFlags, tokenFile: string, wall: SecondWallStatus): void {
  const { bold, dim, yellow } = palette(process.stdout);
  const lines = [
    '',
    `  ${bold('Croft')} ${version} serves ${serving.roots.map((root) => bold(root)).join(', ')}${flags.readOnly ? ' (read only)' : ''}`,
    '',
    `  Page      ${bold(oneTimeUrl)}`,
    `            ${dim('works once; shows how to connect Claude Code, Cursor, VS Code and others')}`,
    `  MCP       ${url}/mcp`,
    flags.token ? `  Token     ${dim(`in ${tokenFile}`)}` : `  ${yellow('Token     none: every program on this machine can use these tools')}`,
    `  Wall      ${dim(`${serving.resolver}; second wall ${wall.active ? 'on (Landlock)' : `off (${wall.reason})`}`)}`,
    '',
    `  ${dim('Stop with Ctrl+C. See what agents did with croft log, take it back with croft undo.')}`,
    '',
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
}
