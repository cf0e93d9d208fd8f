import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { croftBaseDir } from '@croft/workspace';
import { loadConfig } from '../compose/config.ts';
import { openBrowserWhenReady } from '../compose/open-browser.ts';
import { ownCommand } from '../compose/own-command.ts';
import { readServedAddress } from '../compose/served-address.ts';
import { UsageError } from '../usage-error.ts';

const PATIENCE_MS = 15_000;

/** Gets a new one-time address from the running server and prints it. Opens it if `open` is set and a terminal is attached. */
export async function runOpen({ open }: { readonly open: boolean }): Promise<void> {
  const baseDir = croftBaseDir();
  const browser = open && process.stdout.isTTY ? openBrowserWhenReady() : undefined;
  const url = await askForUrl(await addressOf(baseDir), tokenOf(baseDir)).catch((error: unknown) => {
    browser?.cancel();
    throw error;
  });
  process.stdout.write(`${url}\n`);
  browser?.open(url);
}

async function addressOf(baseDir: string): Promise<string> {
  const served = readServedAddress(baseDir);
  if (served !== undefined) return served.address;
  const { host, port } = (await loadConfig()).values;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

function tokenOf(baseDir: string): string {
  try {
    return readFileSync(join(baseDir, 'mcp-token'), 'utf8').trim();
  } catch {
    throw new UsageError(
      `There is no token in ${baseDir}: no server without sign-in was started here. Run ${ownCommand()} serve`,
    );
  }
}

async function askForUrl(address: string, token: string): Promise<string> {
  let answer: Response;
  try {
    answer = await fetch(`${address}/api/v1/one-time-url`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
  } catch {
    throw new UsageError(`No server answers at ${address}. Start it with ${ownCommand()} serve`);
  }
  if (!answer.ok)
    throw new UsageError(
      answer.status === 404
        ? `The server at ${address} has accounts: sign in with a name and a password`
        : `The server at ${address} refused (${answer.status}): it may be that of another user or base directory`,
    );
  return ((await answer.json()) as { url: string }).url;
}
