import type { Position } from '@croft/flow';
import { ApiError } from '../api/request.ts';

export type Positions = Readonly<Record<string, Position>>;

/** Whether the server has all moves. `waiting`: the server does not answer; the moves are kept and sent again. */
export type SaveState = 'saved' | 'saving' | 'waiting';

/** Moves that the server does not have yet. */
export interface MoveState {
  readonly save: SaveState;
  readonly positions: Positions;
}

export interface MoveQueueOptions {
  /** Sends moves. A repeated key is applied once. @throws ApiError */
  readonly send: (positions: Positions, key: string) => Promise<void>;
  /** The server refused moves; the queue has dropped them. */
  readonly onRefused: (error: unknown) => void;
  readonly pauseMs?: number;
  readonly retryMs?: number;
}

/** Collects moves, sends them one request at a time, and keeps them while the server does not answer. */
export interface MoveQueue {
  readonly get: () => MoveState;
  readonly subscribe: (listener: () => void) => () => void;
  move(positions: Positions): void;
  /** Sends now what is waiting, for example when the page is left. */
  flush(): void;
}

/** Creates the queue of one flow. */
export function createMoveQueue({ send, onRefused, pauseMs = 400, retryMs = 3_000 }: MoveQueueOptions): MoveQueue {
  let state: MoveState = { save: 'saved', positions: {} };
  let sending: { readonly positions: Positions; readonly key: string } | undefined;
  let isSending = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const listeners = new Set<() => void>();
  const change = (next: MoveState) => {
    state = next;
    for (const listener of listeners) listener();
  };
  const later = (ms: number) => {
    clearTimeout(timer);
    timer = setTimeout(() => void attempt(), ms);
  };
  const attempt = async () => {
    clearTimeout(timer);
    if (isSending || Object.keys(state.positions).length === 0) return;
    // An attempt without an answer is repeated unchanged: the server may have applied it.
    sending ??= { positions: state.positions, key: newKey() };
    const { positions, key } = sending;
    isSending = true;
    change({ ...state, save: 'saving' });
    try {
      await send(positions, key);
    } catch (error) {
      isSending = false;
      if (isTemporary(error)) {
        change({ ...state, save: 'waiting' });
        return later(retryMs);
      }
      onRefused(error);
    }
    isSending = false;
    sending = undefined;
    const left = withoutSent(state.positions, positions);
    const isDone = Object.keys(left).length === 0;
    change({ save: isDone ? 'saved' : 'saving', positions: left });
    if (!isDone) later(0);
  };
  return {
    get: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    move(positions) {
      change({
        save: state.save === 'waiting' ? 'waiting' : 'saving',
        positions: { ...state.positions, ...positions },
      });
      if (state.save !== 'waiting') later(pauseMs);
    },
    flush: () => void attempt(),
  };
}

function isTemporary(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 0 || error.status >= 500 || error.status === 429);
}

/** A node that moved again after the request keeps its newer position. */
function withoutSent(positions: Positions, sent: Positions): Positions {
  return Object.fromEntries(Object.entries(positions).filter(([id, position]) => sent[id] !== position));
}

/** A key that no other request of this flow has. Not secret; `crypto.randomUUID` is missing on pages without TLS. */
const newKey = () => `move-${Date.now().toString(36)}-${Math.random().toString(36).slice(2)}`;
