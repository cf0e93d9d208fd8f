import { createHmac, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { loadOrCreateSecret } from './secret-file.ts';

const KEY_BYTES = 32;

/**
 * Returns the secret that signs sessions: the configured one, or the one in `<base>/secret-key`, which is created on
 * first use. Without the earlier key, a new one signs every user out, and no variable, secret of a webhook, schedule or queued run
 * that was stored before can be read.
 *
 * @throws Error when the file cannot be read or made, or holds no key
 */
export function loadOrCreateSecretKey(baseDir: string, configured: string | undefined): string {
  if (configured !== undefined) return configured;
  return loadOrCreateSecret(join(baseDir, 'secret-key'), {
    what: 'key',
    pattern: /^[\w-]{40,}$/,
    make: () => randomBytes(KEY_BYTES).toString('base64url'),
  });
}

/** The keys of a server: the first signs; the others are earlier keys whose signatures are still valid. */
export type SecretKeys = readonly [string, ...string[]];

/** A key for one purpose: a signature for one purpose is not valid for another. */
export function deriveKey(secretKey: string, purpose: string): string {
  return createHmac('sha256', secretKey).update(`croft ${purpose}`).digest('base64url');
}

/** All keys for one purpose, in their order. */
export function deriveKeys([current, ...previous]: SecretKeys, purpose: string): SecretKeys {
  return [deriveKey(current, purpose), ...previous.map((key) => deriveKey(key, purpose))];
}
