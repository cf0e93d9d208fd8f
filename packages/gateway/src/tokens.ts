import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/**
 * Creates a one-time pairing token: `gw_` and 192 random bits. It may be visible in a terminal; it is useless once
 * used.
 */
export function makePairingToken(): string {
  return `gw_${randomBytes(24).toString('base64url')}`;
}

/** Creates a session key: `sess_` and 256 random bits. The client gets it once; a server keeps only its hash. */
export function makeSessionKey(): string {
  return `sess_${randomBytes(32).toString('base64url')}`;
}

/** Creates a request id that other sessions cannot guess. */
export function makeRequestId(): string {
  return `gw_${randomBytes(16).toString('base64url')}`;
}

/**
 * The stored form of a key: its SHA-256 in base64url. The keys are long and random, so a slow hash would add nothing,
 * and the time of a look-up by hash does not depend on how much of a key was guessed.
 */
export function hashKey(key: string): string {
  return createHash('sha256').update(key).digest('base64url');
}

/** Compares two hashes of {@link hashKey} in constant time. */
export function sameHash(a: string, b: string): boolean {
  const left = Buffer.from(a);
  const right = Buffer.from(b);
  return left.length === right.length && timingSafeEqual(left, right);
}
