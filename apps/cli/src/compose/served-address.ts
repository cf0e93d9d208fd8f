import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The file in which a running server writes its address and process id. */
export const ADDRESS_FILE = 'serve.json';

/** The address and process id of the last server of a base directory. That server may have been killed. */
export interface ServedAddress {
  readonly address: string;
  readonly pid: number | undefined;
}

/** Reads the address file; undefined if it is missing, broken or without an address. Never throws. */
export function readServedAddress(baseDir: string): ServedAddress | undefined {
  try {
    const { address, pid } = JSON.parse(readFileSync(join(baseDir, ADDRESS_FILE), 'utf8')) as Record<string, unknown>;
    if (typeof address !== 'string') return undefined;
    return { address, pid: typeof pid === 'number' ? pid : undefined };
  } catch {
    return undefined;
  }
}
