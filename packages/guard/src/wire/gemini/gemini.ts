import { openSse } from '../../framing/sse.ts';
import { askedModel } from '../asked-model.ts';
import { bodyWithUsage } from '../usage.ts';
import type { Wire } from '../wire.ts';
import { readGeminiBody, rewriteGeminiBody } from './body.ts';
import { openJsonArray } from './json-array.ts';
import { GeminiReader } from './reader.ts';
import { retryGeminiRequest } from './retry.ts';

/** Code Assist wraps the reply. */
const USAGE = [['usageMetadata'], ['usage_metadata'], ['response', 'usageMetadata'], ['response', 'usage_metadata']];

/**
 * Gemini's `generateContent` and `streamGenerateContent`, as SSE (`alt=sse`) and as a JSON array: the Gemini API
 * (`/v1`, `/v1beta`), Vertex AI's longer paths, and Code Assist's (`/v1internal:…`), which wraps request and reply.
 * Source: the public schema (GenerateContentResponse, FunctionCall, PartialArg), and how `@google/genai` 2.32 and
 * `@ai-sdk/google` 3.0.141 use it.
 *
 * Not read, and refused by the proxy: the Live API (a websocket), the Interactions API (`/interactions`), batches. Not
 * judged, because they run upstream and no client runs them: `executableCode`, and `toolCall` of server-side tools.
 */
export const gemini: Wire = {
  name: 'gemini',
  matches: (method, path) => method === 'POST' && /:(?:stream)?generatecontent$/.test(path),
  model(request, url) {
    const named = /\/([^/:?#]+):(?:stream)?generatecontent$/i.exec(pathOf(url))?.[1];
    if (named !== undefined && !/^v\d+internal$/i.test(named)) return named;
    return askedModel(request);
  },
  open(contentType, url) {
    if (contentType === 'text/event-stream') return openSse();
    if (contentType !== 'application/json') return undefined;
    return /:streamgeneratecontent$/i.test(pathOf(url)) ? openJsonArray() : 'body';
  },
  reader: () => new GeminiReader(),
  readBody: readGeminiBody,
  rewriteBody: rewriteGeminiBody,
  withUsage: (body, earlier) => bodyWithUsage(body, earlier, USAGE),
  retryRequest: retryGeminiRequest,
  errorBody: (status, message) =>
    JSON.stringify({
      error: {
        code: status,
        message,
        status: STATUS_NAMES[status] ?? (status < 500 ? 'INVALID_ARGUMENT' : 'INTERNAL'),
      },
    }),
};

const STATUS_NAMES: Readonly<Record<number, string>> = {
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  409: 'ABORTED',
  429: 'RESOURCE_EXHAUSTED',
  499: 'CANCELLED',
  501: 'UNIMPLEMENTED',
  502: 'UNAVAILABLE',
  503: 'UNAVAILABLE',
  504: 'DEADLINE_EXCEEDED',
};

/** The path of a URL as the client wrote it, decoded as a server would. */
function pathOf(url: string): string {
  const path = (url.split(/[?#]/, 1)[0] ?? '').replace(/\/+$/, '');
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
