/** A `croft connect` that listens on this computer. */
export interface LocalDaemon {
  readonly address: string;
  readonly connected: boolean;
}

/** How it took the invitation to connect. */
export type Invited = { ok: true } | { ok: false; message: string };

const ADDRESSES = ['http://127.0.0.1:7655', 'http://localhost:7655'];
const PROBE_TIMEOUT_MS = 2_000;
/** Somebody may be asked in a terminal first. */
const INVITE_TIMEOUT_MS = 90_000;

/**
 * Whether looking at this computer's loopback address would make the browser ask the person something. Then it is not
 * done on its own, only on a click. A page that itself comes from loopback is never asked about.
 */
export async function mayProbeSilently(): Promise<boolean> {
  if (isLoopback(location.hostname)) return true;
  // Browsers refuse a page without https, and those that know the permission tell what they would do.
  if (!isSecureContext) return false;
  try {
    const state = await navigator.permissions.query({ name: 'loopback-network' as PermissionName }).catch(() => {
      return navigator.permissions.query({ name: 'local-network-access' as PermissionName });
    });
    return state.state === 'granted';
  } catch {
    return true;
  }
}

/** Looks for a daemon that talks to this page; undefined when there is none, it does not know us, or the browser refuses. */
export async function findDaemon(signal: AbortSignal): Promise<LocalDaemon | undefined> {
  for (const address of ADDRESSES) {
    try {
      const answer = await loopbackFetch(`${address}/health`, {}, signal, PROBE_TIMEOUT_MS);
      if (!answer.ok) continue;
      const { status, connected } = (await answer.json()) as { status?: string; connected?: boolean };
      if (status === 'ok') return { address, connected: connected === true };
    } catch {
      if (signal.aborted) return undefined;
    }
  }
  return undefined;
}

/** Invites a daemon to connect to this server. It may ask its person first. Never throws but for an abort. */
export async function inviteDaemon(token: string, signal: AbortSignal, address?: string): Promise<Invited> {
  // The daemon takes only an address with the origin of the page that sends it.
  const body = JSON.stringify({ url: new URL('.', document.baseURI).href.replace(/\/$/, ''), token });
  try {
    const answer = await loopbackFetch(
      `${address ?? ADDRESSES[0]}/connect`,
      { method: 'POST', headers: { 'Content-Type': 'application/json' }, body },
      signal,
      INVITE_TIMEOUT_MS,
    );
    if (answer.ok) return { ok: true };
    const { error } = (await answer.json().catch(() => ({}))) as { error?: string };
    return { ok: false, message: error ?? `croft on this computer said no (${answer.status}).` };
  } catch (error) {
    if (signal.aborted) throw error;
    return {
      ok: false,
      message:
        'No answer yet. If croft on this computer asks about this page in its terminal, say yes there. If nothing asks, run the command above.',
    };
  }
}

async function loopbackFetch(url: string, init: RequestInit, signal: AbortSignal, timeoutMs: number) {
  return fetch(url, {
    ...init,
    mode: 'cors',
    credentials: 'omit',
    cache: 'no-store',
    signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    // Tells the browser that plain http to this computer is meant, where an https page may otherwise not ask.
    targetAddressSpace: 'loopback',
  } as RequestInit);
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}
