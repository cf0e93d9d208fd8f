import { isLoopbackHost } from './choose-fetch.ts';
import type { PageAccess, Settings } from './settings.ts';

/** The access of a web origin. */
export type Standing =
  /** Its requests are answered. */
  | 'allowed'
  /** The person is asked once, when the page wants to connect. */
  | 'unknown'
  /** Its requests get 403 and never cause a question. */
  | 'denied';

/** Which web pages may talk to this daemon about one directory. */
export interface PageOrigins {
  /** @throws SettingsError */
  standingOf(origin: string): Standing;
  /** Allows the origin until this daemon exits. */
  allow(origin: string): void;
  /** Denies the origin until this daemon exits. */
  deny(origin: string): void;
}

/**
 * A web origin in its canonical spelling, or `undefined` if the text is not one. `null`, which sandboxed pages and
 * files send, is not an origin: any page can send it.
 */
export function canonicalOrigin(text: string): string | undefined {
  if (text.length > 512 || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return undefined;
  return url.origin;
}

/**
 * Decides for one directory and one access level. Remembered and current decisions of the person come first, a deny
 * before an allow; then the origins of the command line; then pages of this machine. All other origins are unknown.
 */
export function pageOrigins(
  settings: Settings,
  access: Omit<PageAccess, 'origin'>,
  given: readonly string[],
): PageOrigins {
  const allowed = new Set(given);
  const denied = new Set<string>();
  return {
    standingOf(origin) {
      const remembered = settings.decisionFor({ ...access, origin });
      if (remembered === 'deny' || denied.has(origin)) return 'denied';
      if (remembered === 'allow' || allowed.has(origin)) return 'allowed';
      return isLoopbackHost(new URL(origin).hostname) ? 'allowed' : 'unknown';
    },
    allow: (origin) => void allowed.add(origin),
    deny: (origin) => void denied.add(origin),
  };
}
