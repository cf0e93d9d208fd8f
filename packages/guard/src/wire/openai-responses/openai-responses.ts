import { openSse } from '../../framing/sse.ts';
import { askedModel } from '../asked-model.ts';
import { bodyWithUsage } from '../usage.ts';
import type { Wire } from '../wire.ts';
import { ResponsesReader } from './reader.ts';
import { restoreRequest } from './restore.ts';
import { retryRequest } from './retry.ts';
import { readBody, rewriteBody } from './turn.ts';

/** Requesting a response, fetching one made in the background, cancelling one, and compacting a long one. */
const PATHS = {
  POST: /\/responses(?:\/compact|\/[^/]+\/cancel)?$/,
  GET: /\/responses\/[^/]+$/,
};

/**
 * OpenAI's Responses API (`POST /v1/responses`, streamed or not), and its other replies that are responses: a fetched,
 * cancelled or compacted one. Judges the items that a client runs: `function_call`, `custom_tool_call`,
 * `local_shell_call`, `shell_call`, `apply_patch_call`, and any item of an unknown type that looks like a call. Does
 * not judge what ran upstream (`mcp_call`, `code_interpreter_call`, searches, images), a computer's screen
 * (`computer_call`), or the request to approve an upstream call (`mcp_approval_request`).
 */
export const openaiResponses: Wire = {
  name: 'openai-responses',
  matches(method, path) {
    return (method === 'POST' || method === 'GET') && PATHS[method].test(path);
  },
  model: askedModel,
  open(contentType) {
    if (contentType === 'text/event-stream') return openSse();
    return /^(?:application|text)\/(?:[\w.-]+\+)?json$/.test(contentType) ? 'body' : undefined;
  },
  reader: () => new ResponsesReader(),
  readBody,
  rewriteBody,
  withUsage: (body, earlier) => bodyWithUsage(body, earlier, [['usage']]),
  retryRequest,
  restore: (request) => restoreRequest(request),
  errorBody(status, message) {
    return JSON.stringify({ error: { message, type: 'croft_guard', param: null, code: `croft_guard_${status}` } });
  },
};
