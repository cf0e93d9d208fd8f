import { makePageCode } from '@croft/guard';
import { croftBaseDir } from '@croft/workspace';
import { openBrowserWhenReady } from '../compose/open-browser.ts';
import { ownCommand } from '../compose/own-command.ts';
import { readServedGuards, type ServedGuard } from '../compose/served-guards.ts';
import { UsageError } from '../usage-error.ts';

/** Flags of `croft guard open`. */
export interface GuardOpenFlags {
  readonly port?: number;
  readonly open: boolean;
}

const PATIENCE_MS = 5_000;

/**
 * Makes a one-time address for the decisions page of a guard that runs on this machine, and prints it. Opens it if `open` is
 * set and a terminal is attached.
 *
 * @throws UsageError if no guard answers, or several do and no port is given
 */
export async function runGuardOpen({ port, open }: GuardOpenFlags): Promise<void> {
  const served = readServedGuards(croftBaseDir()).filter((guard) => port === undefined || guard.port === port);
  const isRunning = await Promise.all(served.map(answers));
  const [guard, ...others] = served.filter((_guard, at) => isRunning[at]);
  if (guard === undefined)
    throw new UsageError(
      `No guard answers${port === undefined ? '' : ` on port ${port}`}. Start one with ${ownCommand()} guard serve`,
    );
  if (others.length > 0)
    throw new UsageError(
      `${others.length + 1} guards run: pass --port with the port of one of ${[guard, ...others].map((each) => each.origin).join(', ')}`,
    );
  const url = openUrl(guard);
  process.stdout.write(`${url}\n`);
  if (open && process.stdout.isTTY) openBrowserWhenReady().open(url);
}

/** A new one-time address of the decisions page. */
export function openUrl({ origin, secret }: Pick<ServedGuard, 'origin' | 'secret'>): string {
  return `${origin}/guard/open?code=${makePageCode(secret)}`;
}

/** Whether a guard answers at that address; another program may have the port of a guard that was killed. */
async function answers({ origin }: ServedGuard): Promise<boolean> {
  try {
    const answer = await fetch(`${origin}/healthz`, { signal: AbortSignal.timeout(PATIENCE_MS) });
    return typeof ((await answer.json()) as Record<string, unknown>).guard === 'string';
  } catch {
    return false;
  }
}
