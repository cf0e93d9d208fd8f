import type { ServerResponse } from 'node:http';
import { encodeFrame, type LoggedEvent } from '@croft/event-log';
import { EVENT_STREAM_HEADERS, KEEP_ALIVE_MS } from '../event-stream.ts';
import { onClosed } from '../on-closed.ts';
import type { LiveTurn } from './live-turns.ts';

/** A reader that stops reading is disconnected at this many buffered bytes; it can resume. */
const MAX_WAITING_BYTES = 8 * 1024 * 1024;
const RESET = JSON.stringify({ event: 'reset' });

/**
 * Writes the events of a turn as server-sent events, from the beginning or after an id, and ends after the last one. A
 * frame has an id and data, and no name; `shown` may change the data. Where events before the id are gone, `reset` comes instead of them.
 */
export function followTurn(
  turn: LiveTurn,
  response: ServerResponse,
  lastEventId: string | undefined,
  shown: (data: string) => string = (data) => data,
): void {
  response.writeHead(200, { ...EVENT_STREAM_HEADERS, 'Croft-Turn-Id': turn.id });
  response.write(encodeFrame({ retry: 2_000 }));
  let timer: NodeJS.Timeout | undefined;
  let leave: () => void = () => undefined;
  const forgetReader = turn.attend();
  const finish = () => {
    clearInterval(timer);
    leave();
    forgetReader();
    if (!response.writableEnded) response.end();
  };
  const send = (event: LoggedEvent): boolean => {
    if (response.writableLength > MAX_WAITING_BYTES) return false;
    response.write(encodeFrame({ ...event, data: shown(event.data) }));
    return true;
  };
  const missed = turn.log.after(lastEventId ?? turn.firstEventId);
  if (missed === 'gone') response.write(encodeFrame({ id: turn.log.lastId, data: RESET }));
  else for (const event of missed) response.write(encodeFrame({ ...event, data: shown(event.data) }));
  if (turn.isOver()) return finish();
  leave = turn.log.follow({ take: send, end: (reason) => (reason === 'slow' ? response.destroy() : finish()) });
  timer = setInterval(() => response.write(encodeFrame({ comment: '' })), KEEP_ALIVE_MS).unref();
  onClosed(response, finish);
  void turn.ended.then(finish);
}
