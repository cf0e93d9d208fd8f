import { createHmac, randomBytes } from 'node:crypto';
import { sameSecret } from '../local/token-file.ts';
import type { SecretKeys } from '../secret-key.ts';

/** How long a browser is known after it signed in. */
export const KNOWN_BROWSER_SECONDS = 180 * 86_400;

const ID = /^[\w-]+$/;

/** Tells a browser that signed in to an account before from one that did not. It opens nothing. */
export interface KnownBrowsers {
  /** The value of a cookie for a browser that signed in. */
  issue(account: string): string;
  /** Which browser it is, where it signed in to this account; `undefined` for every other. */
  find(value: string | undefined, account: string): string | undefined;
}

/**
 * A random id and its HMAC together with the account: nobody makes one without having signed in, and one of another
 * account is worth nothing.
 *
 * @param keys the first signs, all are believed
 */
export function createKnownBrowsers(keys: SecretKeys): KnownBrowsers {
  const sign = (key: string, id: string, account: string) =>
    createHmac('sha256', key).update(`${id} ${account}`).digest('base64url');
  return {
    issue(account) {
      const id = randomBytes(18).toString('base64url');
      return `${id}.${sign(keys[0], id, account)}`;
    },
    find(value, account) {
      const [id, signature, ...more] = value?.split('.') ?? [];
      if (!id || !signature || more.length > 0) return undefined;
      // With a space in it, it could say the beginning of another account's name.
      if (!ID.test(id)) return undefined;
      return keys.some((key) => sameSecret(signature, sign(key, id, account))) ? id : undefined;
    },
  };
}
