import type { Change } from '@croft/workspace';
import { describe, expect, it } from 'vitest';
import { refusalOf } from '@croft/workspace/testing';
import type { ActivityEntry } from './activity-entry.ts';
import { beginRecord, type StartedCall } from './pending-record.ts';

const CREATED: Change = { kind: 'create', path: 'a', bytes: 3 };
const APPENDED: Change = { kind: 'append', path: 'b', bytes: 5 };
const DELETED: Change = { kind: 'delete', path: 'c', bytes: 9 };

/** A log in memory, and the record of one call in it. */
function begin(call: Partial<StartedCall> = {}) {
  const changes: ActivityEntry[] = [];
  const reads: ActivityEntry[] = [];
  const log = { isFull: false };
  const sink = {
    newId: () => 'id-1',
    writeChange(entry: ActivityEntry) {
      if (log.isFull) throw Object.assign(new Error('no space'), { code: 'ENOSPC', errno: -28 });
      changes.push(entry);
    },
    writeRead: (entry: ActivityEntry) => void reads.push(entry),
  };
  const actor = { userId: null, via: 'mcp', client: 'test' } as const;
  const record = beginRecord(sink, { tool: 'write\nfile', actor, started: Date.now(), paths: () => ['a'], ...call });
  return { record, changes, reads, log };
}

describe('the record of a call', () => {
  it('of a read is one line that may be written later', () => {
    const { record, changes, reads } = begin({ pattern: () => 'x*' });
    record.finish({ outcome: 'ok', bytes: 7 });
    expect(changes).toEqual([]);
    const actor = { userId: null, via: 'mcp', client: 'test' };
    expect(reads).toMatchObject([{ id: 'id-1', actor, paths: ['a'], pattern: 'x*', outcome: 'ok', bytes: 7 }]);
    expect(reads[0]).not.toHaveProperty('changes');
    expect(reads[0]?.tool).not.toContain('\n');
  });

  it('has a change before it is made, with the bytes written, and no second line when it ends', () => {
    const { record, changes, reads } = begin();
    record.intend([CREATED, APPENDED, DELETED]);
    expect(changes).toMatchObject([{ outcome: 'ok', bytes: 5, changes: [CREATED, APPENDED, DELETED] }]);
    record.done();
    record.finish({ outcome: 'ok', changes: [CREATED, APPENDED, DELETED], bytes: 5 });
    expect([changes.length, reads.length]).toEqual([1, 0]);
  });

  it('counts the bytes of the last file that has new content', () => {
    const UPDATED: Change = { kind: 'update', path: 'b', bytes: 4 };
    const bytesOf = (...given: readonly Change[]) => {
      const { record, changes } = begin();
      record.intend(given);
      return changes[0]?.bytes;
    };
    expect([bytesOf(CREATED, DELETED), bytesOf(CREATED, UPDATED), bytesOf(APPENDED), bytesOf(DELETED)]).toEqual([
      3,
      4,
      5,
      undefined,
    ]);
    const { record, reads } = begin();
    record.finish({ outcome: 'ok', changes: [] });
    expect(reads[0]).not.toHaveProperty('changes');
  });

  it('stays that of a change which was made although the call failed afterwards', () => {
    const { record, changes, reads } = begin();
    record.intend([CREATED]);
    record.done();
    record.withdraw();
    record.finish({ outcome: 'io' });
    expect([changes.map(({ outcome }) => outcome), reads.length]).toEqual([['ok'], 0]);
  });

  it('of a change that was not made is replaced at the end of the call', () => {
    const { record, changes } = begin();
    record.intend([CREATED]);
    record.withdraw();
    expect(changes).toHaveLength(1);
    record.finish({ outcome: 'exists' });
    expect(changes.map(({ outcome, changes: own }) => [outcome, own])).toEqual([
      ['ok', [CREATED]],
      ['exists', undefined],
    ]);
  });

  it('of a cancelled call is replaced when its change is withdrawn after the end', () => {
    const { record, changes } = begin();
    record.intend([CREATED]);
    record.finish({ outcome: 'cancelled' });
    expect(changes).toHaveLength(1);
    record.withdraw();
    expect(changes.map(({ outcome, changes: own }) => [outcome, own])).toEqual([
      ['ok', [CREATED]],
      ['refused', undefined],
    ]);
  });

  it('has a second line where an undo adds what it undid', () => {
    const { record, changes } = begin();
    record.intend([CREATED], { undoes: ['old'] });
    record.done();
    record.finish({ outcome: 'ok' }, { undoes: ['old'] });
    expect(changes).toHaveLength(1);
    record.finish({ outcome: 'ok' }, { undoes: ['old', 'older'] });
    expect(changes.map(({ undoes, changes: own }) => [undoes, own])).toEqual([
      [['old'], [CREATED]],
      [['old', 'older'], [CREATED]],
    ]);
  });

  it('of a change that was not announced is written as a change', () => {
    const { record, changes, reads } = begin();
    record.finish({ outcome: 'ok', changes: [CREATED] });
    expect([changes.length, reads.length]).toEqual([1, 0]);
  });
});

describe('a log that cannot be written', () => {
  it('refuses the change, and fails the end of the call with its cause', () => {
    const { record, log } = begin();
    log.isFull = true;
    expect(refusalOf(() => record.intend([CREATED]))).toBe(
      "Nothing was changed, because the activity log cannot be written (No space left on device). The operator has to free space or make Croft's base directory writable.",
    );
    log.isFull = false;
    expect(refusalOf(() => record.finish({ outcome: 'io' }))).toBe('no space');
  });

  it('fails the end of a call whose change is only recorded then', () => {
    const { record, log } = begin();
    log.isFull = true;
    expect(refusalOf(() => record.finish({ outcome: 'ok', changes: [CREATED] }))).toBe('no space');
  });
});
