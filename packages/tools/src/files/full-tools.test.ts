import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { closeSearchWorkers } from '@croft/workspace';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { type Bench, makeBench } from '../testing.ts';

let bench: Bench;
afterEach(() => bench.close());
afterAll(() => closeSearchWorkers());
const setUp = (lines: readonly string[] = []): Bench['call'] => {
  bench = makeBench('full', lines);
  return bench.call;
};
const host = (path: string) => join(bench.scratch.workspace, path);
const text = (path: string) => readFileSync(host(path), 'utf8');
const VERSION = /^[0-9a-z]+-[0-9a-z]+-[0-9a-z]+$/;

describe('the results of full', () => {
  it('have these fields and match their output schemas', async () => {
    const call = setUp(['a.txt = one', 'd/b.txt']);
    const version = expect.stringMatching(VERSION);
    const rows: [string, object, object][] = [
      [
        'read_file',
        { path: 'a.txt' },
        { status: 'ok', path: 'a.txt', content: '     1→one', total_lines: 1, start_line: 1, num_lines: 1, version },
      ],
      ['write_file', { path: 'n.txt', content: 'x' }, { status: 'created', path: 'n.txt', bytes_written: 1, version }],
      [
        'append_file',
        { path: 'n.txt', content: 'yz' },
        { status: 'updated', path: 'n.txt', bytes_written: 2, version },
      ],
      [
        'edit_file',
        { path: 'n.txt', old_string: 'x', new_string: 'X' },
        { status: 'ok', path: 'n.txt', replacements: 1, diff: expect.stringContaining('-xyz'), version },
      ],
      [
        'list_dir',
        {},
        {
          status: 'ok',
          path: '.',
          total: 3,
          entries: [
            { name: 'd', type: 'directory', modified: expect.any(String) },
            { name: 'a.txt', type: 'file', size: 3, modified: expect.any(String) },
            expect.anything(),
          ],
        },
      ],
      [
        'get_file_tree',
        {},
        { status: 'ok', path: '.', tree: './\n  d/\n    b.txt\n  a.txt\n  n.txt', entries: 4, truncated: false },
      ],
      [
        'file_info',
        { path: 'a.txt' },
        {
          status: 'ok',
          path: 'a.txt',
          type: 'file',
          size: 3,
          modified: expect.any(String),
          created: expect.any(String),
          mode: '644',
          links: 1,
          version,
        },
      ],
      ['create_dir', { path: 'x/y' }, { status: 'created', path: 'x/y' }],
      ['create_dir', { path: 'x/y' }, { status: 'exists', path: 'x/y' }],
      [
        'copy_path',
        { source: 'd', destination: 'e' },
        { status: 'ok', source: 'd', destination: 'e', files: 1, directories: 1, bytes: 7, skipped: 0 },
      ],
      ['move_path', { source: 'e', destination: 'new/e' }, { status: 'ok', source: 'e', destination: 'new/e' }],
      ['delete_path', { path: 'a.txt' }, { status: 'deleted', path: 'a.txt', type: 'file', undoable: false }],
      [
        'delete_path',
        { path: 'new', recursive: true },
        { status: 'deleted', path: 'new', type: 'directory', entries: 2, undoable: false },
      ],
      [
        'read_many',
        { paths: ['d/b.txt', 'no'] },
        {
          status: 'ok',
          files: [
            { path: 'd/b.txt', content: '     1→d/b.txt', total_lines: 1, num_lines: 1, version },
            { path: 'no', error: 'File not found: no' },
          ],
        },
      ],
    ];
    for (const [name, input, data] of rows) {
      const result = await call(name, input);
      expect(result.data, name).toEqual(data);
      expect(result.ok).toBe(true);
      const tool = bench.table.tools.find((candidate) => candidate.name === name);
      if (tool?.output) expect(tool.output.safeParse(result.data).success, name).toBe(true);
    }
  });

  it('name the encoding if it is not UTF-8', async () => {
    const call = setUp();
    writeFileSync(host('u.txt'), Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('hé\nb', 'utf16le')]));
    writeFileSync(host('l.txt'), Buffer.from([0xe9]));
    expect((await call('read_file', { path: 'u.txt' })).data).toMatchObject({
      encoding: expect.stringMatching(/utf-16/),
      content: '     1→hé\n     2→b',
    });
    expect((await call('read_file', { path: 'l.txt' })).data.encoding).toBe('unknown-8bit');
    expect((await call('append_file', { path: 'l.txt', content: 'x' })).data.error).toBe(
      'Refusing to change a file that is not UTF-8 or UTF-16 text: l.txt',
    );
    expect((await call('edit_file', { path: 'u.txt', old_string: 'b', new_string: 'ü' })).ok).toBe(true);
    expect(readFileSync(host('u.txt')).subarray(2).toString('utf16le')).toBe('hé\nü');
  });

  it("apply the operator's ignore list", async () => {
    bench = makeBench('full', ['private/x.txt = hit', 'a.txt = hit'], { workspace: { ignoreNames: ['private'] } });
    expect((await bench.call('get_file_tree', {})).data.tree).toBe('./\n  a.txt');
    expect((await bench.call('grep_search', { pattern: 'hit' })).data.matches).toEqual(['a.txt']);
    expect((await bench.call('list_dir', {})).data.total).toBe(1);
  });
});

describe('expected_version', () => {
  it('that is outdated refuses every mutation, with both versions', async () => {
    const call = setUp(['a.txt = one']);
    const old = (await call('read_file', { path: 'a.txt' })).data.version as string;
    writeFileSync(host('a.txt'), 'changed by a person');
    const now = (await call('file_info', { path: 'a.txt' })).data.version as string;
    const calls: [string, object][] = [
      ['write_file', { content: 'x' }],
      ['append_file', { content: 'x' }],
      ['edit_file', { old_string: 'changed', new_string: 'x' }],
      ['edit_file', { old_string: 'changed', new_string: 'x', dry_run: true }],
      ['delete_path', {}],
    ];
    for (const [name, more] of calls) {
      expect((await call(name, { path: 'a.txt', expected_version: old, ...more })).data, name).toEqual({
        error: `The file has changed: expected version ${old}, found ${now}. Read it again before changing it.`,
        path: 'a.txt',
        expected_version: old,
        actual_version: now,
      });
    }
    expect(text('a.txt')).toBe('changed by a person');
  });

  it('that is current allows one change after the other', async () => {
    const call = setUp(['a.txt = one']);
    let version = (await call('read_file', { path: 'a.txt' })).data.version;
    version = (
      await call('edit_file', { path: 'a.txt', old_string: 'one', new_string: 'two', expected_version: version })
    ).data.version;
    version = (await call('append_file', { path: 'a.txt', content: '!', expected_version: version })).data.version;
    version = (await call('write_file', { path: 'a.txt', content: 'three', expected_version: version })).data.version;
    expect((await call('file_info', { path: 'a.txt' })).data.version).toBe(version);
    expect((await call('delete_path', { path: 'a.txt', expected_version: version })).ok).toBe(true);
    expect((await call('write_file', { path: 'a.txt', content: 'x', expected_version: version })).data).toMatchObject({
      actual_version: 'absent',
    });
    expect((await call('write_file', { path: 'a.txt', content: 'x', expected_version: 'absent' })).data.status).toBe(
      'created',
    );
  });
});

describe('names that are not valid UTF-8', () => {
  it('are listed as far as possible and cause no errors', async () => {
    const call = setUp(['ok.txt = word']);
    writeFileSync(Buffer.concat([Buffer.from(`${bench.scratch.workspace}/bad-`), Buffer.from([0xff, 0xfe])]), 'word');
    mkdirSync(Buffer.concat([Buffer.from(`${bench.scratch.workspace}/dir-`), Buffer.from([0xff])]));
    symlinkSync('ok.txt', host('sym'));
    expect((await call('list_dir', {})).data.total).toBe(4);
    for (const [name, input] of [
      ['get_file_tree', {}],
      ['glob_search', { pattern: '**/*' }],
      ['grep_search', { pattern: 'word' }],
      ['copy_path', { source: '.', destination: 'c' }],
    ] as const) {
      expect(typeof (await call(name, input)).ok, name).toBe('boolean');
    }
    expect((await call('read_file', { path: 'bad-\ufffd\ufffd' })).data.error).toBe('File not found: bad-\ufffd\ufffd');
  });
});

describe('a file that cannot be read or written', () => {
  it.skipIf(process.getuid?.() === 0)('is reported with the system’s text, without its path', async () => {
    const call = setUp(['a.txt']);
    chmodSync(host('a.txt'), 0o000);
    expect((await call('read_file', { path: 'a.txt' })).data.error).toBe('Cannot read file: Permission denied');
  });

  it('a special file is refused at once', async () => {
    const call = setUp();
    const { execFileSync } = await import('node:child_process');
    execFileSync('mkfifo', [host('pipe')]);
    const calls: [string, object][] = [
      ['read_file', { path: 'pipe' }], ['write_file', { path: 'pipe', content: 'x' }], ['edit_file', { path: 'pipe', old_string: 'a', new_string: 'b' }],
      ['append_file', { path: 'pipe', content: 'x' }], ['read_media', { path: 'pipe' }], ['copy_path', { source: 'pipe', destination: 'p' }], ['grep_search', { pattern: 'x', path: 'pipe' }],
    ]; // biome-ignore format: in rows
    for (const [name, input] of calls)
      expect((await call(name, input)).data.error, name).toBe('Not a regular file: pipe');
  });
});

describe('reading a long file without a limit', () => {
  it('shows 2,000 lines and the next offset', async () => {
    const call = setUp();
    writeFileSync(host('long.log'), 'line\n'.repeat(5_000));
    const { data } = await call('read_file', { path: 'long.log' });
    expect(data).toMatchObject({ num_lines: 2_000, total_lines: 5_000, truncated: true, next_offset: 2_001 });
    const all = await call('read_file', { path: 'long.log', limit: 5_000 });
    expect(all.data).toMatchObject({ num_lines: 5_000 });
    expect(all.data).not.toHaveProperty('truncated');
  });
});
