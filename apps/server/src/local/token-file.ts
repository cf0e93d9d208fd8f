import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { loadOrCreateSecret } from '../secret-file.ts';

const TOKEN_BYTES = 32;
/** How long the page's key holds. */
const SESSION_MS = 86_400_000;

/**
 * Reads the bearer token of this machine's server, making it once.
 *
 * @throws Error when the file cannot be read or made, or does not hold a token
 */
export function loadOrCreateToken(file: string): string {
  return loadOrCreateSecret(file, { what: 'token', pattern: /^croft_[\w-]{40,}$/, make: makeToken });
}

/** A token nobody has seen: 32 random bytes. */
export function makeToken(): string {
  return `croft_${randomBytes(TOKEN_BYTES).toString('base64url')}`;
}

/** Compares in a time that tells nothing of where two texts differ. */
export function sameSecret(a: string, b: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}

/** A code that opens the page once, within ten minutes. */
export interface OneTimeCode {
  readonly code: string;
  /** Whether the code is right; it is used up by being right. */
  redeem(given: string, nowMs?: number): boolean;
}

export function createOneTimeCode(nowMs = Date.now(), validMs = 600_000): OneTimeCode {
  const code = randomBytes(24).toString('base64url');
  let used = false;
  return {
    code,
    redeem(given, at = Date.now()) {
      if (used || at > nowMs + validMs || !sameSecret(given, code)) return false;
      used = true;
      return true;
    },
  };
}

/** A key of the page that only the holder of the secret can make: issue time and its HMAC. */
export function issueSession(secret: string, nowMs = Date.now()): string {
  const issued = nowMs.toString(36);
  return `${issued}.${sign(secret, issued)}`;
}

export function isSession(secret: string, value: string | undefined, nowMs = Date.now()): boolean {
  const [issued, signature, ...more] = value?.split('.') ?? [];
  if (!issued || !signature || more.length > 0 || !sameSecret(signature, sign(secret, issued))) return false;
  const at = Number.parseInt(issued, 36);
  return at <= nowMs && nowMs - at < SESSION_MS;
}

function sign(secret: string, issued: string): string {
  return createHmac('sha256', secret).update(`croft page session ${issued}`).digest('base64url');
}
