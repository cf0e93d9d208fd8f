// Every result fits into 1 MiB (the checked call of these tests throws otherwise), and a cut result can be continued.
import { execFileSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { closeSearchWorkers } from '@croft/workspace';
import { memoryDir } from '@croft/workspace/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Bench, makeBench } from './testing.ts';

const MIB = 1_048_576;
const TEN_MB = 10_485_760;
let files: Bench;
const sets: Partial<Record<'full' | 'explore' | 'basic', Bench>> = {};
const host = (path: string) => join(files.scratch.workspace, path);
/** A path with the longest possible JSON: control characters have six bytes each. */
const AWKWARD = Array.from({ length: 15 }, () => '\u0001'.repeat(250)).join('/');
/** The sorted names of a directory with 100,000 entries. */
const CROWD = Array.from({ length: 100_000 }, (_, i) => `${String(i).padStart(6, '0')}-a-name-that-is-not-short.txt`);

beforeAll(() => {
  files = makeBench('files', ['small.txt'], { above: memoryDir() });
  writeFileSync(host('control.txt'), '\u0001'.repeat(TEN_MB));
  writeFileSync(host('control-lines.txt'), `${'\u0001'.repeat(99)}\n`.repeat(100_000));
  writeFileSync(host('line.txt'), 'x'.repeat(TEN_MB));
  writeFileSync(host('empty-lines.txt'), '\n'.repeat(TEN_MB));
  writeFileSync(
    host('mixed.txt'),
    Array.from({ length: 30_000 }, (_, i) => `${i} é "quoted" \\ ${'ab'.repeat(i % 40)}`).join('\n'),
  );
  mkdirSync(host('crowd'));
  // Seven times as fast as creating them in this process.
  execFileSync('xargs', ['touch'], { cwd: host('crowd'), input: CROWD.join('\n') });
  mkdirSync(host(AWKWARD), { recursive: true });
  writeFileSync(host(`${AWKWARD}/f.txt`), 'x'.repeat(3_000_000));
  mkdirSync(host('odd'));
  for (let i = 0; i < 1_200; i++) writeFileSync(host(`odd/${'\u0002'.repeat(200)}${i}`), '');
  const fd = openSync(host('huge.log'), 'w');
  for (let i = 0; i < 11; i++) writeSync(fd, `${String(i).repeat(99)}\n`.repeat(10_000));
  closeSync(fd);
});
afterAll(async () => {
  for (const bench of Object.values(sets)) bench.workspace.close();
  for (const bench of Object.values(sets)) bench.scratch.remove();
  files.close();
  await closeSearchWorkers();
});

/** The tools of another set for the same workspace. */
const over = (toolset: 'full' | 'explore' | 'basic'): Bench['call'] => {
  const bench = (sets[toolset] ??= makeBench(toolset, [], { over: files.workspace }));
  return bench.call;
};

/** Reads page by page and joins the lines. */
async function readOn(call: Bench['call'], path: string, limit?: number): Promise<{ text: string; pages: number }> {
  const lines: string[] = [];
  let pages = 0;
  for (let offset: number | undefined = 1; offset !== undefined; pages++) {
    const { data, ok } = await call('read_file', { path, offset, limit });
    if (!ok) throw new Error(String(data.error));
    const shown = data.num_lines === 0 ? [] : String(data.content).split('\n');
    expect(shown.length).toBe(data.num_lines);
    const from = offset;
    // An assertion for each of 250,000 lines would cost more than to read them.
    const wrong = shown.find((line, i) => Number(line.slice(0, line.indexOf('→'))) !== from + i);
    expect(wrong).toBeUndefined();
    for (const line of shown) lines.push(line.slice(line.indexOf('→') + 1));
    expect(data.truncated === true).toBe(data.next_offset !== undefined);
    offset = data.next_offset as number | undefined;
  }
  return { text: lines.join('\n'), pages };
}

describe('read_file', () => {
  it('pages together are the whole file', async () => {
    const { text, pages } = await readOn(files.call, 'mixed.txt');
    expect(pages).toBeGreaterThan(1);
    expect(
      text === Array.from({ length: 30_000 }, (_, i) => `${i} é "quoted" \\ ${'ab'.repeat(i % 40)}`).join('\n'),
    ).toBe(true);
    expect((await readOn(over('full'), 'mixed.txt')).text === text).toBe(true);
  });

  it('also for control characters, which have six bytes each in a result', async () => {
    const first = (await files.call('read_file', { path: 'control-lines.txt', limit: 3_000 })).data;
    expect(first).toMatchObject({ truncated: true, total_lines: 100_000 });
    const second = (await files.call('read_file', { path: 'control-lines.txt', offset: first.next_offset, limit: 2 }))
      .data;
    expect(second).toMatchObject({ start_line: first.next_offset, num_lines: 2 });
    expect(second).not.toHaveProperty('truncated');
  });

  it('also for a file above the whole-file limit, in full', async () => {
    const { text, pages } = await readOn(over('full'), 'huge.log');
    expect(pages).toBeGreaterThan(10);
    expect(
      text ===
        Array.from({ length: 11 }, (_, i) => `${String(i).repeat(99)}\n`.repeat(10_000))
          .join('')
          .slice(0, -1),
    ).toBe(true);
    expect((await files.call('read_file', { path: 'huge.log' })).data.error).toMatch(
      /^File size \d+ exceeds limit of 10485760 bytes$/,
    );
  });

  it('a single line above the limit is cut and marked, without a next offset', async () => {
    for (const call of [files.call, over('full')]) {
      for (const path of ['line.txt', 'control.txt']) {
        const { data } = await call('read_file', { path });
        expect(data).toMatchObject({ truncated: true, line_truncated: true, num_lines: 1, total_lines: 1 });
        expect(data).not.toHaveProperty('next_offset');
        expect('next_column' in data).toBe(call !== files.call);
        expect(Buffer.byteLength(JSON.stringify(data))).toBeGreaterThan(MIB * 0.9);
      }
    }
  });

  it('a line above the limit can be continued by column, in full, in files of any size', async () => {
    const call = over('full');
    const long = (chars: number) => 'é😀\t"x'.repeat(chars / 6);
    for (const [path, line] of [
      ['column.txt', long(1_800_000)],
      ['column-huge.txt', long(7_200_000)],
    ] as const) {
      writeFileSync(host(path), `\ufefffirst\r\n${line}\r\nlast\n`);
      let shown = '';
      let pages = 0;
      for (let column: number | undefined = 1; column !== undefined; pages++) {
        const { data } = await call('read_file', { path, offset: 2, column });
        expect(data).toMatchObject({ start_line: 2, num_lines: 1, total_lines: 3, truncated: true, next_offset: 3 });
        if (path === 'column.txt') expect(data.encoding).toBe('utf-8-bom');
        else expect(data).not.toHaveProperty('encoding');
        shown += String(data.content).slice('     2→'.length);
        column = data.next_column as number | undefined;
      }
      expect([shown === line, pages > 3]).toEqual([true, true]);
      expect((await call('read_file', { path, column: 3 })).data).toMatchObject({ content: '     1→rst' });
      const beyond = (await call('read_file', { path, offset: 3, column: 99 })).data;
      expect(beyond).toMatchObject({ content: '     3→', num_lines: 1 });
      const [window, many] = [
        (await call('read_file', { path, offset: 2 })).data,
        ((await call('read_many', { paths: [path] })).data.files as Record<string, unknown>[])[0],
      ];
      expect(window).toMatchObject({ line_truncated: true, next_offset: 3 });
      expect(many).toMatchObject({ num_lines: 1, next_offset: 2 });
    }
    expect((await files.call('read_file', { path: 'line.txt' })).data).not.toHaveProperty('next_column');
    expect((await files.call('read_file', { path: 'line.txt', column: 2 })).data.error).toMatch(/Unrecognized key/);
  });

  it('also for text that is not UTF-8', async () => {
    const line = Buffer.alloc(11_000_000, Buffer.from([0x61, 0xe9, 0x81, 0xe2, 0x82]));
    writeFileSync(host('latin.txt'), line);
    let shown = '';
    for (let column: number | undefined = 1; column !== undefined; ) {
      const { data } = await over('full')('read_file', { path: 'latin.txt', column });
      expect(data).toMatchObject({ encoding: 'unknown-8bit', total_lines: 1 });
      shown += String(data.content).slice('     1→'.length);
      column = data.next_column as number | undefined;
    }
    expect(shown === line.toString('utf8')).toBe(true);
  });

  it('line numbers above six digits count towards the limit', async () => {
    const { data } = await files.call('read_file', { path: 'empty-lines.txt', offset: 10_400_000 });
    expect(data).toMatchObject({ start_line: 10_400_000, truncated: true });
    expect((await over('full')('read_file', { path: 'empty-lines.txt', offset: 10_400_000 })).ok).toBe(true);
  });

  it('an awkward path leaves less room for the content', async () => {
    expect((await files.call('read_file', { path: `${AWKWARD}/f.txt` })).data.truncated).toBe(true);
    expect((await over('full')('read_many', { paths: Array.from({ length: 100 }, () => `${AWKWARD}/f.txt`) })).ok).toBe(
      true,
    );
  });
});

describe('directories of 100,000 entries', () => {
  it('list_dir pages through all of them', async () => {
    const call = over('full');
    // Each page sorts the whole directory, so the test reads only the first, middle and last pages.
    for (const [from, pages] of [
      [0, 2],
      [54_321, 1],
      [85_000, 10],
    ] as const) {
      let offset: number | undefined = from;
      for (let page = 0; page < pages && offset !== undefined; page++) {
        const { data } = await call('list_dir', { path: 'crowd', offset, limit: 10_000 });
        expect(data.total).toBe(100_000);
        const shown = (data.entries as { name: string }[]).map(({ name }) => name);
        expect(shown.length).toBeGreaterThan(1_000);
        expect(shown.join('\n') === CROWD.slice(offset, offset + shown.length).join('\n')).toBe(true);
        const next: number = offset + shown.length;
        expect(data.next_offset).toBe(next < 100_000 ? next : undefined);
        offset = data.next_offset as number | undefined;
      }
      if (from === 85_000) expect(offset).toBeUndefined();
    }
  });

  it('the other tools stop at their limits and say so', async () => {
    expect((await over('full')('get_file_tree', { path: 'crowd', limit: 5_000 })).data).toMatchObject({
      entries: 5_000,
      truncated: true,
    });
    expect((await over('full')('get_file_tree', { path: 'odd', limit: 5_000 })).data.truncated).toBe(true);
    const glob = (await files.call('glob_search', { pattern: '**/*' })).data;
    expect([(glob.matches as string[]).length, glob.truncated]).toEqual([100, true]);
    const grep = (await files.call('grep_search', { pattern: 'x', path: 'crowd' })).data;
    expect(grep).toMatchObject({ matches: [], truncated: false });
    const { text } = await over('basic')('list_dir', { path: 'crowd' });
    expect(text).toMatch(/\n\[truncated: this is the beginning, \d+ of \d+ bytes; this tool cannot show the rest\]$/);
    const listed = (await over('explore')('list-files', { dirPath: 'crowd', maxResults: 1_000 })).data;
    expect(listed).toMatchObject({ truncated: true });
    expect(listed.files).toHaveLength(1_000);
    expect((await over('explore')('list-files', { dirPath: 'odd', maxResults: 1_000 })).data.truncated).toBe(true);
    expect((await over('explore')('get-file-tree', { dirPath: 'crowd' })).data.tree).toMatch(
      /\n {2}\.\.\. \(truncated at 200 entries\)$/,
    );
  });
});

describe('searching', () => {
  it('thousands of hits, and hits in lines longer than any result', async () => {
    for (const call of [files.call, over('full')]) {
      const hits = (await call('grep_search', { pattern: 'quoted', path: 'mixed.txt', output_mode: 'content' })).data;
      expect([(hits.matches as unknown[]).length, hits.truncated]).toEqual([250, true]);
      const long = (await call('grep_search', { pattern: 'xxx', path: 'line.txt', output_mode: 'content' })).data;
      expect((long.matches as { line: string }[])[0]?.line.length).toBeGreaterThan(1_000);
      expect(
        (await call('grep_search', { pattern: '\u0001', path: 'control-lines.txt', output_mode: 'content' })).data
          .truncated,
      ).toBe(true);
      expect((await call('grep_search', { pattern: 'x', path: AWKWARD })).ok).toBe(true);
    }
  });

  it('a list with too many paths for a result is cut and marked', async () => {
    for (let i = 0; i < 1_200; i++) writeFileSync(host(`odd/${'\u0002'.repeat(200)}${i}`), 'needle');
    expect((await files.call('grep_search', { pattern: 'needle', path: 'odd' })).data).toMatchObject({
      truncated: true,
    });
    expect((await files.call('glob_search', { pattern: '*', path: 'odd' })).data).toMatchObject({ truncated: true });
    expect((await over('explore')('search-files', { dirPath: 'odd', query: 'needle', maxResults: 100 })).ok).toBe(true);
  });
});

describe('read_many, read_media, edit_file', () => {
  it('read_many names files that did not fit', async () => {
    const paths = ['mixed.txt', 'small.txt', 'control.txt', 'huge.log', 'no.txt', 'small.txt'];
    const { data } = await over('full')('read_many', { paths });
    const read = data.files as { path: string; truncated?: boolean; next_offset?: number; num_lines: number }[];
    expect([...read.map(({ path }) => path), ...((data.not_read as string[]) ?? [])]).toEqual(paths);
    expect(data.truncated).toBe(true);
    expect(read[0]).toMatchObject({ truncated: true, next_offset: (read[0]?.num_lines ?? 0) + 1 });
  });

  it('read_media returns files that fit as base64 and refuses larger ones', async () => {
    const pdf = (size: number) => Buffer.concat([Buffer.from('%PDF-1.7'), Buffer.alloc(size - 8)]);
    writeFileSync(host('fits.pdf'), pdf(780_000));
    writeFileSync(host('over.pdf'), pdf(790_000));
    expect((await over('full')('read_media', { path: 'fits.pdf' })).media).toHaveLength(1);
    expect((await over('full')('read_media', { path: 'over.pdf' })).data.error).toMatch(
      /^File size 790000 exceeds limit of \d+ bytes$/,
    );
    writeFileSync(host(`${AWKWARD}/m.pdf`), pdf(700_000));
    expect((await over('full')('read_media', { path: `${AWKWARD}/m.pdf` })).ok).toBe(true);
  });

  it('edit_file cuts its diff, and in files its echo', async () => {
    writeFileSync(host('edit.txt'), `${'old line\n'.repeat(150_000)}`);
    expect(
      (await over('full')('edit_file', { path: 'edit.txt', old_string: 'old', new_string: 'new', replace_all: true }))
        .data,
    ).toMatchObject({ replacements: 150_000, truncated: true });
    const whole = 'new line\n'.repeat(150_000);
    const { data } = await files.call('edit_file', { path: 'edit.txt', old_string: whole, new_string: 'short' });
    expect(data).toEqual({ status: 'ok', path: 'edit.txt', replacements: 1, truncated: true });
    const missed = await over('full')('edit_file', {
      path: 'line.txt',
      old_string: `y${'x'.repeat(5_000_000)}`,
      new_string: '',
    });
    expect(missed.ok).toBe(false);
  });
});

describe('what a caller sends does not come back without bound', () => {
  const long = 'y'.repeat(3_000_000);

  it('as a path, a pattern, a name or an argument', async () => {
    const calls: [Bench['call'], string, object][] = [
      [files.call, 'read_file', { path: long }],
      [files.call, 'read_file', { [long]: 1 }],
      [files.call, 'read_file', { path: { [long]: 1 } }],
      [files.call, 'glob_search', { pattern: long }],
      [files.call, 'glob_search', { pattern: '*', path: long }],
      [files.call, 'grep_search', { pattern: long, path: 'small.txt' }],
      [files.call, 'grep_search', { pattern: 'x', path: long, glob: long }],
      [files.call, 'grep_search', { pattern: 'x', output_mode: long }],
      [files.call, long, {}],
      [over('full'), 'move_path', { source: long, destination: long }],
      [over('full'), 'copy_path', { source: 'small.txt', destination: long }],
      [over('full'), 'create_dir', { path: long }],
      [over('full'), 'read_many', { paths: Array.from({ length: 100 }, () => 'z'.repeat(30_000)) }],
      [over('full'), 'edit_file', { path: 'small.txt', old_string: 'q', new_string: 'x', expected_version: long }],
      [over('explore'), 'get-file-tree', { dirPath: long }],
      [over('explore'), 'read-file', { filePath: `/${long}` }],
      [over('explore'), 'search-files', { dirPath: '.', query: `(${long}` }],
      [over('explore'), 'list-files', { dirPath: 'odd', pattern: long }],
      [over('basic'), 'read_file', { path: long }],
      [over('basic'), 'write_file', { path: long, content: 'x' }],
    ];
    for (const [call, name, input] of calls) {
      const { data, text } = await call(name, input);
      expect(
        JSON.stringify(data).length + (text ?? '').length,
        `${name.slice(0, 20)} ${Object.keys(input)
          .map((key) => key.slice(0, 20))
          .join()}`,
      ).toBeLessThan(200_000);
    }
    expect(
      (await over('full')('read_many', { paths: Array.from({ length: 100 }, () => long) })).data.files,
    ).toHaveLength(100);
  });
});

describe('basic and explore', () => {
  it('are cut between characters', async () => {
    for (const path of ['line.txt', 'control.txt', 'mixed.txt']) {
      const { text } = await over('basic')('read_file', { path });
      expect(text).toMatch(/\n\[truncated: this is the beginning, \d+ of \d+ bytes; this tool cannot show the rest\]$/);
    }
    writeFileSync(host('half.txt'), '\u0001'.repeat(500_000));
    const { content, truncated } = (await over('explore')('read-file', { filePath: 'half.txt' })).data;
    expect([String(content).length > 100_000, truncated]).toEqual([true, true]);
  });
});
