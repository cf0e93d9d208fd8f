import type { ApiResponse } from '@croft/server/contract';
import { infiniteQueryOptions } from '@tanstack/react-query';
import { api } from './api.ts';

type SessionPage = ApiResponse<'GET /api/v1/flows/{id}/sessions'>;
type MessagePage = ApiResponse<'GET /api/v1/flows/{id}/sessions/{session}/messages'>;

/** A conversation of the user with a flow. */
export type ChatSession = SessionPage['sessions'][number];

/** A stored message of a conversation. */
export type ChatMessage = MessagePage['messages'][number];

const PAGE_SIZE = '50';

/** The user's conversations with a flow in pages, the latest message first. */
export const sessionsQuery = (flowId: string) =>
  infiniteQueryOptions({
    queryKey: ['chats', flowId, 'sessions'],
    queryFn: ({ pageParam, signal }) =>
      api('GET /api/v1/flows/{id}/sessions', {
        params: { id: flowId },
        query: { limit: PAGE_SIZE, ...(pageParam && { cursor: pageParam }) },
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }: SessionPage) => nextCursor,
  });

/** The messages of a conversation in pages, newest first. */
export const messagesQuery = (flowId: string, session: string) =>
  infiniteQueryOptions({
    queryKey: ['chats', flowId, 'messages', session],
    queryFn: ({ pageParam, signal }) =>
      api('GET /api/v1/flows/{id}/sessions/{session}/messages', {
        params: { id: flowId, session },
        query: { limit: PAGE_SIZE, ...(pageParam && { cursor: pageParam }) },
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }: MessagePage) => nextCursor,
  });
