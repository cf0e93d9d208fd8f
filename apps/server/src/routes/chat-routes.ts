import type { SessionKey } from '../chats/add-message.ts';
import {
  type ChatMessage,
  type ChatSession,
  deleteMessages,
  deleteSession,
  listMessages,
  listSessions,
  renameSession,
} from '../chats/sessions.ts';
import { chatRoutes } from '../contract/chat-routes.ts';
import { canReadFlow, noFlow } from '../flows/get-flow.ts';
import type { Caller } from '../identity.ts';
import type { Db } from '../store/database.ts';
import { type Route, route } from './route.ts';

export interface ChatRouteOptions {
  readonly storage: () => Promise<Db>;
}

/** Sessions and messages of the caller. They are there while the caller can read the flow. */
export function makeChatRoutes({ storage }: ChatRouteOptions): Route[] {
  const open = async ({ userId }: Caller, { id, session = '' }: { readonly id: string; readonly session?: string }) => {
    const db = await storage();
    if (!(await canReadFlow(db, userId, id))) throw noFlow();
    const key: SessionKey = { userId, flowId: id, sessionId: session };
    return { db, key };
  };
  return [
    route(chatRoutes.listSessions, async ({ caller, params, query }) => {
      const { db, key } = await open(caller, params);
      const { sessions, nextCursor } = await listSessions(db, key, query);
      return { sessions: sessions.map(shownSession), nextCursor };
    }),
    route(chatRoutes.renameSession, async ({ caller, params, body }) => {
      const { db, key } = await open(caller, params);
      return { session: shownSession(await renameSession(db, key, body.name)) };
    }),
    route(chatRoutes.deleteSession, async ({ caller, params }) => {
      const { db, key } = await open(caller, params);
      await deleteSession(db, key);
      return { id: params.session };
    }),
    route(chatRoutes.listMessages, async ({ caller, params, query }) => {
      const { db, key } = await open(caller, params);
      const { messages, nextCursor } = await listMessages(db, key, query);
      return { messages: messages.map(shownMessage), nextCursor };
    }),
    route(chatRoutes.deleteMessages, async ({ caller, params }) => {
      const { db, key } = await open(caller, params);
      return { deleted: await deleteMessages(db, key) };
    }),
    route(chatRoutes.deleteMessage, async ({ caller, params }) => {
      const { db, key } = await open(caller, params);
      await deleteMessages(db, key, params.message);
      return { id: params.message };
    }),
  ];
}

function shownSession({ id, name, messages, createdAt, updatedAt }: ChatSession) {
  return { id, name, messages, createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString() };
}

function shownMessage({ id, runId, sender, senderName, text, isCut, tokens, createdAt }: ChatMessage) {
  return {
    id,
    runId,
    sender,
    senderName,
    text,
    isCut,
    tokens: tokens && { input: tokens.input, output: tokens.output },
    createdAt: createdAt.toISOString(),
  };
}
