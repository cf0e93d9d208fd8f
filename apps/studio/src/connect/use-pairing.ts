import { useMutation } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { api } from '../api/api.ts';
import type { PairingLink } from '../api/gateway.ts';
import { useSecondsUntil } from '../ui/use-seconds-until.ts';

/** A token that ends sooner than this is replaced before it is copied: finding a terminal takes a moment. */
const FRESH_S = 60;

interface Held {
  readonly link: PairingLink;
  /** By this page's clock, which may differ from the server's. */
  readonly endsAt: number;
}

/**
 * The command that connects a folder. The page asks for it when the panel opens and gets the open token, if there is one.
 * It asks for a new token when the old one has ended, while the page is visible, and before a copy when less than
 * `FRESH_S` is left.
 */
export function usePairing(wanted: boolean) {
  const [held, setHeld] = useState<Held>();
  const { mutateAsync, error, isPending } = useMutation({
    mutationFn: (renew: boolean) => api('POST /instance-ai/gateway/create-link', { body: { renew } }),
    onSuccess: (link) => setHeld({ link, endsAt: Date.now() + link.ttlSeconds * 1000 }),
  });
  const leftS = useSecondsUntil(wanted ? held?.endsAt : undefined);
  const open = useCallback((renew: boolean) => mutateAsync(renew), [mutateAsync]);
  const renew = useCallback(() => open(true), [open]);
  const busy = useRef(false);
  useEffect(() => {
    if (!wanted || error || busy.current) return undefined;
    if (held && leftS > 0) return undefined;
    const make = () => {
      if (document.visibilityState !== 'visible' || busy.current) return;
      busy.current = true;
      // A failure is in `error`. Does not renew an open token: its command may have been copied before a reload.
      open(held !== undefined)
        .catch(() => undefined)
        .finally(() => {
          busy.current = false;
        });
    };
    make();
    document.addEventListener('visibilitychange', make);
    return () => document.removeEventListener('visibilitychange', make);
  }, [wanted, held, leftS, error, open]);
  // A used token does not work for another connection.
  useEffect(() => {
    if (!wanted) setHeld(undefined);
  }, [wanted]);
  return {
    command: held?.link.command,
    leftS,
    error,
    isPending,
    renew,
    /** The command with a token that is valid long enough to use it. */
    async fresh(): Promise<string> {
      if (held && leftS > FRESH_S) return held.link.command;
      return (await renew()).command;
    },
    /** A token for a daemon on this computer. */
    async token(): Promise<string> {
      if (held && leftS > FRESH_S) return held.link.token;
      return (await renew()).token;
    },
  };
}
