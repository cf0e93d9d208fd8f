import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeDirs } from '@croft/workspace';
import { readServedAddress } from '../compose/served-address.ts';

const FILE = 'server-keys.json';
const LOCAL = 'http://127.0.0.1:7860';

/** The address of the server that runs on this machine; the usual one if none does. */
export const localServer = (baseDir: string): string => readServedAddress(baseDir)?.address ?? LOCAL;

/**
 * The key for a server: `CROFT_API_KEY`, the one of an earlier sign-in, or for the server that this base directory belongs to,
 * the token of this machine.
 */
export function keyFor(server: string, baseDir: string, env: NodeJS.ProcessEnv): string | undefined {
  const given = env['CROFT_API_KEY']?.trim();
  if (given !== undefined && given !== '') return given;
  const kept = keysIn(baseDir)[server];
  if (kept !== undefined) return kept;
  return readServedAddress(baseDir)?.address === server ? textIn(join(baseDir, 'mcp-token'))?.trim() : undefined;
}

/** Keeps a key for later starts, in a file that only this user can read. */
export function keepKey(server: string, key: string, baseDir: string): void {
  makeDirs(baseDir);
  const file = join(baseDir, FILE);
  const partial = `${file}.${process.pid}`;
  writeFileSync(partial, `${JSON.stringify({ ...keysIn(baseDir), [server]: key })}\n`, { mode: 0o600 });
  renameSync(partial, file);
}

function keysIn(baseDir: string): Readonly<Record<string, string>> {
  try {
    const read = JSON.parse(textIn(join(baseDir, FILE)) ?? '{}') as Record<string, unknown>;
    return Object.fromEntries(
      Object.entries(read).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
    );
  } catch {
    return {};
  }
}

function textIn(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
