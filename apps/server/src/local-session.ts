import { createHmac, randomBytes } from 'node:crypto';
import { sameSecret } from './local/token-file.ts';
import type { SecretKeys } from './secret-key.ts';

/** How long a browser stays signed in as the local user. */
const SESSION_MS = 30 * 86_400_000;
const CODE_MS = 600_000;
/** More than anybody opens within ten minutes; the oldest is forgotten. */
const MAX_CODES = 100;

/** Lets the one user of auto-login in: one-time codes for a browser, and the cookie's value it then has. */
export interface LocalSessions {
  /** A code that opens the page once, within ten minutes. */
  makeCode(): string;
  /** Whether the code is right; it is used up by being right. */
  redeem(code: string): boolean;
  /** The value of a new cookie: issue time and its HMAC. */
  issue(): string;
  isValid(value: string | undefined): boolean;
}

/** @param keys the first signs cookies, all are believed: whoever has one can make them */
export function createLocalSessions(keys: SecretKeys, now: () => number = Date.now): LocalSessions {
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
      // Two browsers that come in the same millisecond still have values of their own.
      const issued = `${now().toString(36)}-${randomBytes(9).toString('base64url')}`;
      return `${issued}.${sign(keys[0], issued)}`;
    },
    isValid(value) {
      const [issued, signature, ...more] = value?.split('.') ?? [];
      if (!issued || !signature || more.length > 0) return false;
      if (!keys.some((key) => sameSecret(signature, sign(key, issued)))) return false;
      const at = Number.parseInt(issued.split('-')[0] as string, 36);
      return at <= now() && now() - at < SESSION_MS;
    },
  };
}

/** In whole seconds, for a cookie. */
export const LOCAL_SESSION_SECONDS = SESSION_MS / 1000;
