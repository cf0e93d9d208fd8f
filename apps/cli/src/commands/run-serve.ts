import { realpathSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { RunningServer } from '@croft/server';
import { makeDirs, osReason } from '@croft/workspace';
import { loadConfig, type LoadedConfig } from '../compose/config.ts';
import { openBrowserWhenReady } from '../compose/open-browser.ts';
import { importServerPart } from '../compose/import-server-part.ts';
import { ownCommand } from '../compose/own-command.ts';
import { ADDRESS_FILE, readServedAddress } from '../compose/served-address.ts';
import { unknownVariables } from '../compose/unknown-variables.ts';
import { serverInstallHint } from '../compose/published.ts';
import { palette } from '../render/colours.ts';
import { printable } from '../render/printable.ts';
import { UsageError } from '../usage-error.ts';
import { version } from '../version.ts';
import { stopOnSignals } from './stop-on-signals.ts';

/** Flags of `croft serve`, as commander gives them. */
export interface ServeFlags {
  readonly host?: string;
  readonly port?: number;
  readonly publicUrl?: string;
  readonly open: boolean;
  readonly allowOpenAutoLogin?: boolean;
}

type ServerModule = typeof import('@croft/server');

/** Runs the server until SIGINT or SIGTERM. */
export async function runServe(flags: ServeFlags): Promise<void> {
  refuseUnknownVariables();
  const { host, port, publicUrl } = flags;
  const config = await loadConfig({
    ...(host !== undefined && { host }),
    ...(port !== undefined && { port }),
    ...(publicUrl !== undefined && { publicUrl }),
  });
  const settings = config.values;
  const server = await loadServer();
  const browser = flags.open && settings.autoLogin && process.stdout.isTTY ? openBrowserWhenReady() : undefined;
  const running = await start(server, config, flags).catch((error: unknown) => {
    browser?.cancel();
    throw error;
  });
  const addressFile = join(settings.baseDir, ADDRESS_FILE);
  let hasAddress = false;
  const stop = (code: number): Promise<void> =>
    running.close().finally(() => {
      browser?.cancel();
      // That of another server is not ours to remove: it is one that this one gave way to.
      if (hasAddress) rmSync(addressFile, { force: true });
      process.exit(code);
    });
  const isStopping = stopOnSignals(() => stop(0));
  try {
    await running.ready;
  } catch (error) {
    if (isStopping()) return;
    process.stderr.write(`croft: ${(error as Error).message}${whereInUse(error, settings.baseDir)}\n`);
    await stop(2);
    return;
  }
  // Only now is it certain that no other server has this base directory, whose address this would replace.
  hasAddress = true;
  writeAddress(addressFile, running);
  announce(running, config);
  if (running.oneTimeUrl !== undefined) browser?.open(running.oneTimeUrl);
}

/** The address of the server that holds the base directory, where that is why this one does not start. */
function whereInUse(error: unknown, baseDir: string): string {
  const address =
    (error as { code?: unknown }).code === 'base_in_use' ? readServedAddress(baseDir)?.address : undefined;
  return address === undefined ? '' : ` It answers at ${address}; ${ownCommand()} open opens its page.`;
}

/** A mistyped setting would leave its default in place: `CROFT_AUTOLOGIN=false` would start a server without sign-in. */
export function refuseUnknownVariables(): void {
  const unknown = unknownVariables(process.env);
  if (unknown.length > 0)
    throw new UsageError(`${unknown.map(ended).join(' ')} Correct the name, or unset the variable`);
}

const ended = (sentence: string): string => (/[.?]$/.test(sentence) ? sentence : `${sentence}.`);

export const loadServer = (): Promise<ServerModule> => loadServerPart<ServerModule>('@croft/server');

/** The server is a package of its own, loaded only here: the command line alone stays small. */
export async function loadServerPart<Part>(name: `@croft/server${string}`): Promise<Part> {
  const part = await importServerPart<Part>(name);
  if (part !== undefined) return part;
  throw new UsageError(
    `croft serve needs the package @croft/server, which is not installed. ${serverInstallHint(realpathSync(process.argv[1] ?? '.'))}`,
  );
}

async function start(server: ServerModule, { values }: LoadedConfig, flags: ServeFlags): Promise<RunningServer> {
  const packageDir = join(dirname(fileURLToPath(import.meta.url)), '..');
  try {
    return await server.startServer({
      settings: values,
      version,
      log: server.createLog(values.logLevel),
      allowOpenAutoLogin: flags.allowOpenAutoLogin ?? false,
      studioDir: server.builtStudio(),
      cliDir: packageDir,
    });
  } catch (error) {
    const { code, syscall } = error as NodeJS.ErrnoException;
    if (error instanceof server.ConfigError) throw new UsageError(error.message);
    if (code === 'EADDRINUSE')
      throw new UsageError(
        isServedHere(values)
          ? `Croft already runs on port ${values.port}. Open its page with ${ownCommand()} open, or stop that server first`
          : `Port ${values.port} is taken. Stop what uses it, or pass --port 0 for any free port`,
      );
    if (code === 'EACCES' && syscall === 'listen')
      throw new UsageError(`Not allowed to listen on port ${values.port}; use one above 1023`);
    if (syscall === 'listen' || syscall === 'getaddrinfo')
      throw new UsageError(
        `Cannot listen on ${values.host}: ${osReason(error)}. Give an address of this machine, e.g. --host 127.0.0.1`,
      );
    throw error;
  }
}

/** Whether a running server of this base directory uses the port. Never throws. */
function isServedHere({ baseDir, port }: { readonly baseDir: string; readonly port: number }): boolean {
  const { address, pid } = readServedAddress(baseDir) ?? {};
  if (address === undefined || pid === undefined) return false;
  try {
    process.kill(pid, 0);
    return new URL(address).port === String(port);
  } catch {
    return false;
  }
}

/** For `croft open`. Without it, the configuration says where the server is. */
function writeAddress(file: string, { boundTo }: RunningServer): void {
  const address = `http://${boundTo.replace(/^(0\.0\.0\.0|\[::\])/, '127.0.0.1')}`;
  try {
    makeDirs(dirname(file));
    writeFileSync(file, `${JSON.stringify({ address, pid: process.pid })}\n`, { mode: 0o600 });
  } catch {
    // A base directory that cannot be written fails elsewhere, with a sentence.
  }
}

function announce(running: RunningServer, { values }: LoadedConfig): void {
  const { bold, dim } = palette(process.stdout);
  const lines = ['', `  ${bold('Croft')} ${version}`, ''];
  lines.push(
    `  MCP       ${running.url}/mcp`,
    `  API       ${running.url}/api/docs`,
    `  Files     ${dim(join(values.baseDir, 'workspaces'))}`,
  );
  for (const [index, line] of running.guard.entries())
    lines.push(`  ${index === 0 ? 'Guard ' : '      '}    ${printable(line)}`);
  lines.push('', `  ${dim('Stop with Ctrl+C.')}`, '');
  if (running.oneTimeUrl === undefined) lines.push(`  Page      ${bold(`${running.url}/`)}`);
  else
    lines.push(
      `  ${dim(`This address opens the page once, within ten minutes; ${ownCommand()} open makes another.`)}`,
      `  Page      ${bold(running.oneTimeUrl)}`,
    );
  process.stdout.write(`${lines.join('\n')}\n`);
}
