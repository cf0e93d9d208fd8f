import { openSse } from '../../framing/sse.ts';
import { askedModel } from '../asked-model.ts';
import { bodyWithUsage } from '../usage.ts';
import type { Wire } from '../wire.ts';
import { readAnthropicBody, rewriteAnthropicBody } from './body.ts';
import { errorPayload } from './made.ts';
import { AnthropicReader } from './reader.ts';
import { retryAnthropicRequest } from './retry.ts';

/** OpenAI's Assistants API also has messages; they are not replies of a model. */
const OTHER_MESSAGES = /\/threads\/[^/]+\/messages$/;
const MESSAGES = /(^|\/)messages$/;
const VERTEX = /\/publishers\/anthropic\/models\/[^/]+:(?:stream)?rawpredict$/;

const ERROR_TYPES = new Map([
  [400, 'invalid_request_error'],
  [401, 'authentication_error'],
  [403, 'permission_error'],
  [404, 'not_found_error'],
  [413, 'request_too_large'],
  [429, 'rate_limit_error'],
  [503, 'overloaded_error'],
  [529, 'overloaded_error'],
]);

/**
 * Anthropic Messages: `POST …/v1/messages`, and the same on Vertex (`:rawPredict`, `:streamRawPredict`). Source: the
 * types of `@anthropic-ai/sdk` 1.12 (Message, RawMessageStreamEvent, and their beta forms), and how its helpers, its
 * tool runner and the AI SDK 6 use them.
 *
 * A call is a `tool_use` block with any `caller`, of the client's own tools or of the built-in ones (bash, text editor,
 * memory, computer), and any block of an unknown type that has a name and an input.
 *
 * Does not stop `server_tool_use` and `mcp_tool_use` (web search, code execution, MCP connector), which have run
 * upstream before the reply arrives. Does not read `count_tokens` (not a model's reply), `batches` (the proxy refuses
 * it), or Bedrock's binary event stream (refused).
 */
export const anthropic: Wire = {
  name: 'anthropic',
  matches: (method, path) =>
    method === 'POST' && ((MESSAGES.test(path) && !OTHER_MESSAGES.test(path)) || VERTEX.test(path)),
  model(request, url) {
    return askedModel(request) ?? modelInUrl(url);
  },
  open(contentType) {
    if (contentType === 'text/event-stream') return openSse();
    return contentType === 'application/json' ? 'body' : undefined;
  },
  reader: () => new AnthropicReader(),
  readBody: readAnthropicBody,
  rewriteBody: rewriteAnthropicBody,
  withUsage: (body, earlier) => bodyWithUsage(body, earlier, [['usage']]),
  retryRequest: retryAnthropicRequest,
  errorBody: (status, message) => JSON.stringify(errorPayload(ERROR_TYPES.get(status) ?? 'api_error', message)),
};

/** Finds the model without parsing the whole request, which can be megabytes of history. */
function modelInUrl(url: string): string | undefined {
  const found = /\/models\/([^/:?#]+):(?:stream)?rawpredict/i.exec(url)?.[1];
  if (found === undefined) return undefined;
  try {
    return decodeURIComponent(found);
  } catch {
    return found;
  }
}
