import type { JsonObject } from '../wire-json.ts';

const MOST = 2048;

/**
 * The calls removed from a response that upstream stores. Upstream waits there for results, and the client, which never
 * saw the calls, will not send them. Bounded: the oldest are dropped. Not persistent: after a restart, upstream reports
 * the missing result.
 */
export class OpenCalls {
  readonly #results = new Map<string, readonly JsonObject[]>();

  get size(): number {
    return this.#results.size;
  }

  /** Stores the results for calls of a response. */
  add(responseId: unknown, results: readonly JsonObject[]): void {
    if (typeof responseId !== 'string' || responseId === '' || results.length === 0) return;
    this.#results.delete(responseId);
    this.#results.set(responseId, results);
    const [oldest] = this.#results.keys();
    if (this.#results.size > MOST && oldest !== undefined) this.#results.delete(oldest);
  }

  /** The results to send with a request that continues a response. */
  of(responseId: unknown): readonly JsonObject[] {
    return (typeof responseId === 'string' ? this.#results.get(responseId) : undefined) ?? [];
  }
}

/** The removed calls of this process. */
export const openCalls = new OpenCalls();
