import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { encodeFrame, type LoggedEvent } from '@croft/event-log';
import type { Runs } from '@croft/runs';
import { EVENT_STREAM_HEADERS, KEEP_ALIVE_MS } from '../event-stream.ts';
import { onClosed } from '../on-closed.ts';

/** A run whose events a client follows. */
export interface FollowRequest {
  readonly id: string;
  readonly userId: string;
  readonly lastEventId: string | undefined;
  /** Ends the stream. The client resumes by id. */
  readonly stopping: AbortSignal;
}

/**
 * Writes the stored events of a queued run as server-sent events and follows it to its end, as `followRun` does for direct
 * runs. Ids stay valid after a restart. An id that is not of this run gives `reset`, and then all events.
 */
export async function followQueuedRun(
  runs: Pick<Runs, 'events' | 'get'>,
  response: ServerResponse,
  { id, userId, lastEventId, stopping }: FollowRequest,
): Promise<void> {
  response.writeHead(200, { ...EVENT_STREAM_HEADERS, 'Croft-Run-Id': id });
  const left = new AbortController();
  const leave = () => left.abort();
  onClosed(response, leave);
  stopping.addEventListener('abort', leave, { once: true });
  const timer = setInterval(() => response.write(encodeFrame({ comment: '' })), KEEP_ALIVE_MS).unref();
  const write = async (text: string) => {
    if (!response.write(text) && !left.signal.aborted)
      await once(response, 'drain', { signal: left.signal }).catch(() => undefined);
  };
  let hasEnd = false;
  const begin = { id: `${id}.0`, data: JSON.stringify({ id }) };
  const follow = async (after?: string) => {
    const events = runs.events(id, userId, { signal: left.signal, ...(after !== undefined && { after }) });
    for (;;) {
      const { done, value } = await events.next();
      if (done === true) return value;
      const frames = value.map(frameOf);
      hasEnd ||= frames.at(-1)?.event === 'run_finished';
      await write(frames.map(encodeFrame).join(''));
    }
  };
  try {
    if (stopping.aborted) return;
    if (lastEventId === undefined) await write(encodeFrame({ ...begin, event: 'run', retry: 2_000 }));
    let end = await follow(lastEventId);
    if (end === 'gone') {
      await write(encodeFrame({ ...begin, event: 'reset' }));
      end = await follow();
    }
    // A run that no worker had when it was cancelled stores no end.
    if (end === 'over' && !hasEnd) {
      const { status, failure } = await runs.get(id, userId);
      const text = failure?.message ?? 'The run was cancelled.';
      await write(encodeFrame({ event: 'run_finished', data: JSON.stringify({ kind: 'run_finished', status, text }) }));
    }
  } finally {
    clearInterval(timer);
    stopping.removeEventListener('abort', leave);
    response.end();
  }
}

/** Stored events have no name: it is in their data. */
function frameOf({ id, data }: LoggedEvent) {
  return { id, event: (JSON.parse(data) as { kind: string }).kind, data };
}
