/** A `croft connect` that listens on this computer. */
export interface LocalDaemon {
  readonly address: string;
  readonly connected: boolean;
}

/** The daemon's response to an invitation to connect. */
export type Invited = { ok: true } | { ok: false; message: string };

const ADDRESSES = ['http://127.0.0.1:7655', 'http://localhost:7655'];
const PROBE_TIMEOUT_MS = 2_000;
/** Timeout of an invitation; long, because the daemon may ask its user in a terminal first. */
const INVITE_TIMEOUT_MS = 90_000;

/**
 * Whether a request to this computer's loopback address may run without a click. It may not if the browser would ask the user for
 * permission. The browser never asks for a page that itself comes from loopback.
 */
export async function mayProbeSilently(): Promise<boolean> {
  if (isLoopback(location.hostname)) return true;
  // Browsers refuse pages without https. Browsers with this permission report its state.
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

/** Looks for a daemon that accepts this page; undefined if there is none, if it refuses the page, or if the browser refuses. */
export async function findDaemon(signal: AbortSignal): Promise<LocalDaemon | undefined> {
  for (const address of ADDRESSES) {
    try {
      const answer = await loopbackFetch(`${address}/health`, {}, signal, PROBE_TIMEOUT_MS);
      if (!answer.ok) continue;
      const daemon = readHealth(await answer.text());
      if (daemon) return { address, ...daemon };
    } catch {
      if (signal.aborted) return undefined;
    }
  }
  return undefined;
}

/**
 * Reads the body of `/health`; undefined if it is not a daemon's. Any program may listen on this port and answer 200, and
 * the page would send it a pairing token.
 */
export function readHealth(text: string): Pick<LocalDaemon, 'connected'> | undefined {
  // Clients of other makers answer with this text.
  if (text.trim() === 'OK') return { connected: false };
  try {
    const health = JSON.parse(text) as { status?: unknown; connected?: unknown } | null;
    return health?.status === 'ok' ? { connected: health.connected === true } : undefined;
  } catch {
    return undefined;
  }
}

/** Invites a daemon to connect to this server. The daemon may ask its user first. Throws only for an abort. */
export async function inviteDaemon(token: string, signal: AbortSignal, address?: string): Promise<Invited> {
  // The daemon accepts only a server address with the origin of the requesting page.
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
    return { ok: false, message: error ?? `croft on this computer refused (${answer.status}).` };
  } catch (error) {
    if (signal.aborted) throw error;
    return {
      ok: false,
      message:
        'No answer yet. If croft on this computer asks about this page in its terminal, allow it there. If it does not ask, run the command above.',
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
    // Allows an https page to send plain http to this computer.
    targetAddressSpace: 'loopback',
  } as RequestInit);
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}
