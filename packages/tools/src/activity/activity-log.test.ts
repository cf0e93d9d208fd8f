import { spawn } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { closeSearchWorkers } from '@croft/workspace';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Bench, type Call, checkedCall, makeBench } from '../testing.ts';
import { type Activity, activityDir, openActivity } from './activity-log.ts';
import { clean } from './printable-text.ts';

let bench: Bench;
let base: string;
let activity: Activity;
let call: Call;
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'croft-activity-'));
  bench = makeBench('full', ['a.txt = CONTENT']);
  activity = openActivity(base, bench.scratch.workspace);
  const checked = checkedCall({ ...bench.table, activity }, [bench.scratch.base, base]);
  call = async (...args) => {
    const result = await checked(...args);
    // Records of calls that changed nothing are written together, a moment later.
    await settled();
    return result;
  };
});
afterEach(() => {
  activity.close();
  bench.close();
  rmSync(base, { recursive: true, force: true });
});
afterAll(() => closeSearchWorkers());

const settled = () => new Promise((resolve) => setImmediate(resolve));
const directory = () => activityDir(base, bench.scratch.workspace);
const logs = () =>
  readdirSync(directory())
    .filter((name) => name.endsWith('.ndjson'))
    .toSorted();
const raw = () =>
  logs()
    .map((name) => readFileSync(join(directory(), name), 'utf8'))
    .join('');

describe('the activity log', () => {
  it('has one line for each call: who, tool, path as written, outcome, bytes, versions', async () => {
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
      { ...common, who: 'client 1.0', tool: 'file_info', paths: ['a.txt'], outcome: 'ok' },
      {
        ...common,
        who: 'client 1.0',
        tool: 'write_file',
        paths: ['./a.txt'],
        outcome: 'ok',
        bytes: 4,
        changes: [{ kind: 'update', path: 'a.txt', before, after: written.data.version, bytes: 4 }],
      },
      { ...common, who: 'unknown', tool: 'read_file', paths: ['../outside/secret.txt'], outcome: 'outside' },
      { ...common, who: 'unknown', tool: 'read_file', paths: [], outcome: 'invalid_arguments' },
      { ...common, who: 'unknown', tool: 'nope', paths: [], outcome: 'unknown_tool' },
      { ...common, who: 'unknown', tool: 'grep_search', paths: [], pattern: 'x', outcome: 'refused' },
    ]);
    expect(new Set(entries.map(({ id }) => id)).size).toBe(6);
  });

  it('holds no content of files, and nothing of what was written or looks like a secret', async () => {
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

  it('takes control characters out of what is shown, and keeps them where undo needs them', async () => {
    const name = 'evil\u001b[2J\r\n{"id":"forged"}\u202egnp\u2028.txt';
    await call('write_file', { path: name.replaceAll('"', "'"), content: 'x' }, { caller: 'me\nforged line' });
    await call(`tool\u0007${'x'.repeat(500)}`, {});
    const [entry, unknown] = activity.entries();
    expect(entry?.paths[0]).toContain('evil\\u001b[2J\\u000d\\u000a');
    expect(entry?.who).toBe('me\\u000aforged line');
    expect(entry?.changes?.[0]?.path).toBe(name.replaceAll('"', "'"));
    expect(unknown?.tool.length).toBeLessThan(320);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: what a terminal would act on
    expect(raw().replaceAll('\n', '')).not.toMatch(
      /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/,
    );
    expect(raw().trim().split('\n')).toHaveLength(2);
    expect(clean('a'.repeat(400))).toHaveLength(301);
  });

  it('lies where no agent can reach it, readable by its owner alone', async () => {
    await call('read_file', { path: 'a.txt' });
    expect(statSync(directory()).mode & 0o777).toBe(0o700);
    for (const name of readdirSync(directory()))
      expect(statSync(join(directory(), name)).mode & 0o777, name).toBe(0o600);
    expect((await call('read_file', { path: join(directory(), logs()[0] as string) })).data.error).toMatch(
      /^Path escapes/,
    );
  });

  it('that cannot be written tells the operator and fails no call', async () => {
    const told: unknown[] = [];
    const blocked = join(base, 'blocked');
    writeFileSync(blocked, '');
    const table = {
      ...bench.table,
      activity: openActivity(blocked, 'x'),
      onInternalError: (error: unknown) => told.push(error),
    };
    const checked = checkedCall(table, [bench.scratch.base]);
    expect((await checked('write_file', { path: 'b.txt', content: 'x' })).ok).toBe(true);
    expect(told).toHaveLength(1);
    // Of a read it is told with the next call.
    for (let i = 0; i < 2; i++) {
      expect((await checked('read_file', { path: 'a.txt' })).ok).toBe(true);
      await settled();
    }
    expect(told).toHaveLength(2);
  });

  it('is empty before the first call, and makes no directory to say so', () => {
    expect(activity.entries()).toEqual([]);
    expect(existsSync(directory())).toBe(false);
  });

  it('loses no line to one that a killed process left half', async () => {
    await call('read_file', { path: 'a.txt' });
    activity.close();
    appendFileSync(join(directory(), logs()[0] as string), '{"id":"half');
    await call('file_info', { path: 'a.txt' });
    expect(activity.entries().map(({ tool }) => tool)).toEqual(['read_file', 'file_info']);
  });
});

describe('its bound', () => {
  const full = (number: number) => {
    const file = join(directory(), `log.${number}.ndjson`);
    writeFileSync(
      file,
      `${JSON.stringify({ id: `old-${number}`, time: `200${number}-01-01T00:00:00.000Z`, who: '', tool: 't', paths: [], outcome: 'ok', durationMs: 0 })}\n`,
      { flag: 'a' },
    );
    truncateSync(file, 8 * 1024 * 1024);
  };

  it('begins a new file at 8 MiB and keeps one old one', async () => {
    for (let n = 1; n <= 4; n++) {
      await call('read_file', { path: 'a.txt' });
      expect(logs()).toEqual(n === 1 ? ['log.1.ndjson'] : [`log.${n - 1}.ndjson`, `log.${n}.ndjson`]);
      activity.close();
      full(n);
    }
    await call('read_file', { path: 'a.txt' });
    expect(logs()).toEqual(['log.4.ndjson', 'log.5.ndjson']);
    expect(activity.entries().map(({ tool }) => tool)).toContain('read_file');
  });

  it('holds over many calls in one process', async () => {
    const paths = Array.from({ length: 20 }, () => 'p'.repeat(300));
    for (let i = 0; i < 2_000; i++) activity.append({ who: 'w', tool: 't', paths, outcome: 'ok', durationMs: 0 });
    expect([logs(), activity.entries().length]).toEqual([['log.1.ndjson', 'log.2.ndjson'], 2_000]);
    for (let i = 0; i < 2_000; i++) activity.append({ who: 'w', tool: 'late', paths, outcome: 'ok', durationMs: 0 });
    const sizes = logs().map((name) => statSync(join(directory(), name)).size);
    expect(sizes.length).toBe(2);
    for (const size of sizes) expect(size).toBeLessThan(9 * 1024 * 1024);
    const entries = activity.entries();
    expect(entries.at(-1)?.tool).toBe('late');
    expect(entries.every((entry, i) => i === 0 || entry.time >= (entries[i - 1] as typeof entry).time)).toBe(true);
  });

  it('and its lines hold while several processes append and begin new files', async () => {
    const script = `
      const { openActivity } = await import('@croft/tools');
      const activity = openActivity(${JSON.stringify(base)}, ${JSON.stringify(bench.scratch.workspace)});
      const paths = Array.from({ length: 20 }, () => 'p'.repeat(300));
      for (let i = 0; i < 800; i++) activity.append({ who: process.argv[1], tool: String(i), paths, outcome: 'ok', durationMs: 0 });
      activity.close();`;
    const run = (who: string) =>
      new Promise<number | null>((resolve) => {
        const child = spawn(
          process.execPath,
          ['--conditions=source', '--import', 'tsx', '--input-type=module', '-e', script, who],
          {
            cwd: fileURLToPath(new URL('../../../..', import.meta.url)),
            env: { ...process.env, TSX_DISABLE_CACHE: '1' },
            stdio: ['ignore', 'ignore', 'inherit'],
          },
        );
        child.on('exit', resolve);
      });
    expect(await Promise.all(['one', 'two', 'three'].map(run))).toEqual([0, 0, 0]);
    const lines = raw().split('\n').filter(Boolean);
    expect(() => lines.map((line) => JSON.parse(line))).not.toThrow();
    // 2,400 lines of 6 KB pass the bound once: nothing is dropped yet, whoever began the second file.
    expect(activity.entries()).toHaveLength(2_400);
    expect(new Set(activity.entries().map(({ id }) => id)).size).toBe(2_400);
    expect(logs()).toEqual(['log.1.ndjson', 'log.2.ndjson']);
  });
});
