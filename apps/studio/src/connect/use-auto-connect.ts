import { useEffect, useRef, useState } from 'react';
import { findDaemon, inviteDaemon, mayProbeSilently } from '../api/loopback-daemon.ts';

const PROBE_EVERY_MS = 5_000;

/** What became of looking for a daemon on this computer. */
export interface AutoConnect {
  /** Found, and invited. */
  readonly connecting: boolean;
  /** Why an invitation was not taken. */
  readonly problem: string | undefined;
  /** Looks and invites because somebody asked for it; their browser and their terminal may ask them back. */
  ask: () => void;
}

/**
 * Looks for a `croft connect` on this computer while the panel is open and invites it once. Nothing is shown when there
 * is none. An invitation that was refused, and a disconnection on purpose (`resting`), are not followed by another.
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
  // Once somebody asked, the browser's question about this computer is answered, and so may be the terminal's.
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
      // Until the server says that it is connected: the panel closes this then.
      if (answer.ok) return;
      setProblem(answer.message);
    } catch {
      // Left the panel, or the server made no token: the command shows that.
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
    // A page it does not know is told nothing: its person is asked, and the next knock may be heard.
    invited.current = false;
    setInsisting(true);
  }
  return { connecting, problem, ask: () => void ask() };
}
