import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openWorkspace, type Workspace } from '@croft/workspace';
import { makeScratch, type Scratch } from '@croft/workspace/testing';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { testDir } from '../../../../tests/support/temp-dir.ts';
import { type Call, checkedCall } from '../testing.ts';
import { makeToolset } from '../toolsets.ts';
import { fixedWorkspace } from '../workspace-source.ts';
import { type Activity, openActivity } from './activity-log.ts';
import { foreseeUndo } from './foresee-undo.ts';
import { selectUndo, undoEntries } from './undo.ts';

const PERSON = { userId: null, via: 'cli', client: null } as const;
let scratch: Scratch;
let base: string;
let workspace: Workspace;
let activity: Activity;
let call: Call;

/** @param parent parent of the base directory with log and trash */
function setUp(lines: readonly string[] = [], parent = tmpdir(), trash = true): void {
  scratch = makeScratch(lines);
  base = testDir(parent);
  activity = openActivity(base, scratch.workspace);
  workspace = openWorkspace(scratch.workspace, trash ? { trashDir: activity.trashDir } : {});
  const checked = checkedCall({ tools: makeToolset('full', fixedWorkspace(workspace)), activity }, [
    scratch.base,
    base,
  ]);
  call = async (name, input, context) => {
    const result = await checked(name, input, context);
    if (!result.ok) throw new Error(`${name}: ${String(result.data.error)}`);
    return result;
  };
}
function tearDown(): void {
  workspace.close();
  activity.close();
  scratch.remove();
}
afterEach(tearDown);

/** Undoes calls, and compares the prediction with the result. */
const undo = async (selection: { count: number } | { sinceMs: number }) => {
  const chosen = selectUndo(activity.entries(), selection);
  const foreseen = await foreseeUndo(workspace, activity, chosen);
  const outcome = await undoEntries(workspace, activity, chosen, { userId: null, via: 'cli', client: null });
  const left = outcome.filter(({ ok }) => !ok);
  expect([...foreseen.keys()], JSON.stringify([...foreseen.values(), left])).toEqual(left.map(({ entry }) => entry.id));
  return outcome;
};
const host = (path: string) => join(scratch.workspace, path);
const text = (path: string) => readFileSync(host(path), 'utf8');

/** Everything below a directory: kinds, modes and bytes. */
function snapshot(dir: string = scratch.workspace, at = ''): Record<string, string> {
  const all: Record<string, string> = {};
  for (const name of readdirSync(join(dir, at)).toSorted()) {
    const path = at === '' ? name : `${at}/${name}`;
    const stat = lstatSync(join(dir, path));
    if (stat.isDirectory()) Object.assign(all, { [path]: 'directory' }, snapshot(dir, path));
    else
      all[path] = stat.isSymbolicLink()
        ? `→ ${readlinkSync(join(dir, path))}`
        : `${(stat.mode & 0o777).toString(8)} ${readFileSync(join(dir, path), 'latin1')}`;
  }
  return all;
}

const CHAIN: [string, object][] = [
  ['write_file', { path: 'new/deep/a.txt', content: 'first\n' }],
  ['edit_file', { path: 'new/deep/a.txt', old_string: 'first', new_string: 'second' }],
  ['append_file', { path: 'new/deep/a.txt', content: 'third\n' }],
  ['write_file', { path: 'old.txt', content: 'overwritten' }],
  ['move_path', { source: 'new/deep/a.txt', destination: 'moved/b.txt' }],
  ['copy_path', { source: 'dir', destination: 'copied' }],
  ['edit_file', { path: 'copied/x', old_string: 'x', new_string: 'y' }],
  ['create_dir', { path: 'made/empty' }],
  ['move_path', { source: 'dir', destination: 'made/dir' }],
  ['delete_path', { path: 'moved/b.txt' }],
  ['delete_path', { path: 'made', recursive: true }],
  ['delete_path', { path: 'link' }],
  ['write_file', { path: 'moved/b.txt', content: 'anew' }],
  ['delete_path', { path: 'old.txt' }],
];
const BEGINNING = ['old.txt = as it was\\r\\n', 'dir/x', 'dir/sub/y', 'link => dir/x', 'empty/'];

it('is cancelled between two steps, and can be made again', async () => {
  const files = Array.from({ length: 3_000 }, (_, i) => `tree/${i % 30}/${i}`);
  setUp(files);
  await call('write_file', { path: 'a.txt', content: 'x' });
  await call('copy_path', { source: 'tree', destination: 'copy' });
  const before = readdirSync(scratch.workspace, { recursive: true }).length;
  const chosen = selectUndo(activity.entries(), { count: 2 });
  const abort = new AbortController();
  const actor = { userId: null, via: 'cli', client: null } as const;
  const running = undoEntries(workspace, activity, chosen, actor, { signal: abort.signal });
  // The content of the copy is being compared.
  for (let turns = 0; turns < 3; turns++) await new Promise(setImmediate);
  abort.abort();
  const problem = 'The undo was cancelled';
  expect(await running).toEqual(chosen.map((entry) => ({ entry, ok: false, problem })));
  expect(readdirSync(scratch.workspace, { recursive: true })).toHaveLength(before);
  expect(await undo({ count: 2 })).toMatchObject([{ ok: true }, { ok: true }]);
  expect(readdirSync(scratch.workspace)).toEqual(['tree']);
});

describe('a directory that two overlapping calls used', () => {
  it('goes once both are undone, so that an older change can come back to its name', async () => {
    setUp(['d/original = o', 's = small', `big = ${'b'.repeat(3_000_000)}`]);
    const before = snapshot();
    await call('move_path', { source: 'd', destination: 'moved' });
    const copying = call('copy_path', { source: 'big', destination: 'd/copy' });
    while (!existsSync(host('d'))) await new Promise(setImmediate);
    await call('move_path', { source: 's', destination: 'd/s' });
    await copying;
    expect((await undo({ count: 10 })).filter(({ ok }) => !ok)).toEqual([]);
    expect(snapshot()).toEqual(before);
  });
});

/** Makes the calls, and undoes them one at a time: each undo must restore the state before its call. */
async function undoesEachOf(calls: typeof CHAIN): Promise<void> {
  const steps = [snapshot()];
  for (const [name, input] of calls) {
    await call(name, input);
    steps.push(snapshot());
  }
  for (let i = calls.length - 1; i >= 0; i--) {
    const undone = (await undo({ count: 1 })).map(({ ok, problem }) => [ok, problem]);
    expect(undone, JSON.stringify(calls[i])).toEqual([[true, undefined]]);
    expect(snapshot(), JSON.stringify(calls[i])).toEqual(steps[i]);
  }
}

describe('undo', () => {
  it('restores every byte after a chain: create, edit, append, overwrite, move, copy, delete', async () => {
    setUp(BEGINNING);
    writeFileSync(host('dir/latin'), Buffer.from([0xe9, 0, 0xff]), { mode: 0o640 });
    await undoesEachOf(CHAIN);
    expect(await undo({ count: 5 })).toEqual([]);
  });

  it('undoes N calls, newest first, and all calls since a time', async () => {
    setUp(BEGINNING);
    const before = snapshot();
    for (const [name, input] of CHAIN.slice(0, 4)) await call(name, input);
    const middle = snapshot();
    await new Promise((resolve) => setTimeout(resolve, 5));
    const sinceMs = Date.now();
    for (const [name, input] of CHAIN.slice(4)) await call(name, input);
    expect((await undo({ sinceMs })).map(({ ok }) => ok)).toEqual(CHAIN.slice(4).map(() => true));
    expect(snapshot()).toEqual(middle);
    expect((await undo({ count: 100 })).map(({ entry }) => entry.tool)).toEqual(
      CHAIN.slice(0, 4)
        .map(([name]) => name)
        .toReversed(),
    );
    expect(snapshot()).toEqual(before);
  });

  it('does nothing the second time, also in another process with the same log', async () => {
    setUp(BEGINNING);
    await call('write_file', { path: 'old.txt', content: 'x' });
    expect(await undo({ count: 1 })).toHaveLength(1);
    const now = snapshot();
    expect(await undo({ count: 1 })).toEqual([]);
    const again = openActivity(base, scratch.workspace);
    expect(selectUndo(again.entries(), { count: 10 })).toEqual([]);
    again.close();
    expect(snapshot()).toEqual(now);
    expect(activity.entries().at(-1)).toMatchObject({
      tool: 'undo',
      actor: { userId: null, via: 'cli', client: null },
      outcome: 'ok',
      undoes: [expect.any(String)],
    });
  });

  it('skips calls without changes', async () => {
    setUp(BEGINNING);
    await call('write_file', { path: 'old.txt', content: 'x' });
    await call('read_file', { path: 'old.txt' });
    await call('edit_file', { path: 'old.txt', old_string: 'x', new_string: 'y', dry_run: true });
    await call('create_dir', { path: 'dir' });
    expect((await undo({ count: 1 }))[0]?.entry.tool).toBe('write_file');
    expect(text('old.txt')).toBe('as it was\r\n');
  });

  it('keeps the replaced content, and restores the mode', async () => {
    setUp();
    writeFileSync(host('run.sh'), 'old', { mode: 0o755 });
    await call('write_file', { path: 'run.sh', content: 'new' });
    await undo({ count: 1 });
    expect([text('run.sh'), statSync(host('run.sh')).mode & 0o777]).toEqual(['old', 0o755]);
    const [change] = activity.entries().at(-1)?.changes ?? [];
    expect(readFileSync(join(activity.trashDir, change?.trash as string), 'utf8')).toBe('new');
  });

  it('reports without a trash that the old content was not kept', async () => {
    setUp(BEGINNING, tmpdir(), false);
    await call('write_file', { path: 'old.txt', content: 'x' });
    expect(await undo({ count: 1 })).toMatchObject([{ ok: false, problem: 'The old content of old.txt was not kept' }]);
    expect(text('old.txt')).toBe('x');
  });
});

describe('what a person changed since', () => {
  it('is not undone and reported, for every kind of change', async () => {
    const rows: [[string, object], () => void, string][] = [
      [
        ['write_file', { path: 'old.txt', content: 'agent' }],
        () => writeFileSync(host('old.txt'), 'person'),
        'old.txt',
      ],
      [['write_file', { path: 'n.txt', content: 'agent' }], () => writeFileSync(host('n.txt'), 'person'), 'n.txt'],
      [['delete_path', { path: 'old.txt' }], () => writeFileSync(host('old.txt'), 'person'), 'old.txt'],
      [
        ['move_path', { source: 'old.txt', destination: 'm.txt' }],
        () => writeFileSync(host('m.txt'), 'person'),
        'm.txt',
      ],
      [['move_path', { source: 'dir/x', destination: 'm.txt' }], () => writeFileSync(host('dir/x'), 'person'), 'dir/x'],
    ];
    for (const [[name, input], act, path] of rows) {
      setUp(BEGINNING);
      await call(name, input);
      act();
      const now = snapshot();
      const [undone] = await undo({ count: 1 });
      expect(undone, name).toMatchObject({ ok: false, problem: expect.any(String) });
      expect(undone?.problem).not.toContain(scratch.base);
      expect(snapshot(), name).toEqual(now);
      expect(text(path)).toBe('person');
      tearDown();
    }
    setUp();
  });

  it('does not prevent undoing the other calls', async () => {
    setUp(BEGINNING);
    await call('write_file', { path: 'a/one.txt', content: '1' });
    await call('write_file', { path: 'old.txt', content: 'agent' });
    writeFileSync(host('old.txt'), 'person');
    expect((await undo({ count: 2 })).map(({ ok }) => ok)).toEqual([false, true]);
    expect([existsSync(host('a')), text('old.txt')]).toEqual([false, 'person']);
    // If the person restores the agent's version, the change can be undone again; otherwise it stays refused.
    expect((await undo({ count: 5 })).map(({ ok }) => ok)).toEqual([false]);
  });

  it('prevents undoing older changes at, above or below the same path', async () => {
    setUp(['old.txt', 'd/x', 'b.txt']);
    await call('write_file', { path: 'd/y', content: 'agent' });
    await call('delete_path', { path: 'd/x' });
    await call('write_file', { path: 'b.txt', content: 'agent' });
    await call('move_path', { source: 'd', destination: 'e' });
    await call('move_path', { source: 'old.txt', destination: 'd' });
    await call('write_file', { path: 'd', content: 'agent' });
    writeFileSync(host('d'), 'person');
    rmSync(host('e'), { recursive: true });
    const now = snapshot();
    const undone = await undo({ count: 6 });
    expect(undone.map(({ ok, problem }) => (ok ? 'ok' : problem))).toEqual([
      'd was changed since',
      'A newer change at d could not be undone',
      'A newer change at d could not be undone',
      'ok',
      'A newer change at d/x could not be undone',
      'A newer change at d/y could not be undone',
    ]);
    expect(snapshot()).toEqual({ ...now, 'b.txt': '644 b.txt' });
  });

  it('keeps a copied directory completely if a file in it was written since', async () => {
    setUp(['dir/x', 'dir/sub/y']);
    await call('copy_path', { source: 'dir', destination: 'copied' });
    await new Promise((resolve) => setTimeout(resolve, 20));
    writeFileSync(host('copied/sub/person.txt'), 'mine');
    expect(await undo({ count: 1 })).toMatchObject([{ ok: false, problem: 'copied was changed since' }]);
    expect(text('copied/sub/person.txt')).toBe('mine');
    rmSync(host('copied/sub/person.txt'));
    expect(await undo({ count: 1 })).toMatchObject([{ ok: true }]);
    expect(snapshot()).toEqual({
      dir: 'directory',
      'dir/sub': 'directory',
      'dir/sub/y': '644 dir/sub/y',
      'dir/x': '644 dir/x',
    });
  });

  it('keeps a created directory that is no longer empty', async () => {
    setUp();
    await call('write_file', { path: 'new/deep/a.txt', content: 'x' });
    writeFileSync(host('new/person.txt'), 'mine');
    expect(await undo({ count: 1 })).toMatchObject([{ ok: true }]);
    expect(snapshot()).toEqual({ new: 'directory', 'new/person.txt': expect.stringContaining('mine') });
  });

  it('does not follow a path that now leads outside', async () => {
    setUp(['d/a.txt = old']);
    await call('write_file', { path: 'd/a.txt', content: 'new' });
    await call('delete_path', { path: 'd', recursive: true });
    symlinkSync(scratch.outside, host('d'));
    expect((await undo({ count: 2 })).map(({ ok }) => ok)).toEqual([false, false]);
    expect(readdirSync(scratch.outside)).toEqual(['secret.txt']);
  });
});

const elsewhere = existsSync('/dev/shm') && statSync('/dev/shm').dev !== statSync(tmpdir()).dev;

describe.skipIf(!elsewhere)('with a trash on another device', () => {
  it('restores every byte of the chain as well, one call at a time', async () => {
    setUp(BEGINNING, '/dev/shm');
    await undoesEachOf(CHAIN);
  });

  it('restores a file more than once', async () => {
    setUp(['a.txt = one'], '/dev/shm');
    await call('edit_file', { path: 'a.txt', old_string: 'one', new_string: 'two' });
    for (let i = 0; i < 3; i++) {
      await call('delete_path', { path: 'a.txt' });
      expect(await undo({ count: 1 })).toMatchObject([{ ok: true }]);
      expect(text('a.txt')).toBe('two');
    }
    expect(await undo({ count: 1 })).toMatchObject([{ ok: true }]);
    expect(text('a.txt')).toBe('one');
  });
});

describe('any sequence of changes', () => {
  const path = fc.constantFrom('a', 'b', 'd/a', 'd/b', 'd', 'e/f/g', 'e');
  const step = fc.oneof(
    fc.record({ name: fc.constant('write_file'), input: fc.record({ path, content: fc.string({ maxLength: 5 }) }) }),
    fc.record({
      name: fc.constant('append_file'),
      input: fc.record({ path, content: fc.string({ minLength: 1, maxLength: 5 }) }),
    }),
    fc.record({ name: fc.constant('create_dir'), input: fc.record({ path }) }),
    fc.record({
      name: fc.constantFrom('move_path', 'copy_path'),
      input: fc.record({ source: path, destination: path }),
    }),
    fc.record({ name: fc.constant('delete_path'), input: fc.record({ path, recursive: fc.boolean() }) }),
  );

  it('is undone to the byte', async () => {
    setUp();
    let round = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 14 }), async (steps) => {
        tearDown();
        setUp(['a = first', 'd/a = second', 'd/s => ../a'], elsewhere && round++ % 2 === 0 ? '/dev/shm' : tmpdir());
        mkdirSync(host('empty'));
        const before = snapshot();
        for (const { name, input } of steps) await call(name, input).catch(() => undefined);
        const problems = (await undo({ count: 100 })).flatMap(({ problem }) => problem ?? []);
        expect(problems).toEqual([]);
        expect(snapshot()).toEqual(before);
      }),
      { numRuns: 60 },
    );
  });
});

describe('an undo that stopped half-way', () => {
  const at = (name: string) => readFileSync(join(scratch.workspace, name), 'utf8');
  const stopHalfWay = async () => {
    setUp(['d/1 = one', 'd/2 = two', 'd/3/f = three']);
    const made = await workspace.deleteAll(['d/1', 'd/2', 'd/3'], { recursive: true });
    const record = activity.begin({ tool: 'delete_path', actor: PERSON, started: Date.now(), paths: () => ['d/1'] });
    record.finish({ outcome: 'ok', changes: made.flatMap(({ changes }) => changes) });
    writeFileSync(join(scratch.workspace, 'd/1'), 'new');
    const chosen = selectUndo(activity.entries(), { count: 1 });
    const undo = () => undoEntries(workspace, activity, chosen, PERSON);
    expect(await undo()).toMatchObject([{ ok: false, problem: 'Something new exists at d/1' }]);
    expect([at('d/1'), at('d/2'), at('d/3/f')]).toEqual(['new', 'two', 'three']);
    rmSync(join(scratch.workspace, 'd/1'));
    return { undo, foresee: () => foreseeUndo(workspace, activity, chosen) };
  };

  it('goes on with what is left in the next one', async () => {
    const { undo, foresee } = await stopHalfWay();
    expect((await foresee()).size).toBe(0);
    expect(await undo()).toMatchObject([{ ok: true }]);
    expect([at('d/1'), at('d/2'), at('d/3/f')]).toEqual(['one', 'two', 'three']);
    expect(selectUndo(activity.entries(), { count: 1 })).toEqual([]);
  });

  it('does not take an older undo at the same path for its own', async () => {
    setUp(['e/']);
    await call('delete_path', { path: 'e' });
    const undo = () => undoEntries(workspace, activity, selectUndo(activity.entries(), { count: 1 }), PERSON);
    expect(await undo()).toMatchObject([{ ok: true }]);
    writeFileSync(join(scratch.workspace, 'e/report.txt'), 'text');
    await call('delete_path', { path: 'e', recursive: true });
    mkdirSync(join(scratch.workspace, 'e'));
    expect(await undo()).toMatchObject([{ ok: false, problem: 'Something new exists at e' }]);
    rmSync(join(scratch.workspace, 'e'), { recursive: true });
    expect(await undo()).toMatchObject([{ ok: true }]);
    expect(at('e/report.txt')).toBe('text');
  });

  it.each(['d/2', 'd/3/f'])('leaves alone what another program changed in between: %s', async (changed) => {
    const { undo, foresee } = await stopHalfWay();
    writeFileSync(join(scratch.workspace, changed), 'other program');
    expect((await foresee()).size).toBe(1);
    expect(await undo()).toMatchObject([{ ok: false }]);
    expect(at(changed)).toBe('other program');
  });
});
