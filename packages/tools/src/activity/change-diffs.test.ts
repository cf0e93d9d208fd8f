import { closeSync, mkdirSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ActivityEntry } from './activity-entry.ts';
import { MAX_DIFF_CHARS, MAX_LINE_CHARS, openChangeDiffs } from './change-diffs.ts';
import { useActivity } from '../../../../tests/support/use-activity.ts';
import { selectUndo, undoEntries } from './undo.ts';

const PERSON = { userId: null, via: 'cli', client: null } as const;
const fixture = useActivity();
const { at, open: setUp } = fixture;

/** The changes, oldest first. */
const changes = (): readonly ActivityEntry[] =>
  fixture.activity.entries().filter((entry) => entry.changes !== undefined && entry.changes.length > 0);

/** The diffs of all changes, oldest first: the lines, or why there are none. */
async function diffs(): Promise<string[][]> {
  const read = openChangeDiffs(fixture.workspace, fixture.activity.entries());
  const all = await Promise.all(changes().map(read));
  return all.map(({ files }) =>
    files.map(({ kind, path, diff, problem }) => `${kind} ${path}: ${problem ?? diff?.replace(/^@@.*\n/gm, '')}`),
  );
}

describe('the differences of a change', () => {
  it('are those of each call, although later calls changed the file again', async () => {
    const call = setUp(['a = one\\ntwo\\n']);
    await call('edit_file', { path: 'a', old_string: 'two', new_string: '2' });
    await call('append_file', { path: 'a', content: 'three\n' });
    await call('append_file', { path: 'a', content: 'four\n' });
    await call('write_file', { path: 'a', content: 'new\n' });
    await call('move_path', { source: 'a', destination: 'd/b' });
    await call('write_file', { path: 'c', content: 'x' });
    await call('delete_path', { path: 'd/b' });
    expect(await diffs()).toEqual([
      ['update a:  one\n-two\n+2\n'],
      ['append a:  one\n 2\n+three\n'],
      ['append a:  one\n 2\n three\n+four\n'],
      ['update a: -one\n-2\n-three\n-four\n+new\n'],
      ['move a: '],
      ['create c: +x\n\\ No newline at end of file\n'],
      ['delete d/b: -new\n'],
    ]);
  });

  it('have hunks with numbers, and the counts of their lines', async () => {
    const call = setUp(['a = 1\\n2\\n3\\n4\\n5\\n6\\n']);
    await call('write_file', { path: 'a', content: '1\n2\n3\n4\n5\n+6\n7\n' });
    const [entry] = changes();
    expect(await openChangeDiffs(fixture.workspace, fixture.activity.entries())(entry as ActivityEntry)).toEqual({
      files: [
        {
          kind: 'update',
          path: 'a',
          diff: '@@ -3,4 +3,5 @@\n 3\n 4\n 5\n-6\n++6\n+7\n',
          added: 2,
          removed: 1,
          isCut: false,
        },
      ],
      moreFiles: 0,
    });
  });

  it('are known again after an undo, and so are those of the undo', async () => {
    const call = setUp(['a = one\\n']);
    await call('write_file', { path: 'a', content: 'two\n' });
    await call('write_file', { path: 'a', content: 'three\n' });
    const chosen = selectUndo(fixture.activity.entries(), { count: 1 });
    await undoEntries(fixture.workspace, fixture.activity, chosen, PERSON);
    expect(await diffs()).toEqual([
      ['update a: -one\n+two\n'],
      ['update a: -two\n+three\n'],
      ['update a: -three\n+two\n'],
    ]);
  });

  it('are known of a deletion that was undone', async () => {
    const call = setUp(['a = one\\n']);
    await call('delete_path', { path: 'a' });
    const chosen = selectUndo(fixture.activity.entries(), { count: 1 });
    await undoEntries(fixture.workspace, fixture.activity, chosen, PERSON);
    expect(await diffs()).toEqual([['delete a: -one\n'], ['create a: +one\n']]);
    await call('write_file', { path: 'a', content: 'two\n' });
    expect(await diffs()).toEqual([['delete a: -one\n'], ['create a: +one\n'], ['update a: -one\n+two\n']]);
    writeFileSync(at('a'), 'other program');
    expect((await diffs())[2]).toEqual(['update a: Another program changed the file since']);
  });

  it('are unknown where another program changed or removed the file', async () => {
    const call = setUp(['a', 'b', 'c', 'd/e']);
    for (const path of ['a', 'b', 'd/e']) await call('write_file', { path, content: 'agent' });
    writeFileSync(at('a'), 'other program');
    rmSync(at('b'));
    await call('delete_path', { path: 'd', recursive: true });
    expect(await diffs()).toEqual([
      ['update a: Another program changed the file since'],
      ['update b: The file was removed since'],
      ['update d/e: The file was removed since'],
      ['delete d: Folders and links are not compared'],
    ]);
  });

  it('are not those of a change by another program in between', async () => {
    const call = setUp(['a = one']);
    await call('write_file', { path: 'a', content: 'two' });
    writeFileSync(at('a'), 'other program');
    await call('write_file', { path: 'a', content: 'three' });
    const lines = '\n\\ No newline at end of file\n';
    expect(await diffs()).toEqual([
      ['update a: Another program changed the file since'],
      [`update a: -other program${lines}+three${lines}`],
    ]);
  });

  it('have nothing of another program that wrote before a later addition or deletion', async () => {
    const call = setUp([]);
    await call('write_file', { path: 'a', content: 'mine' });
    writeFileSync(at('a'), 'written by another program');
    await call('append_file', { path: 'a', content: 'x' });
    const added =
      'append a: -written by another program\n\\ No newline at end of file\n+written by another programx\n\\ No newline at end of file\n';
    expect(await diffs()).toEqual([['create a: Another program changed the file since'], [added]]);
    await call('delete_path', { path: 'a' });
    expect((await diffs()).slice(0, 2)).toEqual([['create a: Another program changed the file since'], [added]]);
  });

  it('have nothing that another program wrote to the replaced file', async () => {
    const call = setUp(['log = one\\n']);
    const open = openSync(at('log'), 'a');
    await call('write_file', { path: 'log', content: 'new\n' });
    writeSync(open, 'late line\n');
    closeSync(open);
    expect(await diffs()).toEqual([['update log: Another program wrote to the old content since']]);
  });

  it('are those of the change whose content an undo moved back, where the trash dropped others', async () => {
    const call = setUp(['a = original\\n']);
    for (const content of ['first\n', 'second\n', 'third\n']) await call('write_file', { path: 'a', content });
    for (const { changes: [change] = [] } of changes().slice(1))
      rmSync(join(fixture.activity.trashDir, change?.trash as string));
    await undoEntries(
      fixture.workspace,
      fixture.activity,
      selectUndo(fixture.activity.entries(), { count: 3 }),
      PERSON,
    );
    expect(await diffs()).toEqual([
      ['update a: The content after this change was not kept'],
      ['update a: The old content was not kept'],
      ['update a: The old content was not kept'],
      ['update a: -third\n+original\n'],
    ]);
  });

  it('are known of a change of which an undo took back a part', async () => {
    const call = setUp(['d/1 = one\\n', 'd/2 = two\\n']);
    await call('delete_path', { path: 'd/1' });
    await call('delete_path', { path: 'd/2' });
    const [first, second] = changes() as [ActivityEntry, ActivityEntry];
    const both = { ...first, changes: [...(first.changes ?? []), ...(second.changes ?? [])] };
    mkdirSync(at('d'), { recursive: true });
    writeFileSync(at('d/1'), 'new');
    await undoEntries(fixture.workspace, fixture.activity, [both], PERSON);
    expect((await diffs()).slice(0, 2)).toEqual([['delete d/1: -one\n'], ['delete d/2: -two\n']]);
  });

  it('show the start of long lines', async () => {
    const call = setUp(['a = short\\n']);
    await call('write_file', { path: 'a', content: `${'x'.repeat(100_000)}\n` });
    const [entry] = changes();
    const { files } = await openChangeDiffs(fixture.workspace, fixture.activity.entries())(entry as ActivityEntry);
    expect(files).toMatchObject([{ added: 1, removed: 1, isCut: true }]);
    expect(files[0]?.diff).toBe(`@@ -1,1 +1,1 @@\n-short\n+${'x'.repeat(MAX_LINE_CHARS - 1)}…\n`);
  });

  it('are unknown where the trash dropped the old content', async () => {
    const call = setUp(['a', 'b']);
    await call('write_file', { path: 'a', content: 'x' });
    await call('delete_path', { path: 'b' });
    rmSync(fixture.activity.trashDir, { recursive: true });
    const reason = 'The old content was not kept';
    expect(await diffs()).toEqual([[`update a: ${reason}`], [`delete b: ${reason}`]]);
  });

  it('are not read for large files, files that are not text, folders, and paths that callers cannot read', async () => {
    const call = setUp(['big = x', 'bin = x']);
    await call('write_file', { path: 'big', content: 'y'.repeat(256 * 1024 + 1) });
    await call('write_file', { path: 'bin', content: 'a\0b' });
    await call('create_dir', { path: 'dir' });
    mkdirSync(at('from'));
    await call('copy_path', { source: 'from', destination: 'to' });
    const [, bin] = changes() as [ActivityEntry, ActivityEntry];
    expect(await diffs()).toEqual([
      ['update big: Files over 256 KiB are not compared'],
      ['update bin: The file is not text'],
      [],
      ['create to: Folders and links are not compared'],
    ]);
    const hidden = { id: 'x', changes: (bin.changes ?? []).map((change) => ({ ...change, path: '.env' })) };
    const { files } = await openChangeDiffs(fixture.workspace, [])(hidden);
    expect(files).toMatchObject([{ kind: 'update', path: '.env', problem: expect.stringContaining('.env') }]);
    expect(files[0]).not.toHaveProperty('diff');
  });

  it('end after 64 Ki characters, with the counts of all lines', async () => {
    const call = setUp([]);
    await call('write_file', { path: 'a', content: 'a line of text\n'.repeat(10_000) });
    const [entry] = changes();
    const { files } = await openChangeDiffs(fixture.workspace, fixture.activity.entries())(entry as ActivityEntry);
    expect(files).toMatchObject([{ added: 10_000, removed: 0, isCut: true }]);
    const { diff = '' } = files[0] ?? {};
    expect(diff).toMatch(/\+a line of text\n$/);
    expect(diff.length).toBeGreaterThanOrEqual(MAX_DIFF_CHARS);
    expect(diff.length).toBeLessThan(MAX_DIFF_CHARS + 20);
  });

  it.each([
    [400, 400],
    [600, 0],
  ])('compare each line up to 1,000 changed ones: %i of every second line', async (changed, unchanged) => {
    const call = setUp(['a = x']);
    const text = (mark: string) => Array.from({ length: changed }, (_, at) => `${at}${mark}\n${at}\n`).join('');
    await call('write_file', { path: 'a', content: text('old') });
    await call('write_file', { path: 'a', content: text('new') });
    const entry = changes().at(-1) as ActivityEntry;
    const { files } = await openChangeDiffs(fixture.workspace, fixture.activity.entries())(entry);
    expect(files[0]?.added).toBe(changed + (unchanged === 0 ? changed - 1 : 0));
    expect(files[0]?.removed).toBe(files[0]?.added);
  });

  it('are shown for 20 files of a call', async () => {
    setUp([]);
    const all = Array.from({ length: 23 }, (_, i) => ({ kind: 'move' as const, path: `${i}`, to: `to/${i}` }));
    const entry = { id: 'x', changes: [{ kind: 'mkdir' as const, path: 'to' }, ...all] };
    const { files, moreFiles } = await openChangeDiffs(fixture.workspace, [])(entry);
    expect(files.map(({ to }) => to)).toEqual(all.slice(0, 20).map(({ to }) => to));
    expect(moreFiles).toBe(3);
  });
});
