import { type AssistantEvent, isEnd } from '@croft/assistant/events';
import type { AssistantServer } from './assistant-server.ts';
import { type Chat, type ChatAction, newChat, reduceChat, turnUnderWay } from './chat.ts';

/** A conversation with the events of its turns as they come, outside of React. */
export interface Conversation {
  readonly get: () => Chat;
  readonly subscribe: (listener: () => void) => () => void;
  dispatch(action: ChatAction): void;
  /** Reads the events of a turn. */
  follow(key: string, turnId: string): void;
  /** Follows the turn that works, if there is one. */
  followAgain(): void;
  stopReading(): void;
  /** Shows an empty conversation. */
  show(sessionId: string): void;
  /** Reads a conversation from the server. @throws ApiError */
  load(sessionId: string): Promise<void>;
}

export interface ConversationOptions {
  readonly server: Pick<AssistantServer, 'follow' | 'readSession'>;
  readonly sessionId: string;
  /** A run of the flow began. */
  readonly onRun: (runId: string) => void;
  /** A component was written. */
  readonly onComponent: () => void;
  /** The conversation cannot be read. */
  readonly onFailure: (error: unknown) => void;
}

const FLUSH_MS = 40;

export function createConversation({
  server,
  sessionId,
  onRun,
  onComponent,
  onFailure,
}: ConversationOptions): Conversation {
  const listeners = new Set<() => void>();
  let chat = newChat(sessionId);
  let waiting: ChatAction[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  let leave: (() => void) | undefined;

  const set = (next: Chat) => {
    if (next === chat) return;
    chat = next;
    for (const listener of listeners) listener();
  };
  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    const actions = waiting;
    waiting = [];
    set(actions.reduce(reduceChat, chat));
  };
  const receive = (key: string, id: string, event: AssistantEvent) => {
    waiting.push({ kind: 'received', key, id, event });
    if (event.event === 'run_started') onRun(event.run_id);
    if (event.event === 'component') onComponent();
    // Tokens come in great numbers: they are shown together, 25 times a second.
    if (event.event !== 'token' || isEnd(event)) flush();
    else timer ??= setTimeout(flush, FLUSH_MS);
  };
  const stopReading = () => {
    leave?.();
    leave = undefined;
    flush();
  };
  const follow = (key: string, turnId: string) => {
    stopReading();
    const { sessionId: current } = chat;
    leave = server.follow(turnId, {
      onEvent: (id, event) => receive(key, id, event),
      onGone: () => void load(current).catch(onFailure),
    });
  };
  const followAgain = () => {
    const running = turnUnderWay(chat);
    if (running?.id !== undefined) follow(running.key, running.id);
  };
  const load = async (id: string) => {
    const turns = await server.readSession(id);
    if (chat.sessionId !== id) return;
    set(reduceChat(chat, { kind: 'opened', sessionId: id, turns }));
    followAgain();
  };
  return {
    get: () => chat,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    dispatch(action) {
      flush();
      set(reduceChat(chat, action));
    },
    follow,
    followAgain,
    stopReading,
    show(id) {
      stopReading();
      set(newChat(id));
    },
    load,
  };
}
