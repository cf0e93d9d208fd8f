import { EDIT_CONTINUATION_INPUT, PLAN_APPROVAL_INPUT } from '@croft/assistant/events';
import { ApiError } from '../api/request.ts';
import { createListeners } from '../listeners.ts';
import type { AssistantServer, RewindOf } from './assistant-server.ts';
import { type Chat, type ChatAction, revertibleTurn, turnOf, turnUnderWay } from './chat.ts';
import { commandOf } from './commands.ts';
import { type Conversation, createConversation } from './conversation.ts';
import type { Kept } from './kept.ts';

/** The state of the panel. */
export interface AssistantState {
  readonly chat: Chat;
  readonly skipAll: boolean;
  /** `provider/model`; empty for the preferred one. */
  readonly model: string;
  /** Why the conversation cannot be read. */
  readonly failure?: unknown;
}

export interface AssistantOptions {
  readonly server: AssistantServer;
  readonly kept: Kept;
  readonly flowId: string;
  /** Resolves when the server has the page's edits; with false where the user has to decide first. */
  readonly whenSaved: () => Promise<boolean>;
  /** The version of the flow that the page has. */
  readonly versionNow: () => number;
  /** A run of the flow began. */
  readonly onRun: (runId: string, version: number) => void;
  /** The user's components changed. */
  readonly onComponents: () => void;
  /** A request of the user failed. */
  readonly onError: (error: unknown, what: string) => void;
  readonly newId?: () => string;
}

/** One flow's conversation with the assistant, outside of React. Start reading here. */
export interface AssistantStore extends TurnActions {
  readonly get: () => AssistantState;
  readonly subscribe: (listener: () => void) => () => void;
  /** Shows the conversation that the page showed last, and follows its turn. Returns what ends the reading. */
  open(): () => void;
  /** Sends a message, or carries out the command that it is. */
  send(text: string): Promise<void>;
  /** Changes only what the panel shows. */
  show(action: Extract<ChatAction, { kind: 'refining' | 'reopened' }>): void;
  newSession(): Promise<void>;
  loadSession(id: string): Promise<void>;
  setModel(model: string): void;
}

/** Requests about the turns of a conversation. */
export interface TurnActions {
  stop(): Promise<void>;
  /** Answers a question of a turn. */
  answer(key: string, id: string, choice: string): Promise<void>;
  /** Decides about a proposal. Goes on with the message where a step waited for that. */
  decide(key: string, id: string, choice: string): Promise<void>;
  /** Notes that an edit of the user carried out a proposal that was decided before. */
  landed(key: string, id: string): Promise<void>;
  approvePlan(key: string): Promise<void>;
  revert(key: string): Promise<void>;
  /** Takes a revert back. */
  restore(key: string, version: number): Promise<void>;
  /** Goes back to before a message. @returns the message, to change it; undefined where that failed */
  rewind(key: string, what: RewindOf): Promise<string | undefined>;
}

const NOT_SAVED = 'Your latest changes of the flow are not saved. Save or discard them, then send it again.';
const NOTHING_TO_REVERT = 'No message of this conversation has a change to revert.';
const SKIP_ALL_ON =
  'Skip-all mode enabled. Plans and built flows are used without asking. Send /skip-all again to turn it off.';
const SKIP_ALL_OFF = 'Skip-all mode disabled. You decide about plans and built flows again.';

export function createAssistantStore(options: AssistantOptions): AssistantStore {
  const { server, kept, flowId, whenSaved, onRun, onComponents, newId = randomId } = options;
  const { subscribe, notify } = createListeners();
  const fail = (failure: unknown) => set({ failure });
  const conversation = createConversation({
    server,
    sessionId: kept.readSession(flowId) ?? `agentic_${newId()}`,
    onRun,
    onComponent: onComponents,
    onFailure: fail,
  });
  const { dispatch, get: chatNow } = conversation;
  let state: AssistantState = { chat: chatNow(), skipAll: kept.readSkipAll(), model: kept.readModel() };
  const set = (changed: Partial<AssistantState>) => {
    state = { ...state, ...changed };
    notify();
  };
  conversation.subscribe(() => set({ chat: chatNow() }));
  const note = (text: string) => dispatch({ kind: 'noted', key: newId(), text });

  async function post(message: string, continues = false) {
    const key = newId();
    const { sessionId } = chatNow();
    kept.writeSession(flowId, sessionId);
    const isWanted = () => turnOf(chatNow(), key)?.status === 'sending';
    // Shown at once; the version is known when the edits of the page are saved.
    dispatch({ kind: 'sent', key, message, continues });
    try {
      // The response would replace the message, which it does not contain.
      await conversation.whenRead();
      if (!isWanted()) return;
      if (!(await whenSaved())) return dispatch({ kind: 'refused', key, message: `Not sent. ${NOT_SAVED}` });
      dispatch({ kind: 'saved', key, version: options.versionNow() });
      const body = { input_value: message, session_id: sessionId, skip_all: state.skipAll, ...modelOf(state.model) };
      if (!isWanted()) return;
      const turnId = await server.start(body);
      if (!isWanted()) return void (await server.cancel(turnId));
      dispatch({ kind: 'named', key, id: turnId });
      conversation.follow(key, turnId);
    } catch (error) {
      dispatch({ kind: 'refused', key, message: error instanceof Error ? error.message : `${error as string}` });
    }
  }
  async function newSession() {
    const id = `agentic_${newId()}`;
    const { sessionId: ended } = chatNow();
    kept.writeSession(flowId, id);
    conversation.show(id);
    set({ failure: undefined });
    // The conversation begins with its first message; only what the server removes with the old one waits for this.
    await server.resetSession(id, ended).catch(() => undefined);
    onComponents();
  }
  const actions = createTurnActions(conversation, options, post);
  return {
    ...actions,
    get: () => state,
    subscribe,
    open() {
      const { sessionId, entries } = chatNow();
      const isKept = kept.readSession(flowId) === sessionId;
      if (isKept && entries.length === 0) void conversation.load(sessionId).catch(fail);
      else conversation.followAgain();
      return conversation.stopReading;
    },
    async send(text) {
      kept.pushHistory(text);
      switch (commandOf(text)?.name) {
        case 'skip-all':
          kept.writeSkipAll(!state.skipAll);
          set({ skipAll: !state.skipAll });
          return note(state.skipAll ? SKIP_ALL_ON : SKIP_ALL_OFF);
        case 'new':
          return newSession();
        case 'undo': {
          const turn = revertibleTurn(chatNow());
          return turn ? actions.revert(turn.key) : note(NOTHING_TO_REVERT);
        }
        default:
          if (turnUnderWay(chatNow()) === undefined) await post(text.trim());
      }
    },
    show: dispatch,
    newSession,
    async loadSession(id) {
      kept.writeSession(flowId, id);
      conversation.show(id);
      set({ failure: undefined });
      await conversation.load(id).catch(fail);
    },
    setModel(model) {
      kept.writeModel(model);
      set({ model });
    },
  };
}

function createTurnActions(
  { get: chatNow, dispatch, stopReading }: Conversation,
  { server, whenSaved, onError }: AssistantOptions,
  post: (message: string, continues: boolean) => Promise<void>,
): TurnActions {
  /** Runs a request about a turn that the server knows. */
  const request = async (key: string, what: string, run: (id: string) => Promise<unknown>) => {
    const id = turnOf(chatNow(), key)?.id;
    if (id !== undefined) await run(id).catch((error: unknown) => onError(error, what));
  };
  return {
    async stop() {
      const turn = turnUnderWay(chatNow());
      if (turn?.id === undefined && turn?.status === 'sending')
        dispatch({ kind: 'refused', key: turn.key, message: 'Not sent: you stopped it.' });
      else if (turn) await request(turn.key, 'The assistant was not stopped.', server.cancel);
    },
    answer: (key, id, choice) =>
      request(key, 'The answer was not sent.', (turnId) => server.answer(turnId, id, choice)),
    decide: (key, id, choice) =>
      request(key, 'Nothing was changed.', async (turnId) => {
        if (choice !== 'dismiss' && !(await whenSaved())) throw new Error(NOT_SAVED);
        const { version, continuation_expected } = await server.answer(turnId, id, choice);
        dispatch({ kind: 'decided', key, id, choice, version });
        if (continuation_expected) await post(EDIT_CONTINUATION_INPUT, true);
      }),
    async landed(key, id) {
      const { flow, fields = [] } = turnOf(chatNow(), key) ?? {};
      const isDismissed = [flow, ...fields].some((each) => each?.id === id && each.status === 'dismissed');
      dispatch({ kind: 'landed', key, id });
      // A proposal that the server carried out before is on the canvas there too.
      if (!isDismissed) return;
      await request(key, 'The conversation was not changed.', async (turnId) => {
        if (await whenSaved()) await server.answer(turnId, id, 'landed');
      });
    },
    async approvePlan(key) {
      if (turnOf(chatNow(), key)?.plan && turnUnderWay(chatNow()) === undefined) await post(PLAN_APPROVAL_INPUT, true);
    },
    revert: (key) =>
      request(key, 'The changes were not reverted.', async (id) => {
        try {
          await server.revert(id);
          dispatch({ kind: 'reverted', key });
        } catch (error) {
          // The user undid the turn on the canvas, for example with Ctrl+Z.
          if (!(error instanceof ApiError) || error.code !== 'not_undoable') throw error;
          dispatch({ kind: 'undone', key });
        }
      }),
    restore: (key, version) =>
      request(key, 'The changes were not brought back.', async () => {
        await server.redo(version);
        dispatch({ kind: 'restored', key });
      }),
    async rewind(key, what) {
      let message: string | undefined;
      await request(key, 'The conversation was not rewound.', async (id) => {
        ({ message } = await server.rewind(id, what));
        stopReading();
        dispatch(what === 'canvas' ? { kind: 'rewound', key } : { kind: 'removed', key });
      });
      return message;
    },
  };
}

function modelOf(model: string): { provider?: string; model_name?: string } {
  const at = model.indexOf('/');
  return at === -1 ? {} : { provider: model.slice(0, at), model_name: model.slice(at + 1) };
}

/** Not secret; `crypto.randomUUID` is missing on pages without TLS. */
const randomId = () => `${Date.now().toString(36)}${Math.random().toString(36).slice(2, 10)}`;
