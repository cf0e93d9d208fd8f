// The contract of picoclaw's filesystem tools (docs/contracts/restricted-tools.md): texts, errors, restriction.
import fs, { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withReplaced } from '@croft/workspace/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { type Bench, makeBench } from '../testing.ts';
import { READS, REPLACES } from '../tool.ts';
import { basicTools } from './basic-tools.ts';

let bench: Bench;
afterEach(() => bench.close());
const setUp = (lines: readonly string[] = [], restrict = true): Bench['call'] => {
  bench = makeBench('basic', lines, { workspace: { restrict } });
  return bench.call;
};
const host = (path: string) => join(bench.scratch.workspace, path);
const said = async (name: string, input: unknown) => {
  const { ok, text, data } = await bench.call(name, input);
  if (!ok) expect(data.error).toBe(text);
  return `${ok ? 'ok' : 'error'}: ${text}`;
};

describe('read_file', () => {
  it('returns the complete, unchanged content, for a relative and an absolute path', async () => {
    setUp(['config.json = {"a": 1}\\r\\n\\n']);
    for (const path of ['config.json', host('config.json')])
      expect(await said('read_file', { path })).toBe('ok: {"a": 1}\r\n\n');
  });
});

describe('write_file', () => {
  it('confirms to the model only, and creates parents (0755) and the file (0644)', async () => {
    const call = setUp();
    const result = await call('write_file', { path: 'out/put/output.txt', content: 'Hello, world!' });
    expect(result).toMatchObject({ ok: true, text: 'File written: out/put/output.txt', forModelOnly: true });
    expect(readFileSync(host('out/put/output.txt'), 'utf8')).toBe('Hello, world!');
    expect([statSync(host('out/put')).mode & 0o777, statSync(host('out/put/output.txt')).mode & 0o777]).toEqual([
      0o755, 0o644,
    ]);
    expect(await said('write_file', { path: 'empty.txt', content: '' })).toBe('ok: File written: empty.txt');
  });
});

describe('list_dir', () => {
  it('shows DIR lines first, each sorted by name', async () => {
    setUp(['go.sum', 'pkg/', 'README.md', 'cmd/', 'go.mod']);
    const listed = 'ok: DIR:  cmd\nDIR:  pkg\nFILE: README.md\nFILE: go.mod\nFILE: go.sum';
    for (const input of [
      {},
      { path: '.' },
      { path: '' },
      { path: null },
      undefined,
      null,
      { path: bench.scratch.workspace },
    ])
      expect(await said('list_dir', input)).toBe(listed);
    expect(await said('list_dir', { path: 'pkg' })).toBe('ok: ');
  });
});

describe('every row of the error tables', () => {
  it('path is required, content is required: also if the schema would fail first', async () => {
    setUp(['a.txt']);
    for (const name of ['read_file', 'write_file']) {
      for (const input of [
        {},
        undefined,
        null,
        { path: null },
        { path: '', content: 'x' },
        { content: 'x' },
        { path: undefined },
      ]) {
        if (name === 'read_file' && input && 'content' in input && input.path !== undefined) continue;
        expect(await said(name, input), JSON.stringify(input)).toBe('error: path is required');
      }
    }
    for (const input of [{ path: 'a.txt' }, { path: 'a.txt', content: null }, { path: 'a.txt', text: 'x' }])
      expect(await said('write_file', input)).toBe('error: content is required');
    expect(readFileSync(host('a.txt'), 'utf8')).toBe('a.txt');
    expect(await said('read_file', { path: 'a.txt', colour: 1 })).toMatch(
      /^error: Invalid arguments: Unrecognized key: "colour"/,
    );
    expect(await said('read_file', { path: 7 })).toMatch(/^error: Invalid arguments: path/);
    expect(await said('list_dir', { path: 7 })).toMatch(/^error: Invalid arguments: path/);
  });

  it('failed to read file: missing, a directory, binary, too large', async () => {
    setUp(['d/']);
    writeFileSync(host('b'), 'a\0');
    expect(await said('read_file', { path: 'no.txt' })).toBe('error: failed to read file: File not found: no.txt');
    expect(await said('read_file', { path: 'd' })).toBe(
      'error: failed to read file: Path is a directory, not a file: d',
    );
    expect(await said('read_file', { path: 'b' })).toBe('error: failed to read file: Refusing to read binary file: b');
    expect(await said('read_file', { path: 'no.txt/x' })).toMatch(/^error: failed to read file: /);
  });

  it('access denied: path is outside the workspace, for all three', async () => {
    setUp();
    for (const path of ['/etc/passwd', '../../etc/passwd', '../outside/secret.txt', '/']) {
      for (const [name, more] of [
        ['read_file', {}],
        ['write_file', { content: 'x' }],
        ['list_dir', {}],
      ] as const) {
        expect(await said(name, { path, ...more }), path).toBe('error: access denied: path is outside the workspace');
      }
    }
    expect(readFileSync(join(bench.scratch.outside, 'secret.txt'), 'utf8')).toBe('SECRET');
  });

  it('access denied: symlink resolves outside workspace', async () => {
    setUp(['link_to_etc => /etc', 'leak.txt => $OUT/secret.txt', 'chain => leak.txt', 'gone => $OUT/nowhere']);
    for (const path of ['leak.txt', 'chain', 'link_to_etc/passwd', host('leak.txt'), 'gone']) {
      expect(await said('read_file', { path }), path).toBe('error: access denied: symlink resolves outside workspace');
      expect(await said('write_file', { path, content: 'x' }), path).toBe(
        'error: access denied: symlink resolves outside workspace',
      );
    }
    expect(await said('list_dir', { path: 'link_to_etc' })).toBe(
      'error: access denied: symlink resolves outside workspace',
    );
    expect(existsSync(join(bench.scratch.outside, 'nowhere'))).toBe(false);
  });

  it('failed to create directory, failed to write file, failed to read directory', async () => {
    setUp(['file.txt']);
    mkdirSync(host('d'));
    expect(await said('write_file', { path: 'file.txt/sub/x', content: 'x' })).toMatch(
      /^error: failed to create directory: /,
    );
    expect(await said('write_file', { path: 'd', content: 'x' })).toBe(
      'error: failed to write file: Path is a directory, not a file: d',
    );
    expect(await said('list_dir', { path: 'no' })).toMatch(/^error: failed to read directory: /);
    expect(await said('list_dir', { path: 'file.txt' })).toMatch(/^error: failed to read directory: /);
  });

  it('a protected name is denied', async () => {
    setUp(['.env = S']);
    expect(await said('read_file', { path: '.env' })).toBe(
      "error: access denied: Access to '.env' is denied: filename matches a protected credential pattern",
    );
    expect(await said('write_file', { path: '.lfsig/x', content: 'x' })).toBe(
      "error: access denied: Path component '.lfsig' is reserved",
    );
  });
});

describe('restrict: false', () => {
  it('allows any absolute path, but no `..` out of the workspace', async () => {
    setUp(['a.txt'], false);
    const outside = join(bench.scratch.outside, 'secret.txt');
    expect(await said('read_file', { path: outside })).toBe('ok: SECRET');
    expect(await said('read_file', { path: '../outside/secret.txt' })).toBe(
      'error: access denied: path is outside the workspace',
    );
    expect(await said('read_file', { path: 'a.txt' })).toBe('ok: a.txt');
    const made = join(bench.scratch.outside, 'new.txt');
    expect(await said('write_file', { path: made, content: 'x' })).toBe(`ok: File written: ${made}`);
    expect(readFileSync(made, 'utf8')).toBe('x');
  });
});

it('names the operation that the system refuses', async () => {
  setUp(['a = text']);
  const fail = () => {
    throw Object.assign(new Error('EACCES'), { code: 'EACCES', errno: -13 });
  };
  const mkdirFails = { mkdirSync: fail } as unknown as Partial<typeof fs>;
  const readFails = { readSync: fail } as unknown as Partial<typeof fs>;
  expect([
    await withReplaced(fs, mkdirFails, () => said('write_file', { path: 'new/a', content: 'x' })),
    await withReplaced(fs, readFails, () => said('read_file', { path: 'a' })),
  ]).toEqual([
    'error: failed to create directory: Permission denied',
    'error: failed to read file: Cannot read file: Permission denied',
  ]);
  const file = await said('write_file', { path: 'a/b', content: 'x' });
  expect([file, await said('list_dir', { path: 'a' }), await said('list_dir', { path: 'none' })]).toEqual([
    'error: failed to create directory: Not a directory: a/b',
    'error: failed to read directory: Not a directory: a',
    expect.stringMatching(/^error: failed to read directory: .*none$/),
  ]);
});

it('says in the text that it is cut', async () => {
  setUp();
  const text = 'x'.repeat(1_200_000);
  writeFileSync(host('long'), text);
  const shown = await said('read_file', { path: 'long' });
  const [content = '', mark] = shown.slice('ok: '.length).split('\n');
  expect([content === text.slice(0, content.length), mark]).toEqual([
    true,
    `[truncated: this is the beginning, ${content.length} of 1200000 bytes; this tool cannot show the rest]`,
  ]);
  expect((await bench.call('read_file', { path: 'long' })).bytes).toBe(1_200_000);
});

it('has three tools with the texts of the contract', () => {
  setUp();
  const tools = basicTools({} as Parameters<typeof basicTools>[0]);
  const described = tools.map(({ name, title, description, tags, annotations, input }) => {
    const { properties } = input.toJSONSchema() as { properties: Record<string, { description: string }> };
    return [
      name,
      title,
      description,
      tags,
      annotations,
      Object.entries(properties).map(([key, one]) => `${key}: ${one.description}`),
    ];
  });
  expect(described).toEqual([
    [
      'read_file',
      'Read file',
      'Read the contents of a file.',
      ['read_file', 'plain-text'],
      READS,
      ['path: Path to the file to read, absolute or relative to the workspace.'],
    ],
    [
      'write_file',
      'Write file',
      'Write content to a file, creating parent directories as needed.',
      ['write_file', 'plain-text'],
      REPLACES,
      ['path: Path to the file to write. Parent directories are made.', 'content: Content to write to the file.'],
    ],
    [
      'list_dir',
      'List directory',
      'List files and directories in a path.',
      ['list_dir', 'plain-text'],
      READS,
      ['path: Path to list; the workspace itself when left out.'],
    ],
  ]);
  expect(tools.map(({ paths }) => [paths?.({ path: 'a' } as never), paths?.({ path: '' } as never)])).toEqual([
    [['a'], ['']],
    [['a'], ['']],
    [['a'], ['.']],
  ]);
});
