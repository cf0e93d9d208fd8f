import { type AssistantEvent, isEnd } from '@croft/assistant/events';
import { isTemporary } from '../api/request.ts';
import { createListeners } from '../listeners.ts';
import type { AssistantServer } from './assistant-server.ts';
import { type Chat, type ChatAction, newChat, reduceChat, type StoredTurn, turnToFollow } from './chat.ts';

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
  /** Reads a conversation from the server. Keeps what is dispatched meanwhile. @throws ApiError */
  load(sessionId: string): Promise<void>;
  /** Resolves when no conversation is being read. Wait for it before you send a message. */
  whenRead(): Promise<void>;
}

export interface ConversationOptions {
  readonly server: Pick<AssistantServer, 'follow' | 'readSession'>;
  readonly sessionId: string;
  /** A run of the flow began, with the changes of the turn up to this version. */
  readonly onRun: (runId: string, version: number) => void;
  /** A component was written. */
  readonly onComponent: () => void;
  /** The conversation cannot be read. */
  readonly onFailure: (error: unknown) => void;
}

const FLUSH_MS = 40;
const LOOK_MS = 3_000;

/** A request for the stored conversation. */
interface Reading {
  readonly done: Promise<readonly StoredTurn[]>;
  /** Actions of the page meanwhile, such as a message that waits. The response does not contain them. */
  readonly missed: ChatAction[];
}

export function createConversation({
  server,
  sessionId,
  onRun,
  onComponent,
  onFailure,
}: ConversationOptions): Conversation {
  const { subscribe, notify } = createListeners();
  let chat = newChat(sessionId);
  let waiting: ChatAction[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  let leave: (() => void) | undefined;
  let reading: Reading | undefined;
  /** The latest one that the assistant stored. */
  let version = 0;

  const set = (next: Chat) => {
    if (next === chat) return;
    chat = next;
    notify();
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
    if ('version' in event) version = Math.max(version, event.version ?? 0);
    if (event.event === 'run_started') onRun(event.run_id, version);
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
      onGone: () => void readAgain(current),
    });
  };
  /** Repeats a request that may succeed later: until the page knows that the turn has ended, the canvas stays locked. */
  const readAgain = async (id: string) => {
    const before = leave;
    try {
      await load(id);
    } catch (error) {
      // The panel was closed, or reads another turn.
      if (leave !== before) return;
      if (!isTemporary(error)) return onFailure(error);
      const again = setTimeout(() => void readAgain(id), LOOK_MS);
      leave = () => clearTimeout(again);
    }
  };
  const followAgain = () => {
    const running = turnToFollow(chat);
    if (running?.id !== undefined) follow(running.key, running.id);
  };
  const load = async (id: string) => {
    const own: Reading = { missed: reading?.missed ?? [], done: server.readSession(id) };
    reading = own;
    try {
      const turns = await own.done;
      if (reading !== own || chat.sessionId !== id) return;
      set([{ kind: 'opened' as const, sessionId: id, turns }, ...own.missed].reduce(reduceChat, chat));
      followAgain();
    } finally {
      if (reading === own) reading = undefined;
    }
  };
  const whenRead = async () => {
    while (reading) await reading.done.catch(() => {});
  };
  return {
    get: () => chat,
    subscribe,
    dispatch(action) {
      flush();
      reading?.missed.push(action);
      set(reduceChat(chat, action));
    },
    follow,
    followAgain,
    stopReading,
    show(id) {
      stopReading();
      reading = undefined;
      set(newChat(id));
    },
    load,
    whenRead,
  };
}
