/** Values of a run under names: one node sends, others receive, without an edge between them. */
export interface Channel {
  send(name: string, value: unknown): void;
  /** The latest value of the name, or the next one where there is none. @throws the reason of the signal */
  receive(name: string, signal: AbortSignal): Promise<unknown>;
}

/** A channel in memory, for one run. */
export function createChannel(): Channel {
  const values = new Map<string, unknown>();
  const waiting = new Map<string, Set<(value: unknown) => void>>();
  return {
    send(name, value) {
      values.set(name, value);
      const receivers = waiting.get(name);
      waiting.delete(name);
      for (const receive of receivers ?? []) receive(value);
    },
    async receive(name, signal) {
      signal.throwIfAborted();
      if (values.has(name)) return values.get(name);
      return new Promise((resolve, reject) => {
        const receivers = waiting.get(name) ?? new Set();
        waiting.set(name, receivers);
        const leave = () => {
          receivers.delete(receive);
          reject(signal.reason as Error);
        };
        const receive = (value: unknown) => {
          signal.removeEventListener('abort', leave);
          resolve(value);
        };
        receivers.add(receive);
        signal.addEventListener('abort', leave, { once: true });
      });
    },
  };
}
