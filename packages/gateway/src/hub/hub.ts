import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AnyTool, ToolCall, ToolResult } from '@croft/tools';
import { type GatewayStatus, TIMES } from '../frames.ts';
import { answerRequest, type Identify } from './answer-request.ts';
import type { EndpointParts } from './endpoint.ts';
import type { HubOptions, LogEvent } from './hub-options.ts';
import { Keys } from './keys.ts';
import { Machines, PING_SLICES } from './machines.ts';
import { OfferedTools } from './offered-tools.ts';
import { OneAtATime } from './one-at-a-time.ts';
import { Pairings } from './pairings.ts';
import { refresh } from './refresh.ts';
import { revoke } from './revoke.ts';
import { findRoute } from './routes.ts';
import { Statuses } from './statuses.ts';
import { Switches } from './switches.ts';
import { TreeStore } from './tree/tree-store.ts';
import { UploadBudget } from './upload-budget.ts';
import { WaitingStreams } from './waiting-streams.ts';

/** The server's end of the gateway. */
export interface Hub {
  /**
   * Handles a request to one of the gateway's paths, over raw HTTP, because an idle stream must stay small. Returns
   * whether it was one; the response then follows, and never throws. `identify` is called only for the page's routes.
   */
  handle(req: IncomingMessage, res: ServerResponse, identify: Identify): boolean;
  /**
   * The status as known now. For a user not seen since the start, `enabled` is `false` until the store was read; then
   * `onChange` reports the value. So a switch that is off never counts as on.
   */
  status(userId: string): GatewayStatus;
  /** The status for a page: the same, after reading the store. @throws the store's errors */
  loadStatus(userId: string): Promise<GatewayStatus>;
  /**
   * The tools of the user's machine; none while it is not connected or its person turned it off. The list may be kept
   * for a turn: once another directory or machine is connected, its tools refuse.
   */
  toolsFor(userId: string): readonly AnyTool[];
  /** Runs one call of those tools. Never throws: every failure is a result with `ok: false` and a sentence. */
  call(userId: string, call: ToolCall, signal?: AbortSignal): Promise<ToolResult>;
  /**
   * Ends a user's connection and invalidates its key and an unused pairing token: for a user who was removed or
   * disabled, or whose password was changed because it was stolen.
   */
  disconnect(userId: string): Promise<void>;
  /**
   * Re-reads the store after another process changed it: updates the switch, and ends the connection if its key is
   * gone. Without a user, does so for all known users. @throws the store's errors
   */
  refresh(userId?: string): Promise<void>;
  /** Forgets a pairing token of this user that another process created or used up. */
  forgetPairing(userId: string): void;
  /** The hub's contents, for metrics. */
  readonly load: { readonly machines: number; readonly treeBytes: number };
  /** Ends every stream and call. Clients may reconnect, to the next process. */
  close(): Promise<void>;
}

const BLIP_MS = 10_000;
const GRACE_MS = 120_000;
const SILENCE_MS = 30_000;
const ANSWER_MS = 10_000;
const MAX_IN_FLIGHT = 32;
const MAX_QUEUED = 256;
const MAX_TREE_BYTES = 256 * 1024 * 1024;
const TOUCH_MS = 60_000;

/** Creates a hub. Sessions are stored in `options.store`; connections and trees exist only in this process. */
export function createHub(options: HubOptions): Hub {
  return new RunningHub(options);
}

class RunningHub implements Hub {
  readonly #parts: EndpointParts;
  readonly #tools: OfferedTools;
  readonly #timer: NodeJS.Timeout;
  readonly #touchMs: number;
  readonly #log: LogEvent;
  #touchedAt: number;
  #ticks = 0;
  #isClosing = false;

  constructor(options: HubOptions) {
    const { now = Date.now, callTimeoutMs = TIMES.callTimeoutMs, idleMs = TIMES.idleMs } = options;
    this.#log = (event) => options.log?.(event);
    this.#touchMs = Math.min(TOUCH_MS, idleMs / 4);
    this.#touchedAt = now();
    this.#parts = this.#assemble(options, { now, callTimeoutMs, idleMs });
    const { machines, switches, trees } = this.#parts;
    const { isFresh = () => true } = options;
    const { keys } = this.#parts;
    this.#tools = new OfferedTools({ machines, switches, keys, trees, callTimeoutMs, now, isFresh, log: this.#log });
    this.#timer = setInterval(() => this.#tick(), (options.pingMs ?? TIMES.pingMs) / PING_SLICES);
    this.#timer.unref();
  }

  #assemble(options: HubOptions, times: { now: () => number; callTimeoutMs: number; idleMs: number }): EndpointParts {
    const { store, staticKey, onChange, isFresh = () => true } = options;
    const { now, idleMs } = times;
    const trees = new TreeStore(options.maxTreeBytes ?? MAX_TREE_BYTES);
    const limits = {
      now,
      timeoutMs: times.callTimeoutMs,
      maxInFlight: options.maxInFlight ?? MAX_IN_FLIGHT,
      maxQueued: options.maxQueued ?? MAX_QUEUED,
      blipMs: options.blipMs ?? BLIP_MS,
    };
    const machines = new Machines(limits, {
      graceMs: options.graceMs ?? GRACE_MS,
      silenceMs: options.silenceMs ?? SILENCE_MS,
      answerMs: options.answerMs ?? ANSWER_MS,
      onChange: (userId) => statuses.changed(userId),
      onGone: (connection) => trees.remove(connection),
    });
    const pairings = new Pairings(store, now);
    const switches = new Switches(store, isFresh);
    const statuses = new Statuses({ machines, pairings, switches, onChange, log: this.#log });
    return {
      store,
      now,
      machines,
      pairings,
      trees,
      switches,
      statuses,
      waiting: new WaitingStreams(machines, pairings),
      keys: new Keys({ store, now, idleMs, machines, pairings, staticKey, isFresh }),
      perUser: new OneAtATime(),
      room: { usedBytes: 0 },
      uploads: new UploadBudget(now),
      linkFor: options.linkFor,
      isClosing: () => this.#isClosing,
    };
  }

  get load(): { machines: number; treeBytes: number } {
    return { machines: this.#parts.machines.size, treeBytes: this.#parts.trees.bytes };
  }

  handle(req: IncomingMessage, res: ServerResponse, identify: Identify): boolean {
    const path = (req.url ?? '/').split('?', 1)[0] as string;
    const route = findRoute(path);
    if (!route) return false;
    answerRequest({ route, req, res, identify }, this.#parts, this.#log);
    return true;
  }

  status(userId: string): GatewayStatus {
    const { switches, machines, statuses } = this.#parts;
    // Listeners get the status once the store was read.
    if (!switches.isKnown(userId)) statuses.changed(userId);
    machines.lookAt(userId);
    return statuses.of(userId);
  }

  loadStatus(userId: string): Promise<GatewayStatus> {
    this.#parts.machines.lookAt(userId);
    return this.#parts.statuses.load(userId);
  }

  toolsFor(userId: string): readonly AnyTool[] {
    return this.#tools.for(userId);
  }

  call(userId: string, call: ToolCall, signal?: AbortSignal): Promise<ToolResult> {
    return this.#tools.call(userId, call, signal);
  }

  async disconnect(userId: string): Promise<void> {
    const { perUser, pairings } = this.#parts;
    // First drop the token; otherwise a machine could still connect with it after the others were disconnected.
    await perUser.run(userId, () => pairings.drop(userId));
    await revoke(this.#parts, userId);
  }

  async refresh(userId?: string): Promise<void> {
    if (userId !== undefined) return refresh(this.#parts, userId, true);
    const { machines, switches } = this.#parts;
    for (const one of new Set([...machines.users(), ...switches.users()])) await refresh(this.#parts, one, false);
  }

  forgetPairing(userId: string): void {
    this.#parts.pairings.forget(userId);
    this.#parts.statuses.changed(userId);
  }

  async close(): Promise<void> {
    if (this.#isClosing) return;
    this.#isClosing = true;
    clearInterval(this.#timer);
    const { machines, waiting } = this.#parts;
    const inUse = machines.keysInUse();
    machines.endAll('closing');
    waiting.endAll();
    await this.#touch(inUse);
  }

  #tick(): void {
    const { machines, waiting, pairings, uploads, now } = this.#parts;
    this.#ticks++;
    machines.tick();
    if (this.#ticks % PING_SLICES === 0) {
      waiting.ping();
      pairings.sweep();
      uploads.sweep();
    }
    if (now() - this.#touchedAt < this.#touchMs) return;
    this.#touchedAt = now();
    void this.#touch(machines.keysInUse());
  }

  async #touch(keyHashes: string[]): Promise<void> {
    if (keyHashes.length === 0) return;
    const { store, now } = this.#parts;
    try {
      await store.touchSessions(keyHashes, new Date(now()));
    } catch (error) {
      this.#log({ event: 'failed', error });
    }
  }
}
