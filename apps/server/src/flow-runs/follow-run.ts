import type { ServerResponse } from 'node:http';
import { encodeFrame, type LoggedEvent } from '@croft/event-log';
import { EVENT_STREAM_HEADERS, KEEP_ALIVE_MS, MAX_WAITING_BYTES } from '../event-stream.ts';
import { onClosed } from '../on-closed.ts';
import type { LiveRun } from './live-runs.ts';

/**
 * Writes the events of a run as server-sent events, from the beginning or after an id, and ends after the last one. The
 * first event, `run`, has the id of the run. Where events before the id are gone, `reset` comes instead of them.
 */
export function followRun(run: LiveRun, response: ServerResponse, lastEventId: string | undefined): void {
  response.writeHead(200, { ...EVENT_STREAM_HEADERS, 'Croft-Run-Id': run.id });
  const send = (event: LoggedEvent): boolean => {
    if (response.writableLength > MAX_WAITING_BYTES) return false;
    response.write(encodeFrame(event));
    if (event.event === 'run_finished') finish();
    return true;
  };
  let timer: NodeJS.Timeout | undefined;
  let leave: () => void = () => undefined;
  const finish = () => {
    clearInterval(timer);
    leave();
    if (!response.writableEnded) response.end();
  };
  const data = JSON.stringify({ id: run.id });
  if (lastEventId === undefined)
    response.write(encodeFrame({ id: run.firstEventId, event: 'run', data, retry: 2_000 }));
  const missed = run.log.after(lastEventId ?? run.firstEventId);
  if (missed === 'gone') response.write(encodeFrame({ id: run.log.lastId, event: 'reset', data }));
  for (const event of missed === 'gone' ? [] : missed) response.write(encodeFrame(event));
  if (run.isOver()) return finish();
  // The run may have stored its last event already, and be about to settle.
  if (missed !== 'gone' && missed.at(-1)?.event === 'run_finished') return finish();
  leave = run.log.follow({ take: send, end: (reason) => (reason === 'slow' ? response.destroy() : finish()) });
  timer = setInterval(() => response.write(encodeFrame({ comment: '' })), KEEP_ALIVE_MS).unref();
  onClosed(response, finish);
}
