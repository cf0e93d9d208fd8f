import { createHmac } from 'node:crypto';
import { cookieOf } from '../edge/cookies.ts';
import { sameSecret } from '../token-file.ts';
import type { SecretKeys } from '../secret-key.ts';

/**
 * The token of the session cookie; `undefined` if no key has signed it. The form is better-auth's: `token.signature`,
 * HMAC-SHA-256 in base64.
 */
export function signedToken(header: string, name: string, secrets: readonly string[]): string | undefined {
  const value = decoded(cookieOf(header, name));
  const dot = value?.lastIndexOf('.') ?? -1;
  if (value === undefined || dot <= 0) return undefined;
  const token = value.slice(0, dot);
  return secrets.some((secret) => sameSecret(sign(token, secret), value.slice(dot + 1))) ? token : undefined;
}

/**
 * A cookie header in which a session that an older key signed is signed by the current one: better-auth knows one key for
 * cookies. Others stay as they are, forged ones too.
 *
 * @param secrets the current key, then older ones that are still believed
 */
export function withCurrentSignature(header: string, name: string, secrets: SecretKeys): string {
  const [current, ...older] = secrets;
  const token = signedToken(header, name, older);
  return token === undefined ? header : `${name}=${encodeURIComponent(`${token}.${sign(token, current)}`)}`;
}

function sign(token: string, secret: string): string {
  return createHmac('sha256', secret).update(token).digest('base64');
}

function decoded(value: string | undefined): string | undefined {
  try {
    return value && decodeURIComponent(value);
  } catch {
    return undefined;
  }
}
