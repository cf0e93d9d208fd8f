import { UsageError } from '../usage-error.ts';
import type { ConnectFlags } from './connect-flags.ts';
import type { EventLines } from './connect-lines.ts';

/** The port on which pages look for a daemon. */
const DEFAULT_PORT = 7655;

export interface StartAnyway {
  readonly flags: Pick<ConnectFlags, 'listen' | 'port'>;
  /** Whether the command names the server, so that the daemon needs no page. */
  readonly knowsServer: boolean;
  readonly lines: Pick<EventLines, 'show'>;
}

/**
 * Starts a daemon with a listener. If another daemon has the default port, which may wait for a page itself, starts without
 * a listener where the server is known: the command that a page shows works in any case.
 *
 * @param start starts the daemon with a listener on this port, or without one
 * @throws UsageError if the port is taken and no page could reach this daemon
 */
export async function startAnyway<T>(
  start: (port: number | undefined) => Promise<T>,
  { flags, knowsServer, lines }: StartAnyway,
): Promise<T> {
  if (!flags.listen) return start(undefined);
  const port = flags.port ?? DEFAULT_PORT;
  try {
    return await start(port);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    const taken = `Port ${port} is taken, perhaps by another croft connect. Stop that one, or`;
    if (flags.port !== undefined) throw new UsageError(`${taken} pass --port 0 for any free port`);
    // Pages look on the default port only: on another one this daemon would wait for ever.
    if (!knowsServer) throw new UsageError(`${taken} run the command that the page shows, with its address and token`);
    const message = `port ${port} is taken, perhaps by another croft connect: pages of this machine will not find this one`;
    lines.show({ type: 'warning', message });
    return start(undefined);
  }
}
