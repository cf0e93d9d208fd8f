import { createHmac, randomBytes } from 'node:crypto';
import { sameSecret } from './token-file.ts';
import type { SecretKeys } from './secret-key.ts';

/** How long a browser stays signed in as the local user, in seconds. */
export const LOCAL_SESSION_SECONDS = 30 * 86_400;
const CODE_MS = 600_000;
/** More than one person opens within ten minutes; the oldest code is dropped. */
const MAX_CODES = 100;

/** Sign-in without a password: a one-time code opens the page, and the browser then keeps a signed value. */
export interface LocalSessions {
  /** A code that opens the page once, within ten minutes. */
  makeCode(): string;
  /** Whether the code is valid. A valid code works once. */
  redeem(code: string): boolean;
  /** A new value: issue time, a nonce and their HMAC. */
  issue(): string;
  isValid(value: string | undefined): boolean;
}

/**
 * @param keys the first signs new values; values signed by any of them are valid
 * @param options.lastsMs how long a value is valid; 30 days by default
 */
export function createLocalSessions(
  keys: SecretKeys,
  { lastsMs = LOCAL_SESSION_SECONDS * 1_000, now = Date.now }: { lastsMs?: number; now?: () => number } = {},
): LocalSessions {
  const codes = new Map<string, number>();
  const sign = (key: string, issued: string) => createHmac('sha256', key).update(issued).digest('base64url');
  return {
    makeCode() {
      const [oldest] = codes.keys();
      if (codes.size >= MAX_CODES && oldest !== undefined) codes.delete(oldest);
      const code = randomBytes(24).toString('base64url');
      codes.set(code, now());
      return code;
    },
    redeem(given) {
      for (const [code, made] of codes) {
        if (now() - made > CODE_MS) codes.delete(code);
        else if (sameSecret(code, given)) return codes.delete(code);
      }
      return false;
    },
    issue() {
      // Two browsers that sign in within one millisecond get different values.
      const issued = `${now().toString(36)}-${randomBytes(9).toString('base64url')}`;
      return `${issued}.${sign(keys[0], issued)}`;
    },
    isValid(value) {
      const [issued, signature, ...more] = value?.split('.') ?? [];
      if (!issued || !signature || more.length > 0) return false;
      if (!keys.some((key) => sameSecret(signature, sign(key, issued)))) return false;
      const at = Number.parseInt(issued.split('-')[0] as string, 36);
      return at <= now() && now() - at < lastsMs;
    },
  };
}
