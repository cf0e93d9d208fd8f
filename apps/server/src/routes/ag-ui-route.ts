import { once } from 'node:events';
import { encodeFrame } from '@croft/event-log';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { type AgUiOptions, runAgUi } from '../assistant/run-ag-ui.ts';
import { agUiRoutes } from '../contract/ag-ui-routes.ts';
import { EVENT_STREAM_HEADERS, KEEP_ALIVE_MS } from '../event-stream.ts';
import { onClosed } from '../on-closed.ts';
import { type Route, route } from './route.ts';
import { createStreamLimit } from './stream-limit.ts';

/** The assistant of a flow for clients of AG-UI. */
export function makeAgUiRoute(options: AgUiOptions): Route {
  const followers = createStreamLimit();
  return route(agUiRoutes.runAgUi, async ({ caller, params, body, outgoing }) => {
    const { threadId, runId, messages, resume, forwardedProps } = body;
    followers.open(caller.userId, outgoing);
    outgoing.writeHead(200, EVENT_STREAM_HEADERS);
    const left = new AbortController();
    onClosed(outgoing, () => left.abort());
    const timer = setInterval(() => outgoing.write(encodeFrame({ comment: '' })), KEEP_ALIVE_MS).unref();
    const message = textOf(messages.findLast(({ role }) => role === 'user')?.content);
    const model = { provider: forwardedProps?.provider, modelName: forwardedProps?.model_name };
    const input = { flowId: params.id, threadId, runId, message, resume, ...model, left: left.signal };
    for await (const event of runAgUi(options, caller, input)) {
      const isTaken = outgoing.write(encodeFrame({ data: JSON.stringify(event) }));
      if (!isTaken && !left.signal.aborted)
        await once(outgoing, 'drain', { signal: left.signal }).catch(() => undefined);
    }
    clearInterval(timer);
    outgoing.end();
    return RESPONSE_ALREADY_SENT;
  });
}

/** The text of a message: a text, or the texts of its parts. */
function textOf(content: unknown): string | undefined {
  const parts = Array.isArray(content) ? (content as readonly unknown[]) : [content];
  const texts = parts.map((part) => {
    const text = typeof part === 'object' && part !== null ? (part as { text?: unknown }).text : part;
    return typeof text === 'string' ? text : '';
  });
  return texts.join('\n').trim() || undefined;
}
