import { join } from 'node:path';
import {
  canonicalOrigin,
  type DaemonEnd,
  isKey,
  isLoopbackHost,
  openSettings,
  runDaemon,
  serverAddress,
  SettingsError,
} from '@croft/gateway/daemon';
import { croftBaseDir, osReason } from '@croft/workspace';
import { EXIT_INTERRUPTED } from '../render/ask-person.ts';
import { palette } from '../render/colours.ts';
import { printableName } from '../render/printable.ts';
import { UsageError } from '../usage-error.ts';
import { version } from '../version.ts';
import type { ConnectFlags } from './connect-flags.ts';
import { type EventLines, jsonLines, personLines } from './connect-lines.ts';
import { askOnTerminal } from './connect-question.ts';
import { openSharedDirectory, type SharedDirectory } from './connect-shared.ts';
import { startAnyway } from './start-anyway.ts';

/** Ends that are not failures: exit code 0, so that a supervisor does not restart the program. */
const GOOD_ENDS: readonly DaemonEnd['reason'][] = ['stopped', 'left', 'disconnected', 'superseded'];

/** Runs `croft connect`: shares a directory until the connection ends for good or a signal arrives. */
export async function runConnect(
  url: string | undefined,
  token: string | undefined,
  flags: ConnectFlags,
): Promise<void> {
  const target = url === undefined ? undefined : { server: readServer(url), token };
  const allowOrigins = flags.allowOrigin.map(readOrigin);
  if (!flags.listen && target === undefined)
    throw new UsageError('--no-listen needs the address of a server, because no page can connect without the listener');
  if (!flags.listen && flags.port !== undefined)
    throw new UsageError('--port is for the listener that --no-listen leaves out');
  if ((flags.port ?? 0) > 65_535) throw new UsageError('--port must be a whole number from 0 to 65535');
  const staticKey = token === undefined ? process.env.CROFT_GATEWAY_API_KEY?.trim() || undefined : undefined;
  if (token !== undefined && !isKey(token))
    throw new UsageError('The token is not valid; copy the whole command again');
  if (staticKey !== undefined && !isKey(staticKey))
    throw new UsageError('CROFT_GATEWAY_API_KEY is not a key: give one word of at most 256 ASCII characters');
  const shared = openSharedDirectory(flags.dir, flags.allowWrite ?? false);
  const lines = flags.json ? jsonLines(process.stdout) : personLines(process.stdout);
  introduce(shared, flags);
  if (target) warnOfPlainHttp(target.server, lines);
  const isAttended = !flags.json && process.stdin.isTTY === true && process.stdout.isTTY === true;
  const start = (port: number | undefined) =>
    runDaemon({
      env: process.env,
      ...shared,
      allowWrite: flags.allowWrite ?? false,
      version,
      settings: openSettings(join(croftBaseDir(), 'connect.json')),
      target,
      staticKey,
      port,
      allowOrigins,
      autoConfirm: flags.autoConfirm ?? false,
      ask: isAttended
        ? (question, signal) => {
            lines.clear();
            return askOnTerminal(question, signal);
          }
        : undefined,
      tell: (event) => lines.show(event),
    });
  const stopping = onSignal();
  const daemon = await startAnyway(start, { flags, knowsServer: target !== undefined, lines }).catch(
    (error: unknown) => {
      lines.clear();
      throw asUsageError(error);
    },
  );
  void stopping.then(() => daemon.stop());
  const end = await daemon.done;
  lines.clear();
  shared.close();
  process.exit(GOOD_ENDS.includes(end.reason) ? 0 : 1);
}

/** Resolves on the first signal. A second signal ends the process at once. */
function onSignal(): Promise<void> {
  let count = 0;
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
      process.on(signal, () => {
        if (++count > 1) process.exit(EXIT_INTERRUPTED);
        resolve();
      });
  });
}

function asUsageError(error: unknown): unknown {
  if (error instanceof UsageError) return error;
  if (error instanceof SettingsError) return new UsageError(error.message);
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (code === 'EACCES') return new UsageError('Not allowed to listen on that port; use one above 1023');
  if (syscall === 'listen') return new UsageError(`Cannot listen on 127.0.0.1: ${osReason(error)}; pass --no-listen`);
  // Errors of the daemon without a code describe a setting of the user: a proxy, a server that it never paired with.
  return error instanceof Error && code === undefined ? new UsageError(error.message) : error;
}

function readServer(url: string): string {
  const server = serverAddress(url);
  if (server === undefined)
    throw new UsageError(
      'Give the address of the server as http://… or https://…, without a name, password, ? or # in it',
    );
  return server;
}

function readOrigin(url: string): string {
  const origin = canonicalOrigin(url);
  if (origin === undefined)
    throw new UsageError('--allow-origin needs the address of a page, such as https://croft.example.com');
  return origin;
}

function warnOfPlainHttp(server: string, lines: EventLines): void {
  const { protocol, hostname } = new URL(server);
  if (protocol === 'https:' || isLoopbackHost(hostname)) return;
  const message = `${server} is plain http: every machine on the network path can read the files and the key. Use https if you can`;
  lines.show({ type: 'warning', message });
}

function introduce({ workspace }: SharedDirectory, { allowWrite, json }: ConnectFlags): void {
  if (json) {
    const said = {
      time: new Date().toISOString(),
      type: 'shares',
      directory: workspace.root,
      mayWrite: allowWrite ?? false,
      version,
    };
    process.stdout.write(`${JSON.stringify(said)}\n`);
    return;
  }
  const { bold, dim, yellow } = palette(process.stdout);
  const what = allowWrite ? yellow('may be changed; croft undo reverts changes') : dim('read only');
  process.stdout.write(`Croft ${version} shares ${bold(printableName(workspace.root))} (${what})\n`);
}
