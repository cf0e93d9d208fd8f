import type { JsonObject } from '../wire-json.ts';

const MOST = 2048;

/**
 * Calls that were taken out of a response which upstream keeps: there they wait for a result that the client, which never
 * saw them, will not send. Bounded, the oldest go; lost with the process, and then upstream says what is missing.
 */
export class OpenCalls {
  readonly #results = new Map<string, readonly JsonObject[]>();

  get size(): number {
    return this.#results.size;
  }

  /** Keeps the results for calls of a response. */
  add(responseId: unknown, results: readonly JsonObject[]): void {
    if (typeof responseId !== 'string' || responseId === '' || results.length === 0) return;
    this.#results.delete(responseId);
    this.#results.set(responseId, results);
    const [oldest] = this.#results.keys();
    if (this.#results.size > MOST && oldest !== undefined) this.#results.delete(oldest);
  }

  /** The results to send with a request that continues from a response. */
  of(responseId: unknown): readonly JsonObject[] {
    return (typeof responseId === 'string' ? this.#results.get(responseId) : undefined) ?? [];
  }
}

/** Those of this process. */
export const openCalls = new OpenCalls();
