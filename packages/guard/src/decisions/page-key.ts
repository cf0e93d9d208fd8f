import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** How long a browser's key is valid. */
const KEY_MS = 86_400_000;
/** How long a one-time code is valid. */
const CODE_MS = 600_000;
const SECRET_BYTES = 32;

/** Access to the decisions page, which other users of this machine can reach too. */
export interface PageKeys {
  /** Exchanges a one-time code for a browser key. Undefined if the code is wrong, used or expired. */
  redeem(code: string): string | undefined;
  isKey(given: string | undefined): boolean;
}

/** Makes the secret of one run, as text. It signs codes and keys, so a restart invalidates all old ones. */
export const makePageSecret = (): string => randomBytes(SECRET_BYTES).toString('base64url');

/** Makes a code that opens the page once, within ten minutes. Every process that knows the secret can make one. */
export function makePageCode(secret: string, now: () => number = Date.now): string {
  const issued = `${now().toString(36)}-${randomBytes(18).toString('base64url')}`;
  return `${issued}.${sign(secret, 'code', issued)}`;
}

/** Creates the keys of one run. Keeps the codes that were used until they expire. */
export function createPageKeys(secret: string, now: () => number = Date.now): PageKeys {
  const used = new Map<string, number>();
  const readSigned = (given: string, use: 'code' | 'key', maxMs: number) => {
    const [issued, signature, ...more] = given.split('.');
    if (!issued || !signature || more.length > 0 || !sameSecret(signature, sign(secret, use, issued))) return undefined;
    const at = Number.parseInt(issued.split('-')[0] as string, 36);
    const age = now() - at;
    return age >= 0 && age <= maxMs ? { issued, at } : undefined;
  };
  return {
    redeem(given) {
      const code = readSigned(given, 'code', CODE_MS);
      if (code === undefined || used.has(code.issued)) return undefined;
      for (const [old, at] of used) if (now() - at > CODE_MS) used.delete(old);
      used.set(code.issued, code.at);
      const issued = now().toString(36);
      return `${issued}.${sign(secret, 'key', issued)}`;
    },
    isKey: (given) => given !== undefined && readSigned(given, 'key', KEY_MS - 1) !== undefined,
  };
}

function sign(secret: string, use: 'code' | 'key', issued: string): string {
  return createHmac('sha256', secret).update(`croft guard page ${use} ${issued}`).digest('base64url');
}

/** Compares two texts in constant time, so that the time does not reveal where they differ. */
export function sameSecret(a: string, b: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}
