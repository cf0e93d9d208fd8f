import type { Credential, LinkEnd } from './admission.ts';
import { describeTree } from './announcement.ts';
import { fetchFor } from './choose-fetch.ts';
import { confirmPages, type Confirmation } from './confirm-page.ts';
import type { DaemonEvent } from './daemon-events.ts';
import type { Daemon, DaemonEnd, DaemonOptions } from './daemon-options.ts';
import { type FreshTree, keepTreeFresh } from './keep-tree-fresh.ts';
import { type Link, openLink } from './link.ts';
import { type LocalListener, startListener } from './local-listener.ts';
import type { ConnectRequest, PageAnswer } from './connect-request.ts';
import { type PageOrigins, pageOrigins } from './page-origins.ts';
import type { ScannedTree } from './scan-tree.ts';
import { announcementOf, scanShared } from './shared-directory.ts';
import { serveCalls } from './serve-calls.ts';
import { credentialFor, storeSession } from './stored-session.ts';

/**
 * Runs a daemon: listens for pages, keeps the one connection, serves its calls.
 *
 * @throws Node's error if the port is not available; Error with a sentence for an invalid proxy variable; SettingsError
 */
export async function runDaemon(options: DaemonOptions): Promise<Daemon> {
  const daemon = new RunningDaemon(options);
  await daemon.start();
  return daemon;
}

class RunningDaemon implements Daemon {
  readonly done: Promise<DaemonEnd>;
  readonly #options: DaemonOptions;
  readonly #origins: PageOrigins;
  readonly #confirmation: Confirmation;
  #listener: LocalListener | undefined;
  #link: Link | undefined;
  #fresh: FreshTree | undefined;
  /** Set between a request to connect and the link, so that there are never two. */
  #isConnecting = false;
  #connectedAt: string | undefined;
  #isStopping = false;
  #saidOtherUser = false;
  #finish: (end: DaemonEnd) => void = () => {};

  constructor(options: DaemonOptions) {
    this.#options = options;
    const { settings, workspace, allowOrigins = [], allowWrite, ask, autoConfirm = false, tell } = options;
    this.#origins = pageOrigins(settings, { directory: workspace.root, mayWrite: allowWrite }, allowOrigins);
    this.#confirmation = confirmPages({
      directory: workspace.root,
      mayWrite: allowWrite,
      origins: this.#origins,
      settings,
      ask,
      autoConfirm,
      tell,
    });
    this.done = new Promise((resolve) => {
      this.#finish = resolve;
    });
  }

  get port(): number | undefined {
    return this.#listener?.port;
  }

  get isConnected(): boolean {
    return this.#link?.openSince !== undefined;
  }

  async start(): Promise<void> {
    const { port, target, tell, settings, workspace, staticKey } = this.#options;
    // Report an unreadable file before a page can ask.
    const last = settings.lastServer(workspace.root);
    if (port !== undefined) {
      this.#listener = await startListener({
        port,
        origins: this.#origins,
        daemon: {
          health: () => ({ status: 'ok', dir: workspace.root, connected: this.isConnected }),
          status: () => this.#status(),
          connect: (request) => this.#connectForPage(request),
          disconnect: (origin) => this.#leaveForPage(origin),
          wanted: (origin, request) => void this.#wanted(origin, request),
          refusedUser: () => this.#refusedUser(),
        },
        onError: (error) => tell({ type: 'warning', message: (error as Error).message }),
      });
      tell({ type: 'listening', port: this.#listener.port });
    }
    const server = target?.server ?? (staticKey === undefined ? last : undefined);
    try {
      if (server === undefined) tell({ type: 'waiting' });
      else
        await this.#connect(server, credentialFor(server, target?.token, this.#options), false, target !== undefined);
    } catch (error) {
      await this.#listener?.close();
      throw error;
    }
  }

  async stop(): Promise<void> {
    if (this.#isStopping) return;
    this.#isStopping = true;
    this.#confirmation.close();
    await Promise.all([this.#listener?.close(), this.#link?.leave()]);
    this.#finish({ reason: 'stopped', message: 'Stopped' });
  }

  #status(): object {
    return {
      connected: this.isConnected,
      dir: this.#options.workspace.root,
      connectedAt: this.#connectedAt ?? null,
      url: this.#link?.server ?? null,
    };
  }

  async #connectForPage(request: ConnectRequest): Promise<PageAnswer> {
    if (this.#confirmation.isOpen)
      return { status: 409, body: { error: 'A connection confirmation is already in progress.' } };
    const busy = this.#busy();
    if (busy) return busy;
    try {
      const { server, token } = request;
      const kept = this.#options.settings.sessionFor(server, this.#options.workspace.root);
      const link = await this.#connect(server, { kind: 'token', token, kept }, true, false);
      const failed = await link.paired;
      if (failed) return { status: 500, body: { error: failed.message } };
      return { status: 200, body: { status: 'connected', dir: this.#options.workspace.root } };
    } catch (error) {
      return { status: 500, body: { error: (error as Error).message } };
    }
  }

  #busy(): PageAnswer | undefined {
    if (this.#link)
      return { status: 409, body: { error: `Already connected to ${this.#link.server}. Disconnect first.` } };
    if (this.#isConnecting || this.#isStopping)
      return { status: 409, body: { error: 'A connection is being made. Try again in a moment.' } };
    return undefined;
  }

  async #wanted(origin: string, request: ConnectRequest | undefined): Promise<void> {
    if (this.#busy()) return;
    const allowed = await this.#confirmation.decide(origin);
    // The browser's request has been answered already; the page polls by itself.
    if (!allowed || request === undefined || this.#busy()) return;
    const { status, body } = await this.#connectForPage(request);
    if (status !== 200) this.#options.tell({ type: 'warning', message: String(body.error) });
  }

  /** Reported once: the other user could fill the terminal. */
  #refusedUser(): void {
    if (this.#saidOtherUser) return;
    this.#saidOtherUser = true;
    const message = 'A program of another user of this machine tried to use this listener, and is refused';
    this.#options.tell({ type: 'warning', message });
  }

  async #connect(server: string, credential: Credential, tryOnce: boolean, byCommand: boolean): Promise<Link> {
    const { table, operations, timing, random, env = {} } = this.#options;
    this.#isConnecting = true;
    let scanned: ScannedTree | undefined;
    try {
      const fetch = await fetchFor(new URL(server), env);
      if (this.#isStopping) throw new Error('croft connect is stopping');
      const link = openLink({
        server,
        credential,
        fetch,
        tryOnce,
        ...(timing && { timing }),
        ...(random && { random }),
        announce: async () => {
          scanned = await scanShared(this.#options, true);
          this.#fresh?.sent(scanned);
          return announcementOf(this.#options, scanned);
        },
        makeCalls: (deliver) => serveCalls({ table, operations, server, deliver, tell: this.#tell, now: Date.now }),
        tell: this.#tell,
        onSession: (key) => {
          if (credential.kind !== 'static') storeSession(server, key, this.#options);
        },
      });
      this.#link = link;
      void this.#follow(link, byCommand, () => scanned);
      return link;
    } finally {
      this.#isConnecting = false;
    }
  }

  /** Follows one connection to its end. */
  async #follow(link: Link, byCommand: boolean, lastScan: () => ScannedTree | undefined): Promise<void> {
    const failed = await link.paired;
    const { workspace, tell, timing } = this.#options;
    const scanned = lastScan();
    this.#fresh =
      failed === undefined && link.takesTrees && scanned
        ? keepTreeFresh({
            root: workspace.root,
            scan: () => scanShared(this.#options, false),
            send: (tree) => link.sendTree(JSON.stringify(describeTree(workspace.root, tree))),
            tell,
            ...(timing?.quietMs !== undefined && { quietMs: timing.quietMs }),
            ...(timing?.minIntervalMs !== undefined && { minIntervalMs: timing.minIntervalMs }),
          })
        : undefined;
    if (scanned) this.#fresh?.sent(scanned);
    const end = await link.ended;
    this.#fresh?.close();
    this.#fresh = undefined;
    this.#link = undefined;
    this.#connectedAt = undefined;
    this.#listener?.announce('disconnected', { reason: end.reason });
    if (this.#isStopping) return;
    await this.#goOn(end, byCommand, failed !== undefined);
  }

  /** Waits for the next page. Ends if no page can come, or if reconnecting would compete with another daemon. */
  async #goOn(end: LinkEnd, byCommand: boolean, neverPaired: boolean): Promise<void> {
    const { tell } = this.#options;
    if (this.#listener && !(byCommand && (neverPaired || end.reason === 'superseded')))
      return tell({ type: 'waiting' });
    this.#isStopping = true;
    this.#confirmation.close();
    await this.#listener?.close();
    this.#finish(end);
  }

  /** Pages of other servers on this machine must not end a connection: one could then take it over. */
  async #leaveForPage(origin: string): Promise<PageAnswer> {
    if (this.#link && new URL(this.#link.server).origin !== origin)
      return {
        status: 403,
        body: { error: 'Another server is connected. Disconnect in its page, or in the terminal.' },
      };
    await this.#link?.leave();
    return { status: 200, body: { status: 'disconnected' } };
  }

  readonly #tell = (event: DaemonEvent): void => {
    if (event.type === 'connected') {
      this.#connectedAt = new Date().toISOString();
      this.#listener?.announce('connected', {});
      this.#fresh?.catchUp();
    }
    if (event.type === 'retrying') this.#connectedAt = undefined;
    this.#options.tell(event);
  };
}
