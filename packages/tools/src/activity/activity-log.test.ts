import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, existsSync, readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type Change, closeSearchWorkers } from '@croft/workspace';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { root } from '../../../../scripts/prepare.mjs';
import { bundleProgram } from '../../../../tests/support/bundle-program.ts';
import { testDir } from '../../../../tests/support/temp-dir.ts';
import { type Bench, type Call, checkedCall, makeBench } from '../testing.ts';
import { readEntry } from './activity-entry.ts';
import { type Activity, activityDir, openActivity } from './activity-log.ts';
import { clean } from './printable-text.ts';

let bench: Bench;
let base: string;
let activity: Activity;
let call: Call;
beforeEach(() => {
  base = testDir();
  bench = makeBench('full', ['a.txt = CONTENT']);
  activity = openActivity(base, bench.scratch.workspace);
  const checked = checkedCall({ ...bench.table, activity }, [bench.scratch.base, base]);
  call = async (...args) => {
    const result = await checked(...args);
    // Records of calls without changes are written together, after 10 ms.
    await settled();
    return result;
  };
});
afterEach(() => {
  activity.close();
  bench.close();
});
afterAll(() => closeSearchWorkers());

const settled = () => new Promise((resolve) => setTimeout(resolve, 20));
const directory = () => activityDir(base, bench.scratch.workspace);
const logs = () =>
  readdirSync(directory())
    .filter((name) => name.endsWith('.ndjson'))
    .toSorted();
const raw = () =>
  logs()
    .map((name) => readFileSync(join(directory(), name), 'utf8'))
    .join('');

const by = (client: string | null) => ({ userId: null, via: 'mcp' as const, client });

describe('the activity log', () => {
  it('has one line per call: actor, tool, path as written, outcome, bytes, versions', async () => {
    const before = (await call('file_info', { path: 'a.txt' }, { caller: 'client 1.0' })).data.version;
    const written = await call('write_file', { path: './a.txt', content: 'four' }, { caller: 'client 1.0' });
    await call('read_file', { path: '../outside/secret.txt' });
    await call('read_file', { path: 7 });
    await call('nope', {});
    await call('grep_search', { pattern: 'x', output_mode: 'bad' });
    expect(raw().split('\n').length).toBe(7);
    const entries = activity.entries();
    const common = {
      id: expect.any(String),
      time: expect.stringMatching(/^\d{4}-.*Z$/),
      durationMs: expect.any(Number),
    };
    expect(entries).toEqual([
      { ...common, actor: by('client 1.0'), tool: 'file_info', paths: ['a.txt'], outcome: 'ok' },
      {
        ...common,
        actor: by('client 1.0'),
        tool: 'write_file',
        paths: ['./a.txt'],
        outcome: 'ok',
        bytes: 4,
        changes: [{ kind: 'update', path: 'a.txt', before, after: written.data.version, bytes: 4 }],
      },
      { ...common, actor: by(null), tool: 'read_file', paths: ['../outside/secret.txt'], outcome: 'outside' },
      { ...common, actor: by(null), tool: 'read_file', paths: [], outcome: 'invalid_arguments' },
      { ...common, actor: by(null), tool: 'nope', paths: [], outcome: 'unknown_tool' },
      { ...common, actor: by(null), tool: 'grep_search', paths: [], pattern: 'x', outcome: 'refused' },
    ]);
    expect(new Set(entries.map(({ id }) => id)).size).toBe(6);
  });

  it('has no content of files, no written content and no secrets', async () => {
    await call('read_file', { path: 'a.txt' });
    await call('write_file', { path: 'b.txt', content: 'SECRET-WRITTEN' });
    await call('edit_file', { path: 'b.txt', old_string: 'WRITTEN', new_string: 'SECRET-NEW' });
    await call('edit_file', { path: 'b.txt', old_string: 'SECRET-MISSING', new_string: 'x' });
    await call('append_file', { path: 'b.txt', content: 'SECRET-ADDED' });
    await call('grep_search', { pattern: 'secret: SECRET-PATTERN' });
    await call('read_many', { paths: ['a.txt', 'b.txt'] });
    expect(raw()).not.toMatch(/SECRET|CONTENT|WRITTEN/);
    expect(activity.entries()).toHaveLength(7);
  });

  it('escapes control characters in paths, and keeps them in changes for undo', async () => {
    const name = 'evil\u001b[2J\r\n{"id":"forged"}\u202egnp\u2028.txt';
    await call('write_file', { path: name.replaceAll('"', "'"), content: 'x' }, { caller: 'me\nforged line' });
    await call(`tool\u0007${'x'.repeat(500)}`, {});
    const [entry, unknown] = activity.entries();
    expect(entry?.paths[0]).toContain('evil\\u001b[2J\\u000d\\u000a');
    expect(entry?.actor.client).toBe('me\\u000aforged line');
    expect(entry?.changes?.[0]?.path).toBe(name.replaceAll('"', "'"));
    expect(unknown?.tool.length).toBeLessThan(320);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: what a terminal would act on
    expect(raw().replaceAll('\n', '')).not.toMatch(
      /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/,
    );
    expect(raw().trim().split('\n')).toHaveLength(2);
    expect(clean('a'.repeat(400))).toHaveLength(301);
  });

  it('is outside the workspace, readable only by its owner', async () => {
    await call('read_file', { path: 'a.txt' });
    expect(statSync(directory()).mode & 0o777).toBe(0o700);
    for (const name of readdirSync(directory()))
      expect(statSync(join(directory(), name)).mode & 0o777, name).toBe(0o600);
    expect((await call('read_file', { path: join(directory(), logs()[0] as string) })).data.error).toMatch(
      /^Path escapes/,
    );
  });

  it('refuses a change that it cannot record, reports it to the operator, and fails no read', async () => {
    const told: unknown[] = [];
    const blocked = join(base, 'blocked');
    writeFileSync(blocked, '');
    const table = {
      ...bench.table,
      activity: openActivity(blocked, 'x'),
      onInternalError: (error: unknown) => told.push(error),
    };
    const checked = checkedCall(table, [bench.scratch.base]);
    const refused = await checked('write_file', { path: 'b.txt', content: 'x' });
    expect(refused).toMatchObject({
      ok: false,
      data: { error: expect.stringContaining('Nothing was changed') as string },
    });
    expect((await checked('delete_path', { path: 'a.txt' })).ok).toBe(false);
    expect(readdirSync(bench.scratch.workspace)).toEqual(['a.txt']);
    expect(told).toHaveLength(2);
    // An error of a read's record is reported with the next call.
    for (let i = 0; i < 2; i++) {
      expect((await checked('read_file', { path: 'a.txt' })).ok).toBe(true);
      await settled();
    }
    expect(told).toHaveLength(3);
  });

  it('loses no line after a partial line of a process that ended while this one has the log open', async () => {
    await call('read_file', { path: 'a.txt' });
    appendFileSync(join(directory(), logs()[0] as string), '{"id":"half');
    await call('file_info', { path: 'a.txt' });
    expect(activity.entries().map(({ tool }) => tool)).toEqual(['read_file', 'file_info']);
  });

  it.runIf(process.platform === 'linux')('is complete until it is full, and then refuses changes', async () => {
    // The limit of a file's size acts like a full disk: the last write is short, and the next one fails.
    const program = bundleProgram(`
      import { openActivity } from './packages/tools/src/activity/activity-log.ts';
      const [, , base, workspace] = process.argv;
      const activity = openActivity(base, workspace);
      const actor = { userId: null, via: 'mcp', client: null };
      const changes = [{ kind: 'mkdir', path: 'p'.repeat(700) }];
      for (let recorded = 0; recorded < 1_000; recorded++)
        try {
          activity.begin({ tool: 't', actor, started: 0, paths: () => [] }).intend(changes);
        } catch ({ code }) {
          process.stdout.write(recorded + ' ' + code);
          break;
        }`);
    const node = [process.execPath, '--input-type=module', '-', base, bench.scratch.workspace];
    const child = spawn('sh', ['-c', 'ulimit -f 16; exec "$@"', 'sh', ...node], {
      cwd: root,
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    child.stdin.end(program);
    const [count, code] = (await text(child.stdout)).split(' ');
    expect([Number(count) > 2, code]).toEqual([true, 'io']);
    expect(() =>
      raw()
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as unknown),
    ).not.toThrow();
    expect(activity.entries()).toHaveLength(Number(count));
    await call('write_file', { path: 'b.txt', content: 'x' });
    expect(activity.entries()).toHaveLength(Number(count) + 1);
  });

  it('is empty before the first call, and creates no directory', () => {
    expect(activity.entries()).toEqual([]);
    expect(existsSync(directory())).toBe(false);
  });

  it('skips lines that are JSON but no entry', () => {
    const entry = { id: 'q', time: '2026-01-01T00:00:00.000Z', outcome: 'ok', paths: ['a'], actor: {} };
    expect(readEntry(entry)).toBeDefined();
    for (const wrong of [
      { paths: 5 },
      { paths: [5] },
      { changes: {} },
      { changes: [{ kind: 'create' }] },
      { changes: [null] },
      { undoes: 'q' },
      { outcome: 1 },
    ])
      expect(readEntry({ ...entry, ...wrong }), JSON.stringify(wrong)).toBeUndefined();
  });

  it('loses no line after a partial line of a killed process', async () => {
    await call('read_file', { path: 'a.txt' });
    activity.close();
    appendFileSync(join(directory(), logs()[0] as string), '{"id":"half');
    await call('file_info', { path: 'a.txt' });
    expect(activity.entries().map(({ tool }) => tool)).toEqual(['read_file', 'file_info']);
  });
});

/** Records a call, with changes or without. */
const record = (tool: string, more: { paths?: readonly string[]; changes?: readonly Change[] } = {}): void =>
  activity
    .begin({ tool, actor: by('w'), started: Date.now(), paths: () => more.paths ?? [] })
    .finish({ outcome: 'ok', changes: more.changes });
const CHANGE: Change = { kind: 'update', path: 'a.txt', before: 'b', after: 'a', trash: 't' };

describe('entries of calls that changed nothing', () => {
  it('are written at once when the log was closed, because its directory may soon be removed', () => {
    record('read_file');
    activity.close();
    record('file_info');
    expect(raw().trimEnd().split('\n')).toHaveLength(2);
  });

  it('have at most 2 KiB each, with the number of paths left out', async () => {
    const worst = '\u202e'.repeat(300);
    for (const path of ['p'.repeat(300), 'é'.repeat(300), worst])
      record('read_many', { paths: Array.from({ length: 500 }, () => path) });
    await call(`tool${'\u0000'.repeat(500)}`, { path: worst }, { caller: worst });
    for (const line of raw().trim().split('\n')) expect(Buffer.byteLength(`${line}\n`)).toBeLessThanOrEqual(2_048);
    for (const entry of activity.entries().slice(0, 3)) expect(entry.paths.length + (entry.morePaths ?? 0)).toBe(500);
  });

  it('never displace changes', async () => {
    await call('write_file', { path: 'a.txt', content: 'changed' });
    const [change] = activity.entries();
    const paths = Array.from({ length: 20 }, () => 'p'.repeat(300));
    for (let i = 0; i < 10_000; i++) record('read_many', { paths });
    expect(activity.entries().find(({ id }) => id === change?.id)).toEqual(change);
    const { changes, reads } = activity.dropped();
    expect(changes).toBe(0);
    expect(reads).toBeGreaterThan(0);
    expect(reads + activity.entries().length).toBe(10_001);
  });
});

describe('entries of changes', () => {
  it('are complete at any length', async () => {
    const path = `${'d'.repeat(200)}/`.repeat(15);
    record('copy_path', { paths: [path, path], changes: [{ ...CHANGE, path }] });
    expect(activity.entries()).toMatchObject([{ paths: [path, path], changes: [{ path }] }]);
  });

  it('replace an earlier line of the same call', () => {
    const pending = activity.begin({ tool: 'write_file', actor: by('w'), started: 0, paths: () => ['d/a'] });
    pending.intend([{ kind: 'mkdir', path: 'd' }]);
    pending.intend([
      { kind: 'mkdir', path: 'd' },
      { kind: 'create', path: 'd/a' },
    ]);
    expect(activity.entries()).toMatchObject([
      { id: pending.id, outcome: 'ok', changes: [{ path: 'd' }, { path: 'd/a' }] },
    ]);
    pending.withdraw();
    pending.finish({ outcome: 'io' });
    expect(activity.entries()).toMatchObject([{ id: pending.id, outcome: 'io' }]);
    expect(activity.entries()[0]?.changes).toBeUndefined();
  });

  it('of a cancelled call are recorded too', () => {
    const pending = activity.begin({ tool: 'copy_path', actor: by('w'), started: 0, paths: () => ['a'] });
    pending.finish({ outcome: 'deadline' });
    expect(activity.entries()).toMatchObject([{ outcome: 'deadline' }]);
    pending.intend([CHANGE]);
    pending.done();
    expect(activity.entries()).toMatchObject([{ id: pending.id, outcome: 'ok', changes: [CHANGE] }]);
  });
});

it('reads the log of earlier versions, and keeps its changes until the new log is full', () => {
  const old = (id: string, who: string, more: object = {}) =>
    `${JSON.stringify({ id, time: '2026-01-01T00:00:00.000Z', who, tool: 't', paths: [], outcome: 'ok', durationMs: 0, ...more })}\n`;
  record('first');
  activity.close();
  writeFileSync(
    join(directory(), 'log.3.ndjson'),
    old('1', 'client', { changes: [CHANGE] }) +
      old('2', 'page of ann') +
      old('3', 'api key of bob') +
      old('4', 'person'),
  );
  expect(activity.entries().map(({ id, actor }) => (id.length === 1 ? [id, actor] : []))).toEqual([
    ['1', { userId: null, via: 'mcp', client: 'client' }],
    ['2', { userId: 'ann', via: 'page', client: null }],
    ['3', { userId: 'bob', via: 'api', client: null }],
    ['4', { userId: null, via: 'cli', client: null }],
    [],
  ]);
  const big = { changes: [{ ...CHANGE, path: 'p'.repeat(60_000) }] };
  for (let i = 0; i < 150; i++) record('write_file', big);
  expect(activity.dropped().changes).toBe(1);
  expect(activity.entries().every(({ id }) => id.length > 1)).toBe(true);
});

let bundled: string | undefined;
/** A program that appends many entries. */
const appender = () =>
  (bundled ??= bundleProgram(`
    import { openActivity } from './packages/tools/src/activity/activity-log.ts';
    const [, , base, workspace, family, client] = process.argv;
    const activity = openActivity(base, workspace);
    const path = 'p'.repeat(family === 'changes' ? 6_000 : 280);
    const changes = family === 'changes' ? [{ kind: 'mkdir', path }] : [];
    const actor = { userId: null, via: 'mcp', client };
    for (let i = 0; i < (family === 'changes' ? 300 : 2_000); i++) {
      const paths = Array.from({ length: changes.length ? 1 : 5 }, () => path);
      activity.begin({ tool: String(i), actor, started: 0, paths: () => paths }).finish({ outcome: 'ok', changes });
    }
    activity.close();`));

describe.each(['reads', 'changes'])('the bound of the log of %s', (family) => {
  const file = (number: number) => `${family}.${number}.ndjson`;
  const changes = family === 'changes' ? [CHANGE] : [];
  const logged = () => logs().filter((name) => name.startsWith(family));
  const full = (number: number) => {
    const at = join(directory(), file(number));
    const time = `200${number}-01-01T00:00:00.000Z`;
    appendFileSync(
      at,
      `${JSON.stringify({ id: `old-${number}`, time, actor: by(null), tool: 't', paths: [], outcome: 'ok', durationMs: 0 })}\n`,
    );
    truncateSync(at, 8 * 1024 * 1024);
  };

  it('starts a new file at 8 MiB, keeps one old file, and counts dropped entries', async () => {
    for (let n = 1; n <= 4; n++) {
      record('t', { changes });
      await settled();
      expect(logged()).toEqual(n === 1 ? [file(1)] : [file(n - 1), file(n)]);
      activity.close();
      full(n);
    }
    record('last', { changes });
    await settled();
    expect(logged()).toEqual([file(4), file(5)]);
    expect(activity.entries().map(({ tool }) => tool)).toContain('last');
    // Files 1 to 3, each with one recorded call and one filler.
    expect(activity.dropped()).toEqual({ changes: 0, reads: 0, [family]: 6 });
  });

  it('and its lines stay intact while several processes append and start new files', async () => {
    const run = async (who: string) => {
      const given = [base, bench.scratch.workspace, family, who];
      const child = spawn(process.execPath, ['--input-type=module', '-', ...given], {
        cwd: root,
        stdio: ['pipe', 'ignore', 'inherit'],
      });
      child.stdin.end(appender());
      const [code] = (await once(child, 'exit')) as [number | null];
      return code;
    };
    expect(await Promise.all(['one', 'two', 'three'].map(run))).toEqual([0, 0, 0]);
    const lines = raw().split('\n').filter(Boolean);
    expect(() => lines.map((line) => JSON.parse(line))).not.toThrow();
    // More than one file and less than three: no entry is dropped yet.
    const total = family === 'changes' ? 900 : 6_000;
    expect(new Set(activity.entries().map(({ id }) => id)).size).toBe(total);
    expect([logged(), activity.dropped()]).toEqual([[file(1), file(2)], { changes: 0, reads: 0 }]);
  });
});
