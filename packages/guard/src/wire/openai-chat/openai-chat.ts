import { openSse } from '../../framing/sse.ts';
import { askedModel } from '../asked-model.ts';
import { bodyWithUsage } from '../usage.ts';
import type { Wire } from '../wire.ts';
import { readChatBody, rewriteChatBody } from './body.ts';
import { ChatReader } from './reader.ts';
import { retryChatRequest } from './retry.ts';

/**
 * OpenAI Chat Completions and compatible providers: `POST …/chat/completions`. Source: the public OpenAPI schema
 * (CreateChatCompletionResponse, CreateChatCompletionStreamResponse), and how `openai` 6.49 and the AI SDK 6 use it.
 *
 * Not read: calls that a model writes as text (XML in `content`).
 */
export const openaiChat: Wire = {
  name: 'openai-chat',
  matches: (method, path) => method === 'POST' && path.endsWith('/chat/completions'),
  model: askedModel,
  open(contentType) {
    if (contentType === 'text/event-stream') return openSse();
    return contentType === 'application/json' ? 'body' : undefined;
  },
  reader: () => new ChatReader(),
  readBody: readChatBody,
  rewriteBody: rewriteChatBody,
  withUsage: (body, earlier) => bodyWithUsage(body, earlier, [['usage']]),
  retryRequest: retryChatRequest,
  errorBody: (status, message) =>
    JSON.stringify({ error: { message, type: 'croft_guard', param: null, code: `croft_guard_${status}` } }),
};
