import { createHash } from 'node:crypto';
import { LEDGER_BYTES } from '@croft/workspace';

const PARTS = 4_096;

/** Memory that the server and its thread of queued runs share: what calls of both have reserved of each quota. */
export const createQuotaLedgers = (): SharedArrayBuffer => new SharedArrayBuffer(PARTS * LEDGER_BYTES);

/**
 * The part of a directory. Two directories may have the same one: each then counts the reservations of the other until it counts
 * its files again, which it does before it refuses a write; those of calls under way count until they end.
 */
export function ledgerOf(ledgers: SharedArrayBuffer, directory: string): BigInt64Array {
  const part = createHash('sha256').update(directory).digest().readUInt32LE() % PARTS;
  return new BigInt64Array(ledgers, part * LEDGER_BYTES, LEDGER_BYTES / BigInt64Array.BYTES_PER_ELEMENT);
}
