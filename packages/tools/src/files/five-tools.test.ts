// Langflow's test_filesystem.py, with its test names. Left out because they test a visual editor and not the tools:
// Skeleton (should_expose_required_inputs_when_instantiated, should_have_display_metadata) and ToolModeToggle (four
// tests of a form's fields). BuildMetadata and GetTools are in toolsets.test.ts and workspace-source.test.ts; the
// deny-list, reserved segments and swapped links in protected-places.test.ts.
import { closeSync, existsSync, ftruncateSync, openSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { type Bench, makeBench } from '../testing.ts';

let bench: Bench;
afterEach(() => bench.close());

const setUp = (lines: readonly string[] = []): Bench['call'] => {
  bench = makeBench('files', lines);
  return bench.call;
};
const host = (path: string) => join(bench.scratch.workspace, path);
const text = (path: string) => readFileSync(host(path), 'utf8');
const sparse = (path: string, size: number) => {
  const fd = openSync(host(path), 'w');
  ftruncateSync(fd, size);
  closeSync(fd);
};
const ESCAPE = (path: string) => ({ error: `Path escapes workspace boundary: ${path}`, path });

describe('ValidatePath', () => {
  it('should_return_resolved_path_when_path_is_inside_sandbox, also nested', async () => {
    const call = setUp(['a.txt', 'deep/er/b.txt']);
    expect((await call('read_file', { path: 'a.txt' })).data.content).toBe('     1→a.txt');
    expect((await call('read_file', { path: 'deep/er/b.txt' })).ok).toBe(true);
  });

  it('should_reject_when_path_escapes_via_dotdot', async () => {
    const call = setUp();
    expect((await call('read_file', { path: '../outside/secret.txt' })).data).toEqual(ESCAPE('../outside/secret.txt'));
  });

  it('should_reject_when_path_is_absolute_outside_root', async () => {
    const call = setUp();
    expect((await call('read_file', { path: '/etc/passwd' })).data).toEqual(ESCAPE('/etc/passwd'));
  });

  it('should_reject_when_symlink_points_outside_root', async () => {
    const call = setUp(['leak.txt => $OUT/secret.txt', 'dir => $OUT']);
    expect((await call('read_file', { path: 'leak.txt' })).data).toEqual(ESCAPE('leak.txt'));
    expect((await call('read_file', { path: 'dir/secret.txt' })).data).toEqual(ESCAPE('dir/secret.txt'));
  });

  it('should_reject_path_containing_null_byte', async () => {
    const call = setUp();
    expect((await call('read_file', { path: 'a\0b' })).data).toEqual({ error: 'Path contains NUL byte', path: 'a\0b' });
  });
});

describe('WindowsPortability', () => {
  const message = async (path: string) => (await bench.call('write_file', { path, content: 'x' })).data.error;

  it('should_reject basename_that_is_a_windows_reserved_name, with extension, nested, in any case', async () => {
    setUp();
    for (const name of ['CON', 'PRN', 'AUX', 'NUL', 'COM1', 'COM9', 'LPT1', 'LPT9', 'CON.txt', 'con', 'Nul.tar.gz']) {
      expect(await message(name)).toBe(`Path component '${name}' is a Windows reserved name`);
      expect(await message(`a/${name}/b`)).toBe(`Path component '${name}' is a Windows reserved name`);
    }
  });

  it('should accept_reserved_name_as_substring', async () => {
    const call = setUp();
    expect((await call('write_file', { path: 'MyCon.txt', content: 'x' })).ok).toBe(true);
  });

  it('should_reject forbidden_windows_character', async () => {
    setUp();
    for (const char of ['<', '>', '"', '|', '?', '*']) {
      expect(await message(`a${char}b`)).toBe(
        `Path component 'a${char}b' contains forbidden character(s): ['${char}']`,
      );
    }
    expect(await message('b?a*?')).toBe("Path component 'b?a*?' contains forbidden character(s): ['*', '?']");
  });

  it('should_reject trailing_dot and trailing_space', async () => {
    setUp();
    for (const name of ['a.', 'a ']) {
      expect(await message(name)).toBe(
        `Path component '${name}' has trailing dot or space (silently stripped on Windows)`,
      );
    }
  });

  it('should_not_trigger_on_dotdot_relative_marker nor on_single_dot', async () => {
    const call = setUp(['hello.txt']);
    expect(await message('../x')).toBe('Path escapes workspace boundary: ../x');
    expect((await call('read_file', { path: './hello.txt' })).ok).toBe(true);
  });
});

describe('ReadFile', () => {
  it('should return_content_with_metadata, lines prefixed with numbers, and nothing more', async () => {
    const call = setUp(['a.txt = one\\ntwo\\n']);
    expect((await call('read_file', { path: 'a.txt' })).data).toEqual({
      status: 'ok',
      path: 'a.txt',
      content: '     1→one\n     2→two',
      total_lines: 2,
      start_line: 1,
      num_lines: 2,
    });
  });

  it('should respect_offset_and_limit_window', async () => {
    const call = setUp(['a.txt = 1\\n2\\n3\\n4\\n5']);
    const window = async (offset?: number | null, limit?: number | null) => {
      const { content, start_line, num_lines, total_lines, ...rest } = (
        await call('read_file', { path: 'a.txt', offset, limit })
      ).data;
      expect([total_lines, rest]).toEqual([5, { status: 'ok', path: 'a.txt' }]);
      return [
        String(content)
          .replace(/ *(\d+)→\1/g, '$1')
          .replaceAll('\n', ' '),
        start_line,
        num_lines,
      ];
    };
    expect(await window(2, 2)).toEqual(['2 3', 2, 2]);
    expect(await window(4, 10)).toEqual(['4 5', 4, 2]);
    expect(await window(3)).toEqual(['3 4 5', 3, 3]);
    for (const start of [0, -4, null]) expect(await window(start, 1)).toEqual(['1', 1, 1]);
    expect(await window(2, null)).toEqual(['2 3 4 5', 2, 4]);
    expect(await window(2, 0)).toEqual(['', 2, 0]);
    expect(await window(9)).toEqual(['', 9, 0]);
  });

  it('splits lines like Python, and shows invalid bytes as U+FFFD', async () => {
    const call = setUp(['py.txt = a\vb\fc\u001cd\u0085e\u2028f\u2029g\\r\\nh\\ri', 'empty.txt = ']);
    expect((await call('read_file', { path: 'py.txt' })).data.total_lines).toBe(9);
    expect((await call('read_file', { path: 'empty.txt' })).data).toMatchObject({
      content: '',
      total_lines: 0,
      num_lines: 0,
    });
    writeFileSync(host('latin.txt'), Buffer.from([0x63, 0x61, 0x66, 0xe9]));
    expect((await call('read_file', { path: 'latin.txt' })).data.content).toBe('     1→caf\ufffd');
  });

  it('should reject_binary_file_on_read', async () => {
    const call = setUp();
    writeFileSync(host('b.bin'), 'a\0b');
    expect((await call('read_file', { path: 'b.bin' })).data).toEqual({
      error: 'Refusing to read binary file: b.bin',
      path: 'b.bin',
    });
    writeFileSync(host('late.bin'), `${'a'.repeat(8192)}\0`);
    expect((await call('read_file', { path: 'late.bin' })).ok).toBe(true);
  });

  it('should reject_read_when_file_exceeds_size_limit', async () => {
    const call = setUp();
    sparse('big.txt', 10_485_761);
    expect((await call('read_file', { path: 'big.txt' })).data.error).toBe(
      'File size 10485761 exceeds limit of 10485760 bytes',
    );
  });

  it('should return structured_error when missing, directory, escapes', async () => {
    const call = setUp(['d/']);
    expect((await call('read_file', { path: 'no.txt' })).data).toEqual({
      error: 'File not found: no.txt',
      path: 'no.txt',
    });
    expect((await call('read_file', { path: 'd' })).data).toEqual({
      error: 'Path is a directory, not a file: d',
      path: 'd',
    });
    expect((await call('read_file', { path: '../x' })).data).toEqual(ESCAPE('../x'));
  });
});

describe('WriteFile', () => {
  it('should create_new_file and overwrite_existing_file', async () => {
    const call = setUp();
    expect((await call('write_file', { path: 'n.txt', content: 'hé' })).data).toEqual({
      status: 'created',
      path: 'n.txt',
      bytes_written: 3,
    });
    expect((await call('write_file', { path: 'n.txt', content: '' })).data).toEqual({
      status: 'updated',
      path: 'n.txt',
      bytes_written: 0,
    });
    expect(text('n.txt')).toBe('');
    expect(statSync(host('n.txt')).mode & 0o777).toBe(0o644);
  });

  it('should reject_write_when_content_exceeds_size_limit', async () => {
    const call = setUp();
    const { data } = await call('write_file', { path: 'big.txt', content: 'é'.repeat(5_242_881) });
    expect(data).toEqual({ error: 'Content size 10485762 exceeds limit of 10485760 bytes', path: 'big.txt' });
    expect(existsSync(host('big.txt'))).toBe(false);
  });

  it('should create_parent_directories_when_writing_to_nested_path', async () => {
    const call = setUp();
    expect((await call('write_file', { path: 'x/y/z.txt', content: 'z' })).ok).toBe(true);
    expect(statSync(host('x/y')).mode & 0o777).toBe(0o755);
  });

  it('should refuse a path that escapes and a target_is_a_directory', async () => {
    const call = setUp(['d/']);
    expect((await call('write_file', { path: '../outside/n.txt', content: 'x' })).data).toEqual(
      ESCAPE('../outside/n.txt'),
    );
    expect(existsSync(join(bench.scratch.outside, 'n.txt'))).toBe(false);
    expect((await call('write_file', { path: 'd', content: 'x' })).data.error).toBe(
      'Path is a directory, not a file: d',
    );
  });
});

describe('EditFile', () => {
  const edit = (old_string: string, new_string: string, more: object = {}) =>
    bench.call('edit_file', { path: 'a.txt', old_string, new_string, ...more });

  it('should replace_single_occurrence', async () => {
    setUp(['a.txt = one two']);
    expect((await edit('two', '2')).data).toEqual({
      status: 'ok',
      path: 'a.txt',
      replacements: 1,
      old_string: 'two',
      new_string: '2',
    });
    expect(text('a.txt')).toBe('one 2');
  });

  it('should replace_all_when_replace_all_true, taking $ in the replacement as text', async () => {
    setUp(['a.txt = x x x']);
    expect((await edit('x', '$&', { replace_all: true })).data.replacements).toBe(3);
    expect(text('a.txt')).toBe('$& $& $&');
  });

  it('should fail when old_string_not_found, ambiguous, file_does_not_exist, path_escapes', async () => {
    setUp(['a.txt = x x']);
    expect((await edit('y', 'z')).data).toEqual({ error: 'old_string not found in file: a.txt', path: 'a.txt' });
    expect((await edit('x', 'z')).data).toEqual({
      error: 'old_string is ambiguous: 2 multiple matches in a.txt. Pass replace_all=True to replace every occurrence.',
      path: 'a.txt',
      matches: 2,
    });
    expect((await edit('x', 'z', { path: 'no.txt' })).data).toEqual({
      error: 'File not found: no.txt',
      path: 'no.txt',
    });
    expect((await edit('x', 'z', { path: '../a.txt' })).data).toEqual(ESCAPE('../a.txt'));
    expect(text('a.txt')).toBe('x x');
  });

  it('EditFileSizeProjection: should reject_empty_old_string, also with replace_all, and a result past the limit', async () => {
    setUp(['a.txt = abc']);
    for (const more of [{}, { replace_all: true }])
      expect((await edit('', 'z', more)).data.error).toBe('old_string must not be empty');
    writeFileSync(host('a.txt'), 'x'.repeat(1000));
    expect((await edit('x', 'y'.repeat(20_000), { replace_all: true })).data.error).toBe(
      'Resulting content size 20000000 would exceed limit of 10485760 bytes',
    );
    expect(text('a.txt')).toBe('x'.repeat(1000));
    expect((await edit('x', 'yy', { replace_all: true })).data.replacements).toBe(1000);
  });

  it('EditFileIdempotency: the same edit twice is a structured error, with replace_all too', async () => {
    setUp(['a.txt = one two']);
    for (const more of [{}, { replace_all: true }]) {
      writeFileSync(host('a.txt'), 'one two');
      expect((await edit('two', '2', more)).ok).toBe(true);
      expect((await edit('two', '2', more)).data.error).toBe('old_string not found in file: a.txt');
    }
  });
});

describe('SandboxStructuredErrorAtPublicLevel', () => {
  const calls = (path: string): [string, object][] => [
    ['read_file', { path }],
    ['write_file', { path, content: 'x' }],
    ['edit_file', { path, old_string: 'SECRET', new_string: 'x' }],
    ['glob_search', { pattern: '*', path }],
    ['grep_search', { pattern: 'SECRET', path }],
  ];

  it('absolute path outside and symlink escape are envelopes with the boundary, and leave no side effect', async () => {
    const call = setUp(['out => $OUT']);
    for (const path of ['/etc', '/etc/passwd', 'out', 'out/secret.txt', '../outside']) {
      for (const [name, input] of calls(path)) {
        const { ok, data } = await call(name, input);
        expect([ok, data.error, data.path], `${name} ${path}`).toEqual([
          false,
          `Path escapes workspace boundary: ${path}`,
          path,
        ]);
      }
    }
    expect(readFileSync(join(bench.scratch.outside, 'secret.txt'), 'utf8')).toBe('SECRET');
  });

  it('StructuredToolErrorEnvelope: each of the 5 tools gives back JSON', async () => {
    const call = setUp();
    for (const [name, input] of calls('../x')) {
      const { data } = await call(name, input);
      expect(JSON.parse(JSON.stringify(data))).toMatchObject({ error: 'Path escapes workspace boundary: ../x' });
    }
  });

  it('a file with a second hard link can be read but not written', async () => {
    const call = setUp(['twin.txt == $OUT/secret.txt']);
    expect((await call('read_file', { path: 'twin.txt' })).ok).toBe(true);
    const refused = { error: 'Refusing to operate on multi-hardlink file (nlink=2)', path: 'twin.txt' };
    expect((await call('write_file', { path: 'twin.txt', content: 'x' })).data).toEqual(refused);
    expect((await call('edit_file', { path: 'twin.txt', old_string: 'SECRET', new_string: 'x' })).data).toEqual(
      refused,
    );
  });
});
