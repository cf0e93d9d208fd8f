import type { AssistantEvent } from '@croft/assistant/events';
import type { AssistantMessage } from '../api/assistant.ts';
import type { AssistantServer, Decision } from './assistant-server.ts';
import type { StoredTurn } from './chat.ts';
import type { TurnReader } from './follow-turn.ts';

/** A server for tests of the store: it remembers requests, and a test sends the events. */
export function createFakeAssistantServer() {
  const sent: Omit<AssistantMessage, 'flow_id'>[] = [];
  const calls: string[] = [];
  const readers = new Map<string, TurnReader>();
  const stored = new Map<string, readonly StoredTurn[]>();
  let decision: Decision = { version: null, continuation_expected: false };
  let refusal: Error | undefined;
  let count = 0;
  const log = (text: string) => {
    calls.push(text);
    return refusal === undefined ? Promise.resolve({}) : Promise.reject(refusal);
  };
  const server: AssistantServer = {
    async start(message) {
      if (refusal) throw refusal;
      sent.push(message);
      return `t${sent.length}`;
    },
    follow(turnId, reader) {
      readers.set(turnId, reader);
      return () => readers.delete(turnId);
    },
    cancel: (id) => log(`cancel ${id}`),
    async answer(turnId, id, choice) {
      await log(`answer ${turnId} ${id} ${choice}`);
      return decision;
    },
    revert: (id) => log(`revert ${id}`),
    redo: (version) => log(`redo ${version}`),
    async rewind(id, what) {
      await log(`rewind ${id} ${what}`);
      return { message: 'the message' };
    },
    readSession: async (id) => stored.get(id) ?? [],
    resetSession: (id, ended) => log(`reset ${id} after ${ended}`),
  };
  return {
    server,
    sent,
    calls,
    stored,
    /** Sends events of a turn to its reader. */
    emit(turnId: string, ...events: readonly AssistantEvent[]) {
      for (const event of events) readers.get(turnId)?.onEvent(`log.${++count}`, event);
    },
    isFollowed: (turnId: string) => readers.has(turnId),
    gone: (turnId: string) => readers.get(turnId)?.onGone(),
    decide(next: Decision) {
      decision = next;
    },
    refuse(error: Error | undefined) {
      refusal = error;
    },
  };
}

/** A storage in memory. */
export function memoryStorage(): Storage {
  const map = new Map<string, string>();
  const storage = {
    get length() {
      return map.size;
    },
    getItem: (key: string) => map.get(key) ?? null,
    setItem: (key: string, value: string) => void map.set(key, value),
    removeItem: (key: string) => void map.delete(key),
    clear: () => map.clear(),
    key: (at: number) => [...map.keys()][at] ?? null,
  };
  return new Proxy(storage, {
    ownKeys: () => [...map.keys()],
    getOwnPropertyDescriptor: (_, key) =>
      map.has(key as string) ? { enumerable: true, configurable: true, value: map.get(key as string) } : undefined,
  });
}
