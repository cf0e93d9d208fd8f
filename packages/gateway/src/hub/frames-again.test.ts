import { createEventLog, type EventLog } from '@croft/event-log';
import { beforeEach, describe, expect, it } from 'vitest';
import { framesAgain } from './frames-again.ts';
import type { SentCall } from './pending-calls.ts';

let log: EventLog;
beforeEach(() => {
  log = createEventLog({ maxEvents: 3, maxBytes: 10_000 });
});

/** A call with its request in the log. */
function call(name: string, more: { isRepeatable?: boolean; isWritten?: boolean } = {}): SentCall {
  const { isRepeatable = false, isWritten = true } = more;
  const { id } = log.append({ data: `{"call":"${name}"}` });
  return { requestId: name, call: { request: {}, isRepeatable }, deadlineAt: 0, eventId: id, isWritten };
}
const again = (sent: readonly SentCall[], since: string | undefined, dedupes: boolean) =>
  framesAgain({ log, sent, since, dedupes, write: ({ requestId }) => requestId }).map(({ data }) => data);

describe('the calls at the start of a new stream', () => {
  const rows = (sent: () => readonly SentCall[]) => {
    const start = log.lastId;
    const all = sent();
    return { all, start, end: log.lastId };
  };

  it('are those that were never written, whatever the client is', () => {
    const { all, end } = rows(() => [
      call('read', { isRepeatable: true, isWritten: false }),
      call('write', { isWritten: false }),
    ]);
    expect(again(all, end, false)).toEqual(['read', 'write']);
    expect(all.map(({ isWritten }) => isWritten)).toEqual([true, true]);
    expect(again(all, end, false)).toEqual([]);
  });

  it.each([
    // [the client recognises ids, it saw the call, what is sent again]
    [true, false, ['read', 'write']],
    [true, true, ['read']],
    [false, false, ['read']],
    [false, true, []],
  ])('that were written, where dedupes is %s and the client saw them: %s', (dedupes, saw, expected) => {
    const { all, start, end } = rows(() => [call('read', { isRepeatable: true }), call('write')]);
    expect(again(all, saw ? end : start, dedupes)).toEqual(expected);
  });

  it('count as seen without a last id, or with one that the log does not have', () => {
    const { all, start } = rows(() => [call('read', { isRepeatable: true }), call('write')]);
    log.append({ data: 'x' });
    log.append({ data: 'y' });
    for (const since of [undefined, 'other.1', 'other.0', start.split('.')[0], ''])
      expect(again(all, since, true), since).toEqual(['read']);
  });

  it('are those after the last id also where the log keeps none of them', () => {
    const beginning = log.lastId;
    const seen = call('seen');
    const { all, start, end } = rows(() => [call('large'), call('larger')]);
    for (const text of ['x', 'y', 'z']) log.append({ data: text });
    expect(log.after(start)).toBe('gone');
    expect(again([seen, ...all], beginning, true)).toEqual(['seen', 'large', 'larger']);
    expect(again([seen, ...all], start, true)).toEqual(['large', 'larger']);
    expect(again([seen, ...all], all[0]?.eventId, true)).toEqual(['larger']);
    expect(again([seen, ...all], end, true)).toEqual([]);
    // A client that does not recognise ids may run a call twice.
    expect(again([seen, ...all], start, false)).toEqual([]);
  });

  it('come in their first order, with cancellations that the client missed and no other event', () => {
    const start = log.lastId;
    const second = call('second', { isRepeatable: true });
    log.append({ data: '{"type":"filesystem-cancel","id":1}' });
    const third = call('third', { isRepeatable: true });
    expect(again([third, second], start, true)).toEqual(['second', '{"type":"filesystem-cancel","id":1}', 'third']);
    expect(again([third, second], undefined, true)).toEqual(['second', 'third']);
  });
});
