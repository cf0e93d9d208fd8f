import { api } from '../api/api.ts';
import { type AssistantMessage, startTurn } from '../api/assistant.ts';
import type { StoredTurn } from './chat.ts';
import { followTurn, type TurnReader } from './follow-turn.ts';

/** A part of the flow and its conversation that a rewind takes back. */
export type RewindOf = 'canvas' | 'chat' | 'both';

/** The requests of the panel for one flow. All throw `ApiError`. */
export interface AssistantServer {
  /** @returns the id of the turn */
  start(message: Omit<AssistantMessage, 'flow_id'>): Promise<string>;
  /** @returns a function that stops reading */
  follow(turnId: string, reader: TurnReader): () => void;
  cancel(turnId: string): Promise<unknown>;
  /** Answers a question, or decides about a proposal. */
  answer(turnId: string, id: string, choice: string): Promise<Decision>;
  revert(turnId: string): Promise<unknown>;
  /** Repeats what was just reverted. */
  redo(version: number): Promise<unknown>;
  rewind(turnId: string, what: RewindOf): Promise<{ readonly message: string }>;
  readSession(sessionId: string): Promise<readonly StoredTurn[]>;
  /** Begins a conversation. Unsaved components of the one that ends are removed. */
  resetSession(sessionId: string, endedId: string): Promise<unknown>;
}

export interface Decision {
  readonly version: number | null;
  readonly continuation_expected: boolean;
}

/** The API of one flow's assistant. */
export function createAssistantServer(flowId: string): AssistantServer {
  return {
    start: (message) => startTurn({ ...message, flow_id: flowId }),
    follow: followTurn,
    cancel: (id) => api('POST /api/v1/agentic/turns/{id}/cancel', { params: { id } }),
    answer: (turn, id, choice) =>
      api('POST /api/v1/agentic/turns/{id}/answer', { params: { id: turn }, body: { id, choice } }),
    revert: (id) => api('POST /api/v1/agentic/turns/{id}/revert', { params: { id } }),
    redo: (base) => api('POST /api/v1/flows/{id}/redo', { params: { id: flowId }, body: { base } }),
    rewind: (id, what) => api('POST /api/v1/agentic/turns/{id}/rewind', { params: { id }, body: { what } }),
    async readSession(id) {
      const { turns } = await api('GET /api/v1/agentic/sessions/{id}', { params: { id }, query: { flow_id: flowId } });
      return turns;
    },
    resetSession: (id, ended) =>
      api('POST /api/v1/agentic/sessions/reset', { query: { session_id: id, ended_session_id: ended } }),
  };
}
