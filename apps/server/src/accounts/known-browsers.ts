import { createHmac, randomBytes } from 'node:crypto';
import { sameSecret } from '../token-file.ts';
import type { SecretKeys } from '../secret-key.ts';

/** How long a browser is known after it signed in. */
export const KNOWN_BROWSER_SECONDS = 180 * 86_400;

const ID = /^[\w-]+$/;

/** Recognizes browsers that signed in to an account before. It does not authenticate them. */
export interface KnownBrowsers {
  /** The value of a cookie for a browser that signed in. */
  issue(account: string): string;
  /** The id of a browser that signed in to this account before; `undefined` for any other value. */
  find(value: string | undefined, account: string): string | undefined;
}

/**
 * Makes and checks the cookies of known browsers: a random id and its HMAC over the id and the account. A browser can
 * get one only by signing in, and it is valid for that account only.
 *
 * @param keys the first key signs; cookies of every key are valid
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
      // An id with a space could contain the beginning of another account's name.
      if (!ID.test(id)) return undefined;
      return keys.some((key) => sameSecret(signature, sign(key, id, account))) ? id : undefined;
    },
  };
}
