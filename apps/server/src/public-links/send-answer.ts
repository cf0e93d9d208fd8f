import type { ServerResponse } from 'node:http';
import { encodeFrame } from '@croft/event-log';
import type { FlowDocument } from '@croft/flow';
import { EVENT_STREAM_HEADERS, MAX_WAITING_BYTES } from '../event-stream.ts';
import { followAnswer } from '../flow-runs/chat-completion.ts';
import type { LiveRun } from '../flow-runs/live-runs.ts';
import { onClosed } from '../on-closed.ts';

/** Visitors do not learn why: reasons name parts of the flow and of its owner's set-up. */
export const NO_ANSWER = 'The flow could not answer. Try again, or tell the person who gave you this link.';

/**
 * Writes the answer of a run as server-sent events: `text` with its parts, then `done` with the whole answer, or `failed`.
 * Cancels the run when the visitor leaves.
 */
export async function sendAnswer(run: LiveRun, flow: FlowDocument, response: ServerResponse): Promise<void> {
  response.writeHead(200, EVENT_STREAM_HEADERS);
  const write = (event: 'text' | 'done' | 'failed', text: string) => {
    if (response.writableLength > MAX_WAITING_BYTES) response.destroy();
    if (!response.closed && !response.writableEnded)
      response.write(encodeFrame({ event, data: JSON.stringify({ text }) }));
  };
  const leave = followAnswer(run, flow, (text) => write('text', text));
  const forget = onClosed(response, run.cancel);
  try {
    const { status, answer } = await run.outcome;
    if (status === 'completed') write('done', answer);
    else write('failed', NO_ANSWER);
  } catch {
    write('failed', NO_ANSWER);
  } finally {
    leave();
    forget();
    response.end();
  }
}
