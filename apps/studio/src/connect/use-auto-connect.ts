import { useEffect, useRef, useState } from 'react';
import { findDaemon, inviteDaemon, mayProbeSilently } from '../api/loopback-daemon.ts';

const PROBE_EVERY_MS = 5_000;

/** The state of the search for a daemon on this computer. */
export interface AutoConnect {
  /** A daemon was found and invited. */
  readonly connecting: boolean;
  /** Why the daemon refused an invitation. */
  readonly problem: string | undefined;
  /** Searches and invites on request of the user. Browser and terminal may ask for permission. */
  ask: () => void;
}

/**
 * Looks for a `croft connect` on this computer while the panel is open, and invites it once. Reports no problem if none
 * is found. Does not invite again after a refusal, or after the user disconnected (`resting`).
 */
export function useAutoConnect({
  wanted,
  resting,
  token,
}: {
  wanted: boolean;
  resting: boolean;
  token: () => Promise<string>;
}): AutoConnect {
  const [connecting, setConnecting] = useState(false);
  const [problem, setProblem] = useState<string>();
  // After a request of the user, the browser and possibly the terminal have asked already.
  const [insisting, setInsisting] = useState(false);
  const invited = useRef(false);
  const getToken = useRef(token);
  getToken.current = token;

  async function invite(signal: AbortSignal, address?: string) {
    invited.current = true;
    setProblem(undefined);
    setConnecting(true);
    try {
      const answer = await inviteDaemon(await getToken.current(), signal, address);
      // Until the server reports the connection; then the panel removes this component.
      if (answer.ok) return;
      setProblem(answer.message);
    } catch {
      // The panel was closed, or the server created no token; the command shows that error.
    }
    setConnecting(false);
  }

  useEffect(() => {
    if (!wanted) {
      invited.current = false;
      setConnecting(false);
      setProblem(undefined);
      setInsisting(false);
      return undefined;
    }
    if (resting && !insisting) return undefined;
    const leave = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = async () => {
      if (invited.current || leave.signal.aborted) return;
      if (document.visibilityState === 'visible') {
        const daemon = await findDaemon(leave.signal);
        if (leave.signal.aborted) return;
        if (daemon && !daemon.connected) return void invite(leave.signal, daemon.address);
      }
      timer = setTimeout(() => void look(), PROBE_EVERY_MS);
    };
    void mayProbeSilently().then((may) => (may || insisting) && look());
    return () => {
      leave.abort();
      clearTimeout(timer);
    };
  }, [wanted, resting, insisting]);

  async function ask() {
    await invite(new AbortController().signal);
    // The daemon gives an unknown page no information. It asks its user, and a later attempt may succeed.
    invited.current = false;
    setInsisting(true);
  }
  return { connecting, problem, ask: () => void ask() };
}
