import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { type Change, type ChangeJournal, openWorkspace, processName, type Workspace } from '@croft/workspace';
import { makeScratch, type Scratch } from '@croft/workspace/testing';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { testDir } from '../../../../tests/support/temp-dir.ts';
import { type Activity, openActivity } from './activity-log.ts';
import { reconcile } from './reconcile.ts';
import { selectUndo, undoEntries } from './undo.ts';

const ACTOR = { userId: null, via: 'mcp', client: 'test' } as const;
/** No process has it: ids end at 2^22. */
const GONE = `${processName().replace(/^\d+/, '99999999')}`;

let scratch: Scratch;
let base: string;
let workspace: Workspace;
let activity: Activity;
beforeEach(() => {
  scratch = makeScratch(['a.txt = one', 'd/x']);
  base = testDir();
  activity = openActivity(base, scratch.workspace);
  workspace = openWorkspace(scratch.workspace, { trashDir: activity.trashDir });
});
afterEach(() => {
  vi.useRealTimers();
  workspace.close();
  activity.close();
  scratch.remove();
});

/** Bytes that this process has read from files. */
const bytesRead = () => Number(/^rchar: (\d+)/m.exec(readFileSync('/proc/self/io', 'utf8'))?.[1]);
const text = (path: string) => readFileSync(join(scratch.workspace, path), 'utf8');
const sessions = () => readdirSync(activity.directory).filter((name) => name.startsWith('session.'));

/** Makes a change with its record, as far as a process gets that is killed just before, or after, the change itself. */
async function recordKilled(
  act: (journal: ChangeJournal) => unknown,
  at: 'before' | 'after',
): Promise<readonly Change[]> {
  const other = openActivity(base, scratch.workspace);
  const record = other.begin({ tool: 't', actor: ACTOR, started: Date.now(), paths: () => [] });
  let changes: readonly Change[] = [];
  let isKilled = false;
  const journal: ChangeJournal = {
    intend(list) {
      changes = list;
      record.intend(list);
      // The change after the record is never made.
      if (at === 'after' || list.every(({ kind }) => kind === 'mkdir')) return;
      isKilled = true;
      throw new Error('killed');
    },
    done: () => record.done(),
    withdraw: () => undefined,
  };
  try {
    await act(journal);
  } catch (error) {
    if (!isKilled) throw error;
  }
  // Its mark stays, under the name of a process that is gone.
  for (const name of sessions())
    renameSync(join(activity.directory, name), join(activity.directory, name.replace(processName(), GONE)));
  return changes;
}

const ACTS: [string, (journal: ChangeJournal) => unknown][] = [
  ['a new file', (journal) => workspace.write('b.txt', 'x', { journal })],
  ['an overwritten file', (journal) => workspace.write('a.txt', 'x', { journal })],
  ['an addition', (journal) => workspace.append('a.txt', 'x', { journal })],
  ['a move', (journal) => workspace.move('a.txt', 'b.txt', { journal })],
  ['a copy', (journal) => workspace.copy('d', 'e', { journal })],
  ['a deleted file', (journal) => workspace.delete('a.txt', { journal })],
  ['a deleted directory', (journal) => workspace.delete('d', { recursive: true, journal })],
];

describe('after a process was killed', () => {
  it.each(ACTS)('a change that was not made is taken out of its record: %s', async (_, act) => {
    await recordKilled(act, 'before');
    expect(activity.entries()).toMatchObject([{ outcome: 'ok' }]);
    reconcile(workspace, activity);
    expect(activity.entries()).toMatchObject([{ outcome: 'interrupted' }]);
    expect(selectUndo(activity.entries(), { count: 5 })).toEqual([]);
    expect(activity.abandonedSessions()).toEqual([]);
  });

  it.each(ACTS)('a change that was made stays on record and is taken back: %s', async (_, act) => {
    const changes = await recordKilled(act, 'after');
    reconcile(workspace, activity);
    expect(activity.entries()).toMatchObject([{ outcome: 'ok', changes }]);
    const outcome = await undoEntries(workspace, activity, selectUndo(activity.entries(), { count: 5 }), ACTOR);
    expect(outcome).toMatchObject([{ ok: true }]);
    expect([text('a.txt'), text('d/x')]).toEqual(['one', 'd/x']);
  });

  it('a deleted directory or link stays on record though its path has a new one', async () => {
    symlinkSync('a.txt', join(scratch.workspace, 'link'));
    const removed = await recordKilled((journal) => workspace.delete('d', { recursive: true, journal }), 'after');
    mkdirSync(join(scratch.workspace, 'd'));
    reconcile(workspace, activity);
    expect(activity.entries().at(-1)).toMatchObject({ outcome: 'ok', changes: removed });
    rmdirSync(join(scratch.workspace, 'd'));
    const unlinked = await recordKilled((journal) => workspace.delete('link', { journal }), 'after');
    symlinkSync('elsewhere', join(scratch.workspace, 'link'));
    reconcile(workspace, activity);
    expect(activity.entries().at(-1)).toMatchObject({ outcome: 'ok', changes: unlinked });
    unlinkSync(join(scratch.workspace, 'link'));
    await undoEntries(workspace, activity, selectUndo(activity.entries(), { count: 2 }), ACTOR);
    expect([text('d/x'), text('link')]).toEqual(['d/x', 'one']);
  });

  it('parents that were made for a file that was not are taken back', async () => {
    await recordKilled((journal) => workspace.write('p/q/f.txt', 'x', { journal }), 'before');
    // The act of this test cleaned up behind itself, as a killed process does not.
    workspace.createDir('p/q');
    reconcile(workspace, activity);
    expect(activity.entries()).toMatchObject([{ outcome: 'interrupted', changes: [{ path: 'p' }, { path: 'p/q' }] }]);
    await undoEntries(workspace, activity, selectUndo(activity.entries(), { count: 5 }), ACTOR);
    expect(readdirSync(scratch.workspace).toSorted()).toEqual(['a.txt', 'd']);
  });

  it('earlier changes of it, and one that another process went on from, stay as they are', async () => {
    const changes = await recordKilled((journal) => workspace.write('b.txt', 'x', { journal }), 'after');
    await recordKilled((journal) => workspace.delete('d/x', { journal }), 'after');
    const later = activity.begin({ tool: 'later', actor: ACTOR, started: Date.now(), paths: () => [] });
    later.finish({ outcome: 'ok', changes: workspace.move('b.txt', 'c.txt').changes });
    reconcile(workspace, activity);
    expect(activity.entries().map(({ outcome }) => outcome)).toEqual(['ok', 'ok', 'ok']);
    const outcome = await undoEntries(workspace, activity, selectUndo(activity.entries(), { count: 5 }), ACTOR);
    expect(outcome.map(({ ok }) => ok)).toEqual([true, true, true]);
    expect(activity.entries()[0]?.changes).toEqual(changes);
    expect(readdirSync(scratch.workspace).toSorted()).toEqual(['a.txt', 'd']);
  });

  it('a batch of deletions that was ended in the middle keeps what it deleted', async () => {
    let deleted: readonly Change[] = [];
    await recordKilled(async (journal) => {
      const { version } = workspace.info('d/x', {});
      ({ changes: deleted } = await workspace.delete('a.txt'));
      journal.intend([
        ...deleted,
        { kind: 'delete', path: 'd/x', before: version, trash: 'planned' },
        { kind: 'delete', path: 'd', trash: 'planned' },
      ]);
    }, 'after');
    reconcile(workspace, activity);
    expect(activity.entries()).toMatchObject([{ outcome: 'ok', changes: deleted }]);
    const outcome = await undoEntries(workspace, activity, selectUndo(activity.entries(), { count: 5 }), ACTOR);
    expect(outcome).toMatchObject([{ ok: true }]);
    expect([text('a.txt'), text('d/x')]).toEqual(['one', 'd/x']);
  });

  it('a part of an addition is taken back', async () => {
    await recordKilled((journal) => workspace.append('a.txt', 'all of it', { journal }), 'before');
    appendFileSync(join(scratch.workspace, 'a.txt'), 'all');
    reconcile(workspace, activity);
    expect(activity.entries()).toMatchObject([{ outcome: 'ok', changes: [{ kind: 'append', bytes: 3 }] }]);
    const outcome = await undoEntries(workspace, activity, selectUndo(activity.entries(), { count: 5 }), ACTOR);
    expect(outcome).toMatchObject([{ ok: true }]);
    expect(text('a.txt')).toBe('one');
  });

  it('an undo that was not made does not count as one', async () => {
    const { changes } = workspace.write('a.txt', 'two');
    const record = activity.begin({ tool: 't', actor: ACTOR, started: Date.now(), paths: () => [] });
    record.finish({ outcome: 'ok', changes });
    activity.close();
    const killed = openActivity(base, scratch.workspace);
    const undo = killed.begin({ tool: 'undo', actor: ACTOR, started: Date.now(), paths: () => [] });
    const version = workspace.info('a.txt').version;
    undo.intend([{ kind: 'update', path: 'a.txt', before: version, after: 'x-y-z' }], {
      undoes: [record.id],
      restored: ['t1', 't2'],
    });
    for (const name of sessions())
      renameSync(join(activity.directory, name), join(activity.directory, name.replace(processName(), GONE)));
    expect(selectUndo(activity.entries(), { count: 5 })).toEqual([]);
    reconcile(workspace, activity);
    expect(selectUndo(activity.entries(), { count: 5 })).toMatchObject([{ id: record.id }]);
    expect(activity.entries().at(-1), 'without the content of the change that was not made').toMatchObject({
      undoes: [],
      restored: ['t1'],
    });
  });

  it.runIf(process.platform === 'linux')(
    'a long log is read from its end only, for any number of processes',
    async () => {
      const line = (i: number, time: string) =>
        `${JSON.stringify({ id: `${i}-0badf00d-0`, time, actor: ACTOR, tool: 't', paths: [], outcome: 'ok', durationMs: 1, changes: [{ kind: 'create', path: `${i}.txt` }] })}\n`;
      const old = new Date(Date.now() - 86_400_000).toISOString();
      activity.close();
      // Both records have the same millisecond.
      vi.useFakeTimers({ toFake: ['Date'] });
      await recordKilled((journal) => workspace.write('b.txt', 'x', { journal }), 'before');
      await recordKilled((journal) => workspace.write('c.txt', 'x', { journal }), 'after');
      vi.useRealTimers();
      // This one was killed before its first record.
      writeFileSync(join(activity.directory, `session.0a0b0c0d.${GONE}`), '');
      const file = join(activity.directory, 'changes.1.ndjson');
      const records = readFileSync(file, 'utf8');
      // A file of full size: the next record starts the second file.
      const lines = Array.from({ length: 50_000 }, (_, i) => line(i, old)).join('');
      writeFileSync(file, lines + records);
      const before = bytesRead();
      reconcile(workspace, activity);
      expect(bytesRead() - before).toBeLessThan(lines.length / 20);
      expect(activity.abandonedSessions()).toEqual([]);
      const entries = activity.entries();
      expect(entries).toHaveLength(50_002);
      expect(entries.slice(-2).map(({ outcome }) => outcome)).toEqual(['interrupted', 'ok']);
    },
  );

  it('the corrected record of an earlier day hides no record in doubt', async () => {
    await recordKilled((journal) => workspace.write('old.txt', 'x', { journal }), 'before');
    const file = join(activity.directory, 'changes.1.ndjson');
    const hourAgo = new Date(Date.now() - 3_600_000);
    writeFileSync(file, readFileSync(file, 'utf8').replace(/"time":"[^"]*"/, `"time":"${hourAgo.toISOString()}"`));
    for (const name of sessions()) utimesSync(join(activity.directory, name), hourAgo, hourAgo);
    const running = openActivity(base, scratch.workspace);
    running
      .begin({ tool: 't', actor: ACTOR, started: Date.now(), paths: () => [] })
      .intend([{ kind: 'create', path: 'new.txt' }]);
    reconcile(workspace, activity);
    expect(activity.entries().map(({ outcome }) => outcome)).toEqual(['interrupted', 'ok']);
    for (const name of sessions())
      renameSync(join(activity.directory, name), join(activity.directory, name.replace(processName(), GONE)));
    reconcile(workspace, activity);
    expect(activity.entries().map(({ outcome }) => outcome)).toEqual(['interrupted', 'interrupted']);
    expect(sessions()).toEqual([]);
  });

  it('a record that is longer than one read is found from the end', async () => {
    const names = Array.from({ length: 3_000 }, (_, i) => `${'long'.repeat(20)}${i}`);
    await recordKilled((journal) => {
      journal.intend(names.map((path) => ({ kind: 'create', path })));
      throw new Error('killed');
    }, 'before').catch(() => undefined);
    for (const name of sessions())
      renameSync(join(activity.directory, name), join(activity.directory, name.replace(processName(), GONE)));
    expect(activity.entries()[0]?.changes).toHaveLength(3_000);
    reconcile(workspace, activity);
    expect(activity.entries()).toMatchObject([{ outcome: 'interrupted' }]);
  });

  it('nothing is looked at for a process that is still there, or has closed the log', () => {
    const record = activity.begin({ tool: 't', actor: ACTOR, started: Date.now(), paths: () => [] });
    record.intend([{ kind: 'create', path: 'not-there' }]);
    reconcile(workspace, activity);
    expect(activity.entries()).toMatchObject([{ outcome: 'ok', changes: [{ path: 'not-there' }] }]);
    expect(sessions()).toHaveLength(1);
    activity.close();
    expect(sessions()).toEqual([]);
    writeFileSync(join(activity.directory, 'session.nonsense'), '');
    expect(activity.abandonedSessions()).toEqual([]);
  });
});
