import type { Tell } from './daemon-events.ts';
import type { PageOrigins } from './page-origins.ts';
import type { PageAccess, Settings } from './settings.ts';

export type PageVerdict = 'allow_once' | 'allow_always' | 'deny_once' | 'deny_always';

/**
 * Asks the person at the terminal. `signal` aborts when the answer is no longer needed. An origin is in its ASCII
 * spelling.
 */
export type AskPerson = (question: PageAccess, signal: AbortSignal) => Promise<PageVerdict>;

export interface ConfirmationOptions {
  readonly directory: string;
  readonly mayWrite: boolean;
  readonly origins: PageOrigins;
  readonly settings: Settings;
  /** Undefined if there is no terminal. */
  readonly ask: AskPerson | undefined;
  /** Allows every page, without remembering any. */
  readonly autoConfirm: boolean;
  readonly tell: Tell;
  readonly timeoutMs?: number;
}

/** Lets a person decide about pages, one at a time. */
export interface Confirmation {
  readonly isOpen: boolean;
  /** Resolves to true if the page may connect from now on. Asks nothing while another question is open. */
  decide(origin: string): Promise<boolean>;
  close(): void;
}

const TIMEOUT_MS = 120_000;
/** A page can use any number of origins, so after this many denials the person is not asked again. */
const MAX_DENIALS = 5;
const MAX_SAID = 100;

/** Decides about unknown pages: by asking the person, by `--auto-confirm`, or, without either, by denying. */
export function confirmPages(options: ConfirmationOptions): Confirmation {
  const { directory, mayWrite, origins, settings, ask, autoConfirm, tell, timeoutMs = TIMEOUT_MS } = options;
  const closing = new AbortController();
  const said = new Set<string>();
  let isOpen = false;
  let denials = 0;

  /** Reports each page once: its polling would otherwise fill the terminal. */
  const turnAway = (origin: string, why: string): false => {
    if (!said.has(origin) && said.size < MAX_SAID) tell({ type: 'turned_away', origin, why });
    said.add(origin);
    return false;
  };

  const put = async (origin: string, askPerson: AskPerson): Promise<boolean> => {
    isOpen = true;
    const asking = new AbortController();
    const end = (): void => asking.abort();
    const timer = setTimeout(end, timeoutMs);
    closing.signal.addEventListener('abort', end, { once: true });
    tell({ type: 'asked', origin });
    try {
      const nobody = new Promise<PageVerdict>((resolve) =>
        asking.signal.addEventListener('abort', () => resolve('deny_once'), { once: true }),
      );
      const verdict = await Promise.race([askPerson({ origin, directory, mayWrite }, asking.signal), nobody]);
      return settle(origin, verdict);
    } catch {
      // A terminal that closed has not answered.
      return settle(origin, 'deny_once');
    } finally {
      clearTimeout(timer);
      closing.signal.removeEventListener('abort', end);
      asking.abort();
      isOpen = false;
    }
  };

  const settle = (origin: string, verdict: PageVerdict): boolean => {
    const allowed = verdict === 'allow_once' || verdict === 'allow_always';
    const remembered = verdict === 'allow_always' || verdict === 'deny_always';
    if (allowed) origins.allow(origin);
    else {
      origins.deny(origin);
      denials++;
    }
    if (remembered) {
      try {
        settings.remember({ origin, directory, mayWrite }, allowed ? 'allow' : 'deny');
      } catch (error) {
        tell({ type: 'warning', message: (error as Error).message });
      }
    }
    tell({ type: 'decided', origin, allowed, remembered });
    return allowed;
  };

  return {
    get isOpen() {
      return isOpen;
    },
    async decide(origin) {
      if (isOpen || closing.signal.aborted) return false;
      if (autoConfirm) return settle(origin, 'allow_once');
      if (ask === undefined)
        return turnAway(origin, 'there is no terminal to ask on; pass --allow-origin with it, or --auto-confirm');
      if (denials >= MAX_DENIALS) return turnAway(origin, 'too many pages were turned away in this run');
      return put(origin, ask);
    },
    close: () => closing.abort(),
  };
}
