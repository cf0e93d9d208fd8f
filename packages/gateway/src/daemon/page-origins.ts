import { isLoopbackHost } from './choose-fetch.ts';
import type { PageAccess, Settings } from './settings.ts';

/** What may happen with the requests of a web origin. */
export type Standing =
  /** Answered. */
  | 'allowed'
  /** May be asked about, once, when it wants to connect. */
  | 'unknown'
  /** Gets nothing, not even a question. */
  | 'denied';

/** Which web pages may talk to this daemon about one directory. */
export interface PageOrigins {
  /** @throws SettingsError */
  standingOf(origin: string): Standing;
  /** For as long as this daemon runs. */
  allow(origin: string): void;
  /** For as long as this daemon runs. */
  deny(origin: string): void;
}

/**
 * A web origin in its one spelling, or `undefined` for what is none. `null`, which sandboxed pages and files send, is
 * none: it could be anybody.
 */
export function canonicalOrigin(text: string): string | undefined {
  if (text.length > 512 || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return undefined;
  return url.origin;
}

/**
 * Rules for one directory and what a server gets of it: what the person remembered or just said, deny before allow; then the origins of the command
 * line; then pages of this very machine. Everything else is unknown.
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
