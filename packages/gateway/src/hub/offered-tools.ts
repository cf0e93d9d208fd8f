import { type AnyTool, callTool, type ToolCall, type ToolResult } from '@croft/tools';
import { FRAME_LIMITS } from '../frames.ts';
import type { Connection } from './connection.ts';
import type { LogEvent } from './hub-options.ts';
import type { Keys } from './keys.ts';
import type { Machines } from './machines.ts';
import { endedResult } from './remote/call-ends.ts';
import { remoteTools } from './remote/remote-tools.ts';
import { makeTreeAnswers } from './remote/tree-answers.ts';
import type { Switches } from './switches.ts';
import type { TreeStore } from './tree/tree-store.ts';

/** `callTool` has its own deadline, which must be later than the call's. */
const MARGIN_MS = 5_000;

/** The data that decides which tools are offered, and the dependencies of their calls. */
export interface OfferParts {
  readonly machines: Machines;
  readonly switches: Switches;
  readonly keys: Keys;
  readonly trees: TreeStore;
  readonly callTimeoutMs: number;
  readonly now: () => number;
  /** Whether changes by other processes arrive. */
  readonly isFresh: () => boolean;
  readonly log: LogEvent;
}

/** The tools of the connected machines, for their users' models. */
export class OfferedTools {
  readonly #parts: OfferParts;
  readonly #answerFromTree = makeTreeAnswers();
  readonly #byConnection = new WeakMap<Connection, readonly AnyTool[]>();

  constructor(parts: OfferParts) {
    this.#parts = parts;
  }

  /** Empty while the machine is not connected, or the switch is off or unknown. */
  for(userId: string): readonly AnyTool[] {
    const { machines, switches, trees, callTimeoutMs } = this.#parts;
    machines.lookAt(userId);
    const connection = machines.ofUser(userId);
    if (!connection?.isConnected || !switches.isOn(userId)) return [];
    let tools = this.#byConnection.get(connection);
    if (!tools) {
      const answerFromTree = this.#answerFromTree;
      const current = (of: Connection): Promise<Connection | undefined> => this.#confirm(of);
      tools = remoteTools(connection, { trees, answerFromTree, callTimeoutMs, current });
      this.#byConnection.set(connection, tools);
    }
    return tools;
  }

  /** Runs one call of those tools. Never throws. */
  async call(userId: string, call: ToolCall, signal: AbortSignal | undefined): Promise<ToolResult> {
    const { callTimeoutMs, now, log } = this.#parts;
    const tools = this.for(userId);
    if (tools.length === 0) return endedResult({ ended: 'not_connected' }, callTimeoutMs);
    const started = now();
    const onInternalError = (error: unknown, tool: string): void => log({ event: 'failed', userId, tool, error });
    const table = { tools, timeoutMs: callTimeoutMs + MARGIN_MS, onInternalError };
    const result = await callTool(table, call, { signal });
    const tool = call.name.slice(0, FRAME_LIMITS.maxToolNameChars);
    log({ event: 'called', userId, tool, ok: result.ok, tookMs: now() - started });
    return result;
  }

  /**
   * Like {@link #current}; reads the store while changes by other processes do not arrive. @throws the store's errors
   */
  async #confirm(of: Connection): Promise<Connection | undefined> {
    const { isFresh, switches, keys } = this.#parts;
    const present = this.#current(of);
    if (present === undefined || isFresh()) return present;
    const { userId, keyHash } = present.machine;
    if (!(await switches.load(userId))) return undefined;
    const isGood = keys.isStatic(keyHash) || (await keys.isOfUser(keyHash, userId));
    return isGood ? this.#current(of) : undefined;
  }

  /** The connection that now serves the same directory of the same machine as `of`, or undefined. */
  #current(of: Connection): Connection | undefined {
    const { machines, switches } = this.#parts;
    const present = machines.ofUser(of.machine.userId);
    if (!present || !switches.isOn(of.machine.userId)) return undefined;
    const isSame =
      present === of ||
      (present.rootPath === of.rootPath &&
        present.machine.host === of.machine.host &&
        present.machine.dialect === of.machine.dialect);
    return isSame ? present : undefined;
  }
}
