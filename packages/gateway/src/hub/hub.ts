import type { IncomingMessage, ServerResponse } from 'node:http';
import { type AnyTool, type CallContext, callTool, type ToolCall, type ToolResult } from '@croft/tools';
import { FRAME_LIMITS, type GatewayStatus, TIMES } from '../frames.ts';
import type { Connection } from './connection.ts';
import { type EndpointParts, revoke } from './endpoints.ts';
import { IdentityRefusal, REFUSALS } from './gateway-error.ts';
import { sendError } from './json-http.ts';
import { Keys } from './keys.ts';
import { Machines, PING_SLICES } from './machines.ts';
import { OneAtATime } from './one-at-a-time.ts';
import { Pairings } from './pairings.ts';
import { endedResult } from './remote/call-ends.ts';
import { remoteTools } from './remote/remote-tools.ts';
import { makeTreeAnswers } from './remote/tree-answers.ts';
import { findRoute, type Route } from './routes.ts';
import type { GatewayStore } from './store.ts';
import { TreeStore } from './tree/tree-store.ts';
import { WaitingStreams } from './waiting-streams.ts';

/** What happened, for an operator's log. Holds no key, no token and no address with a query. */
export interface HubEvent {
  readonly event: 'connected' | 'disconnected' | 'refused' | 'failed' | 'called';
  readonly userId?: string;
  readonly path?: string;
  readonly status?: number;
  readonly code?: string;
  readonly tool?: string;
  readonly tookMs?: number;
  readonly ok?: boolean;
  /** With cause and stack, for the operator only. */
  readonly error?: unknown;
}

export interface HubOptions {
  readonly store: GatewayStore;
  /** A key that needs no pairing, and whose machine it connects. */
  readonly staticKey?: { readonly key: string; readonly userId: string };
  /** How long a call may take; 30 s. */
  readonly callTimeoutMs?: number;
  /** 15 s. */
  readonly pingMs?: number;
  /** A session key unused for this long is no longer good; 30 days. */
  readonly idleMs?: number;
  /** How long a machine whose stream broke still counts as connected; 10 s. */
  readonly blipMs?: number;
  /** How long a machine without a stream is remembered; 2 minutes. After it a client says `init` again. */
  readonly graceMs?: number;
  /** Calls one machine is asked at once; 32. */
  readonly maxInFlight?: number;
  /** Calls that wait beyond those, per machine; 256. More are refused. */
  readonly maxQueued?: number;
  /** Of all cached trees together; 256 MB. */
  readonly maxTreeBytes?: number;
  readonly now?: () => number;
  /** The command and the page's link that a new pairing token is shown in. */
  readonly linkFor: (userId: string, token: string) => { command: string; url: string };
  /** Told when what `status` says of a user changed. */
  readonly onChange?: (userId: string, status: GatewayStatus) => void;
  readonly log?: (event: HubEvent) => void;
}

/** Who asks, for routes of the page: a user's id, or nobody. It also has to refuse what another site sent. */
export type Identify = (req: IncomingMessage) => Promise<string | undefined>;

/** The server's end of the gateway. */
export interface Hub {
  /**
   * Answers a request to one of the gateway's paths, over raw HTTP, because an idle stream has to stay small. True when
   * it was one; the answer then comes by itself, and never throws. `identify` is asked only by the page's routes.
   */
  handle(req: IncomingMessage, res: ServerResponse, identify: Identify): boolean;
  /**
   * What a page shows. Of a user not seen since the start `enabled` is `true` until the store was asked; where it is
   * off, `onChange` says so a moment later.
   */
  status(userId: string): GatewayStatus;
  /**
   * The tools of the user's machine as it is now; none while it is not connected or the person turned it off. They may
   * be kept for a turn: once another directory or machine is connected they refuse.
   */
  toolsFor(userId: string): readonly AnyTool[];
  /** One call over those tools. Never throws: whatever ends a call is a result with `ok: false` and a sentence. */
  call(userId: string, call: ToolCall, signal?: AbortSignal): Promise<ToolResult>;
  /**
   * Ends a user's connection and makes its key and an unused pairing token worthless: for a user who was removed or
   * disabled, or whose password was changed because somebody else had it.
   */
  disconnect(userId: string): Promise<void>;
  /** What the hub holds, for metrics. */
  readonly load: { readonly machines: number; readonly treeBytes: number };
  /** Ends every stream and call. Clients are not told to stay away: they connect again to the next process. */
  close(): Promise<void>;
}

const BLIP_MS = 10_000;
const GRACE_MS = 120_000;
const MAX_IN_FLIGHT = 32;
const MAX_QUEUED = 256;
const MAX_TREE_BYTES = 256 * 1024 * 1024;
const TOUCH_MS = 60_000;
/** `callTool` has a deadline of its own; it must not come before the call's. */
const MARGIN_MS = 5_000;

/** Makes a hub. Sessions live in `options.store`; connections and trees in this process alone. */
export function createHub(options: HubOptions): Hub {
  return new RunningHub(options);
}

class RunningHub implements Hub {
  readonly #options: HubOptions;
  readonly #now: () => number;
  readonly #machines: Machines;
  readonly #pairings: Pairings;
  readonly #waiting: WaitingStreams;
  readonly #trees: TreeStore;
  readonly #answerFromTree = makeTreeAnswers();
  readonly #parts: EndpointParts;
  readonly #timer: NodeJS.Timeout;
  readonly #toggles = new Map<string, boolean>();
  /** As last said in the log. */
  readonly #connectedUsers = new Set<string>();
  readonly #tools = new WeakMap<Connection, readonly AnyTool[]>();
  readonly #touchMs: number;
  readonly #callTimeoutMs: number;
  #touchedAt: number;
  #ticks = 0;
  #isClosing = false;

  constructor(options: HubOptions) {
    this.#options = options;
    const { store, now = Date.now, callTimeoutMs = TIMES.callTimeoutMs, idleMs = TIMES.idleMs } = options;
    this.#now = now;
    this.#callTimeoutMs = callTimeoutMs;
    this.#touchMs = Math.min(TOUCH_MS, idleMs / 4);
    this.#touchedAt = now();
    this.#trees = new TreeStore(options.maxTreeBytes ?? MAX_TREE_BYTES);
    const limits = {
      now,
      timeoutMs: callTimeoutMs,
      maxInFlight: options.maxInFlight ?? MAX_IN_FLIGHT,
      maxQueued: options.maxQueued ?? MAX_QUEUED,
      blipMs: options.blipMs ?? BLIP_MS,
    };
    this.#machines = new Machines(limits, {
      graceMs: options.graceMs ?? GRACE_MS,
      onChange: (userId) => this.#changed(userId),
      onGone: (connection) => this.#trees.remove(connection),
    });
    this.#pairings = new Pairings(store, now);
    this.#waiting = new WaitingStreams(this.#machines, this.#pairings);
    this.#parts = {
      store,
      now,
      machines: this.#machines,
      pairings: this.#pairings,
      waiting: this.#waiting,
      trees: this.#trees,
      keys: new Keys({
        store,
        now,
        idleMs,
        machines: this.#machines,
        pairings: this.#pairings,
        staticKey: options.staticKey,
      }),
      perUser: new OneAtATime(),
      room: { usedBytes: 0 },
      linkFor: options.linkFor,
      statusOf: (userId) => this.#statusNow(userId),
      loadToggle: (userId) => this.#loadToggle(userId),
      setToggle: (userId, enabled) => this.#setToggle(userId, enabled),
      changed: (userId) => this.#changed(userId),
    };
    this.#timer = setInterval(() => this.#tick(), (options.pingMs ?? TIMES.pingMs) / PING_SLICES);
    this.#timer.unref();
  }

  get load(): { machines: number; treeBytes: number } {
    return { machines: this.#machines.size, treeBytes: this.#trees.bytes };
  }

  handle(req: IncomingMessage, res: ServerResponse, identify: Identify): boolean {
    const path = (req.url ?? '/').split('?', 1)[0] as string;
    const route = findRoute(path);
    if (!route) return false;
    // A client that goes away while it is answered is no failure of the process.
    res.on('error', () => undefined);
    this.#answer(route, req, res, identify).catch((error: unknown) => {
      const { code, status } = error as { code?: string; status?: number };
      if (status === undefined) this.#log({ event: 'failed', path: route.name, error });
      else this.#log({ event: 'refused', path: route.name, status, ...(code !== undefined && { code }) });
      sendError(res, error);
    });
    return true;
  }

  async #answer(route: Route, req: IncomingMessage, res: ServerResponse, identify: Identify): Promise<void> {
    if (this.#isClosing) throw REFUSALS.closing();
    if (req.method !== route.method) {
      res.setHeader('Allow', route.method);
      throw REFUSALS.badMethod(route.method);
    }
    if (route.kind === 'key') return route.run(this.#parts, req, res, route.rest);
    const userId = await identify(req).catch((error: unknown) => {
      throw IdentityRefusal.from(error);
    });
    if (userId === undefined) throw REFUSALS.notSignedIn();
    return route.run(this.#parts, userId, req, res);
  }

  status(userId: string): GatewayStatus {
    if (!this.#toggles.has(userId)) this.#learnToggle(userId);
    return this.#statusNow(userId);
  }

  #statusNow(userId: string): GatewayStatus {
    const connection = this.#machines.ofUser(userId);
    const machine = connection?.isConnected ? connection.machine : undefined;
    const expiresAt = this.#pairings.expiresAt(userId);
    return {
      connected: machine !== undefined,
      connectedAt: machine && connection ? new Date(connection.connectedAt).toISOString() : null,
      directory: machine && connection ? connection.rootPath : null,
      hostIdentifier: machine?.host ?? null,
      toolCategories: machine?.categories ?? [],
      enabled: this.#toggles.get(userId) ?? true,
      ...(expiresAt !== undefined && { expiresAt: new Date(expiresAt).toISOString() }),
    };
  }

  toolsFor(userId: string): readonly AnyTool[] {
    const connection = this.#machines.ofUser(userId);
    if (!connection?.isConnected || !this.#isEnabled(userId)) return [];
    let tools = this.#tools.get(connection);
    if (!tools) {
      tools = remoteTools(connection, {
        trees: this.#trees,
        answerFromTree: this.#answerFromTree,
        callTimeoutMs: this.#callTimeoutMs,
        current: (of) => this.#current(of),
      });
      this.#tools.set(connection, tools);
    }
    return tools;
  }

  async call(userId: string, call: ToolCall, signal?: AbortSignal): Promise<ToolResult> {
    const tools = this.toolsFor(userId);
    if (tools.length === 0) return endedResult('not_connected', this.#callTimeoutMs);
    const started = this.#now();
    const context: CallContext = { signal };
    const onInternalError = (error: unknown, tool: string): void => this.#log({ event: 'failed', userId, tool, error });
    const table = { tools, timeoutMs: this.#callTimeoutMs + MARGIN_MS, onInternalError };
    const result = await callTool(table, call, context);
    const tool = call.name.slice(0, FRAME_LIMITS.maxToolNameChars);
    this.#log({ event: 'called', userId, tool, ok: result.ok, tookMs: this.#now() - started });
    return result;
  }

  async disconnect(userId: string): Promise<void> {
    // First, or a machine could still come in by it after the other ones were sent away.
    await this.#parts.perUser.run(userId, () => this.#pairings.drop(userId));
    await revoke(this.#parts, userId);
  }

  async close(): Promise<void> {
    if (this.#isClosing) return;
    this.#isClosing = true;
    clearInterval(this.#timer);
    const inUse = this.#machines.keysInUse();
    this.#machines.endAll('closing');
    this.#waiting.endAll();
    await this.#touch(inUse);
  }

  /** The connection that serves what was offered over `of`: the same directory of the same machine, or none. */
  #current(of: Connection): Connection | undefined {
    const present = this.#machines.ofUser(of.machine.userId);
    if (!present || !this.#isEnabled(of.machine.userId)) return undefined;
    const isSame =
      present === of ||
      (present.rootPath === of.rootPath &&
        present.machine.host === of.machine.host &&
        present.machine.dialect === of.machine.dialect);
    return isSame ? present : undefined;
  }

  /** Off until it is known: the switch is loaded before a machine counts as connected. */
  #isEnabled(userId: string): boolean {
    return this.#toggles.get(userId) === true;
  }

  async #loadToggle(userId: string): Promise<boolean> {
    const known = this.#toggles.get(userId);
    if (known !== undefined) return known;
    const stored = await this.#options.store.getToggle(userId);
    // Somebody may have turned it in the meantime.
    const enabled = this.#toggles.get(userId) ?? stored;
    this.#toggles.set(userId, enabled);
    return enabled;
  }

  /** Asks the store in the background; whoever watches is told when the switch turns out to be off. */
  #learnToggle(userId: string): void {
    this.#loadToggle(userId).then(
      (enabled) => {
        if (!enabled) this.#changed(userId);
      },
      (error: unknown) => this.#log({ event: 'failed', userId, error }),
    );
  }

  async #setToggle(userId: string, enabled: boolean): Promise<void> {
    await this.#options.store.setToggle(userId, enabled);
    this.#toggles.set(userId, enabled);
    this.#changed(userId);
  }

  #tick(): void {
    this.#ticks++;
    this.#machines.tick();
    if (this.#ticks % PING_SLICES === 0) {
      this.#waiting.ping();
      this.#pairings.sweep();
    }
    if (this.#now() - this.#touchedAt < this.#touchMs) return;
    this.#touchedAt = this.#now();
    void this.#touch(this.#machines.keysInUse());
  }

  async #touch(keyHashes: string[]): Promise<void> {
    if (keyHashes.length === 0) return;
    try {
      await this.#options.store.touchSessions(keyHashes, new Date(this.#now()));
    } catch (error) {
      this.#log({ event: 'failed', error });
    }
  }

  #changed(userId: string): void {
    const status = this.#statusNow(userId);
    if (status.connected !== this.#connectedUsers.has(userId)) {
      if (status.connected) this.#connectedUsers.add(userId);
      else this.#connectedUsers.delete(userId);
      this.#log({ event: status.connected ? 'connected' : 'disconnected', userId });
    }
    try {
      this.#options.onChange?.(userId, status);
    } catch (error) {
      this.#log({ event: 'failed', userId, error });
    }
  }

  #log(event: HubEvent): void {
    this.#options.log?.(event);
  }
}
