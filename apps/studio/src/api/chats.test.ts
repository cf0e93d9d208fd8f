import { expect, it } from 'vitest';
import { useFakeApi } from '../testing/fake-api.ts';
import { testClient } from '../testing/queries.ts';
import { messagesQuery, sessionsQuery } from './chats.ts';

const server = useFakeApi();

it.each([
  ['conversations', sessionsQuery('f'), '/api/v1/flows/f/sessions', { sessions: [] }],
  ['messages', messagesQuery('f', 's 1'), '/api/v1/flows/f/sessions/s%201/messages', { messages: [] }],
])('reads the %s page by page, to the last one', async (_, query, path, page) => {
  server.answer(`GET ${path}?limit=50`, { ...page, nextCursor: 'c2' });
  server.answer(`GET ${path}?limit=50&cursor=c2`, { ...page, nextCursor: null });
  const { pages } = await testClient().fetchInfiniteQuery({ ...(query as ReturnType<typeof sessionsQuery>), pages: 3 });
  expect(pages.map(({ nextCursor }) => nextCursor)).toEqual(['c2', null]);
  expect(server.requests).toEqual([`GET ${path}?limit=50`, `GET ${path}?limit=50&cursor=c2`]);
});

it('keeps conversations and flows apart', () => {
  expect(sessionsQuery('f').queryKey).toEqual(['chats', 'f', 'sessions']);
  expect(messagesQuery('f', 's').queryKey).toEqual(['chats', 'f', 'messages', 's']);
});
