import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { loadOrCreateSecret } from './secret-file.ts';

const TOKEN_BYTES = 32;

/**
 * Reads the bearer token of this machine's server. The first call creates the file.
 *
 * @throws Error when the file cannot be read or made, or does not hold a token
 */
export function loadOrCreateToken(file: string): string {
  return loadOrCreateSecret(file, { what: 'token', pattern: /^croft_[\w-]{40,}$/, make: makeToken });
}

/** A new token: 32 random bytes. */
export function makeToken(): string {
  return `croft_${randomBytes(TOKEN_BYTES).toString('base64url')}`;
}

/** Compares two texts in constant time. */
export function sameSecret(a: string, b: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}
