import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createEventLog, type LoggedEvent } from './event-log.ts';

const data = (events: readonly LoggedEvent[] | 'gone') =>
  events === 'gone' ? 'gone' : events.map((event) => event.data);

describe('an event log', () => {
  it('returns the events after an id, and none after the newest', () => {
    const log = createEventLog({ maxEvents: 10, maxBytes: 1_000 });
    const start = log.lastId;
    const first = log.append({ data: 'a' });
    log.append({ data: 'b', event: 'note' });
    expect(data(log.after(start))).toEqual(['a', 'b']);
    expect(log.after(first.id)).toEqual([{ id: log.lastId, data: 'b', event: 'note' }]);
    expect(log.after(log.lastId)).toEqual([]);
  });

  it('returns gone for an id that was dropped, of another log, of the future, or malformed', () => {
    const log = createEventLog({ maxEvents: 2, maxBytes: 1_000 });
    const other = createEventLog({ maxEvents: 2, maxBytes: 1_000 });
    const start = log.lastId;
    const first = log.append({ data: 'a' });
    for (const text of ['b', 'c']) log.append({ data: text });
    other.append({ data: 'secret' });
    expect(data(log.after(first.id))).toEqual(['b', 'c']);
    const ahead = `${log.lastId.split('.')[0]}.99`;
    for (const id of [
      start,
      other.lastId,
      ahead,
      '',
      'x',
      '.',
      `${log.lastId}x`,
      '3',
      `${log.lastId.split('.')[0]}.-1`,
    ])
      expect([id, log.after(id)]).toEqual([id, 'gone']);
  });

  it('enforces its byte limit, and still sends an event that is larger', () => {
    const log = createEventLog({ maxEvents: 10, maxBytes: 10 });
    const heard: string[] = [];
    log.follow({ take: (event) => heard.push(event.data) > 0, end: () => undefined });
    const start = log.lastId;
    log.append({ data: 'ééé' });
    log.append({ data: 'abcde' });
    expect(log.kept).toEqual({ events: 1, bytes: 5 });
    log.append({ data: 'x'.repeat(11) });
    expect(log.kept).toEqual({ events: 0, bytes: 0 });
    expect(heard).toEqual(['ééé', 'abcde', 'x'.repeat(11)]);
    expect(log.after(start)).toBe('gone');
    expect(log.after(log.lastId)).toEqual([]);
  });

  it('drops a follower that accepts no more, and still sends to the others', () => {
    const log = createEventLog({ maxEvents: 10, maxBytes: 1_000 });
    const heard: string[] = [];
    log.follow({ take: () => false, end: (reason) => heard.push(`slow one: ${reason}`) });
    const leave = log.follow({ take: (event) => heard.push(event.data) > 0, end: (reason) => heard.push(reason) });
    log.append({ data: 'a' });
    log.append({ data: 'b' });
    leave();
    log.append({ data: 'c' });
    log.close('over');
    expect(heard).toEqual(['slow one: slow', 'a', 'b']);
  });

  it('ends its followers when it is closed, and accepts no more events', () => {
    const log = createEventLog({ maxEvents: 10, maxBytes: 1_000 });
    const heard: string[] = [];
    log.follow({ take: () => true, end: (reason) => heard.push(reason) });
    const { id } = log.append({ data: 'a' });
    log.close('server closing');
    expect(log.append({ data: 'b' })).toEqual({ id: log.lastId, data: 'b' });
    const leave = log.follow({ take: () => true, end: (reason) => heard.push(reason) });
    leave();
    expect(heard).toEqual(['server closing', 'closed']);
    expect(log.after(id)).toBe('gone');
    expect(log.kept.events).toBe(0);
  });

  it('never loses or repeats an event for a reader that resumes with its last id', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(3), { maxLength: 60 }), fc.integer({ min: 1, max: 8 }), (steps, maxEvents) => {
        const log = createEventLog({ maxEvents, maxBytes: 1_000 });
        let at = log.lastId;
        let unread: string[] = [];
        for (const [n, step] of steps.entries()) {
          if (step > 0) {
            log.append({ data: String(n) });
            unread.push(String(n));
            continue;
          }
          const events = log.after(at);
          expect(data(events)).toEqual(unread.length > maxEvents ? 'gone' : unread);
          at = log.lastId;
          unread = [];
        }
      }),
    );
  });
});
