import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** How long a browser's key is valid. */
const KEY_MS = 86_400_000;
/** How long the one-time code is valid. */
const CODE_MS = 600_000;

/** Access to the decisions page, which other users of this machine can reach too. */
export interface PageKeys {
  /** Opens the page once, within ten minutes. */
  readonly code: string;
  /** Exchanges the code for a browser key. Undefined if the code is wrong, used or expired. */
  redeem(code: string): string | undefined;
  isKey(given: string | undefined): boolean;
}

/** Creates the keys of one run: a restart invalidates all old ones. */
export function createPageKeys(now: () => number = Date.now): PageKeys {
  const secret = randomBytes(32);
  const code = randomBytes(24).toString('base64url');
  const until = now() + CODE_MS;
  let isUsed = false;
  const sign = (issued: string): string =>
    createHmac('sha256', secret).update(`croft guard page ${issued}`).digest('base64url');
  return {
    code,
    redeem(given) {
      if (isUsed || now() > until || !sameSecret(given, code)) return undefined;
      isUsed = true;
      const issued = now().toString(36);
      return `${issued}.${sign(issued)}`;
    },
    isKey(given) {
      const [issued, signature, ...more] = given?.split('.') ?? [];
      if (!issued || !signature || more.length > 0 || !sameSecret(signature, sign(issued))) return false;
      const age = now() - Number.parseInt(issued, 36);
      return age >= 0 && age < KEY_MS;
    },
  };
}

/** Compares two texts in constant time, so that the time does not reveal where they differ. */
export function sameSecret(a: string, b: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}
