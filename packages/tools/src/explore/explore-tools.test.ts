// The contract of n8n's filesystem tools (docs/contracts/gateway.md). Where n8n differs from its own documentation (no braces in
// patterns, a limit noted by substring), Croft follows the documentation.
import { closeSync, ftruncateSync, openSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, relative } from 'node:path';
import { closeSearchWorkers } from '@croft/workspace';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type Bench, describedTool, makeBench } from '../testing.ts';
import { READS } from '../tool.ts';
import { DAEMON_EXCLUDES, expandHome, exploreTools, SERVER_EXCLUDES } from './explore-tools.ts';

let bench: Bench;
afterEach(() => bench.close());
afterAll(() => closeSearchWorkers());
const setUp = (lines: readonly string[] = [], exploreExcludes?: readonly string[]): Bench['call'] => {
  bench = makeBench('explore', lines, exploreExcludes ? { exploreExcludes } : {});
  return bench.call;
};
const host = (path = '') => join(bench.scratch.workspace, path);
const data = async (name: string, input: object) => (await bench.call(name, input)).data;

describe('parameters', () => {
  it('have the defaults and maxima of the contract', async () => {
    const call = setUp(['a.txt']);
    const shape = (name: string) => {
      const { properties } = z.toJSONSchema(bench.table.tools.find((tool) => tool.name === name)?.input as z.ZodType, {
        io: 'input',
      }) as { properties: Record<string, { default?: unknown; maximum?: number; enum?: string[] }> };
      return Object.fromEntries(
        Object.entries(properties).map(([key, { default: value, maximum }]) => [key, [value, maximum]]),
      );
    };
    expect(shape('get-file-tree')).toEqual({ dirPath: [undefined, undefined], maxDepth: [2, 5] });
    expect(shape('list-files')).toMatchObject({
      type: ['all', undefined],
      recursive: [true, undefined],
      maxResults: [200, 1_000],
    });
    expect(shape('read-file')).toMatchObject({ maxLines: [200, 500] });
    expect((shape('read-file').startLine as unknown[])[0]).toBe(1);
    expect(shape('search-files')).toMatchObject({ ignoreCase: [true, undefined], maxResults: [50, 100] });
    for (const [name, input] of [
      ['get-file-tree', { dirPath: '.', maxDepth: 6 }],
      ['list-files', { dirPath: '.', maxResults: 1_001 }],
      ['list-files', { dirPath: '.', type: 'link' }],
      ['read-file', { filePath: 'a.txt', maxLines: 501 }],
      ['read-file', { filePath: 'a.txt', startLine: 0 }],
      ['search-files', { dirPath: '.', query: 'x', maxResults: 101 }],
      ['get-file-tree', {}],
      ['search-files', { dirPath: '.' }],
    ] as const) {
      expect((await call(name, input)).data.error, JSON.stringify(input)).toMatch(/^Invalid arguments: /);
    }
  });
});

describe('get-file-tree', () => {
  it('is drawn depth first: directories before files, each child below its parent', async () => {
    setUp(['src/lib/deep/x.ts', 'src/a.ts', 'README.md', '.hidden', 'docs/']);
    expect(await data('get-file-tree', { dirPath: '.' })).toEqual({
      tree: './\n  docs/\n  src/\n    lib/\n    a.ts\n  .hidden\n  README.md',
      truncated: false,
    });
    expect((await data('get-file-tree', { dirPath: host() })).tree).toMatch(/^workspace\/\n/);
    expect((await data('get-file-tree', { dirPath: 'src', maxDepth: 3 })).tree).toBe(
      'src/\n  lib/\n    deep/\n      x.ts\n  a.ts',
    );
    for (const maxDepth of [0, 1])
      expect((await data('get-file-tree', { dirPath: 'src', maxDepth })).tree).toBe('src/\n  lib/\n  a.ts');
  });

  it('stops at 200 entries and says so', async () => {
    setUp(Array.from({ length: 201 }, (_, i) => `f${String(i).padStart(3, '0')}`));
    const { tree, truncated } = await data('get-file-tree', { dirPath: '.' });
    const lines = String(tree).split('\n');
    expect([lines.length, lines.at(-1), truncated]).toEqual([202, '  ... (truncated at 200 entries)', true]);
  });
});

describe('what is left out', () => {
  const lines = [
    ...DAEMON_EXCLUDES.filter((name) => name !== '.git').map((name) => `${name}/in.txt = word`),
    'kept/in.txt = word',
    'src/dist/in.txt = word',
  ];

  it('are the 12 names on a server and the 16 in a daemon, for trees, lists and searches', async () => {
    expect([SERVER_EXCLUDES.length, DAEMON_EXCLUDES.length]).toEqual([12, 16]);
    for (const [excludes, also] of [
      [undefined, ['.nuxt', '.output', '.svelte-kit', 'build']],
      [DAEMON_EXCLUDES, []],
    ] as const) {
      setUp(lines, excludes);
      const { tree } = await data('get-file-tree', { dirPath: '.', maxDepth: 1 });
      expect(
        String(tree)
          .split('\n')
          .slice(1)
          .map((line) => line.trim().slice(0, -1))
          .toSorted(),
      ).toEqual([...also, 'kept', 'src'].toSorted());
      const { files } = await data('list-files', { dirPath: '.', type: 'file' });
      expect((files as { path: string }[]).map(({ path }) => path).toSorted()).toEqual(
        [...also, 'kept'].map((name) => `${name}/in.txt`).toSorted(),
      );
      const { matches } = await data('search-files', { dirPath: '.', query: 'word' });
      expect((matches as { path: string }[]).map(({ path }) => path).toSorted()).toEqual(
        [...also, 'kept'].map((name) => `${name}/in.txt`).toSorted(),
      );
      if (!excludes) bench.close();
    }
  });

  it('can be read when a path names it', async () => {
    setUp(lines);
    expect((await data('read-file', { filePath: 'node_modules/in.txt' })).content).toBe('word');
    expect((await data('get-file-tree', { dirPath: 'node_modules' })).tree).toBe('node_modules/\n  in.txt');
  });
});

describe('list-files', () => {
  it('filters by pattern, type and depth', async () => {
    setUp(['a.ts', 'src/b.ts', 'src/c.js', 'src/deep/d.ts', 'e/', 'link => a.ts']);
    const paths = async (input: object) =>
      ((await data('list-files', { dirPath: '.', ...input })).files as { path: string }[]).map(({ path }) => path);
    expect(await paths({ pattern: '**/*.ts' })).toEqual(['src/deep/d.ts', 'src/b.ts', 'a.ts']);
    expect(await paths({ pattern: '*.ts' })).toEqual(['a.ts']);
    expect(await paths({ pattern: '**/*.{js,ts}', recursive: false })).toEqual(['a.ts']);
    expect(await paths({ type: 'directory' })).toEqual(['e', 'src', 'src/deep']);
    expect(await paths({ type: 'file', recursive: false })).toEqual(['a.ts', 'link']);
    expect(await data('list-files', { dirPath: 'src', recursive: false })).toEqual({
      files: [
        { path: 'deep', type: 'directory' },
        { path: 'b.ts', type: 'file', sizeBytes: 8 },
        { path: 'c.js', type: 'file', sizeBytes: 8 },
      ],
      truncated: false,
      totalCount: 3,
    });
  });

  it('counts all entries and shows at most maxResults', async () => {
    setUp(Array.from({ length: 250 }, (_, i) => `f${i}`));
    expect(await data('list-files', { dirPath: '.' })).toMatchObject({
      truncated: true,
      totalCount: 250,
      files: { length: 200 },
    });
    expect(await data('list-files', { dirPath: '.', maxResults: 250 })).toMatchObject({ truncated: false });
  });

  it('refuses an invalid pattern, and matches one with many stars in linear time', async () => {
    setUp([`${'a'.repeat(200)}`]);
    for (const pattern of ['../*', '/etc/*', '', 'x'.repeat(2_000)])
      expect((await data('list-files', { dirPath: '.', pattern })).error, pattern.slice(0, 9)).toMatch(/^Pattern /);
    // With backtracking, this pattern runs until the timeout of the test.
    expect((await data('list-files', { dirPath: '.', pattern: `${'*a'.repeat(30)}*b*` })).files).toEqual([]);
  });
});

describe('read-file', () => {
  it('shows lines without numbers, by default 200, and says if there are more', async () => {
    setUp(['f']);
    writeFileSync(host('f'), Array.from({ length: 600 }, (_, i) => `l${i + 1}`).join('\n'));
    const first = await data('read-file', { filePath: 'f' });
    expect(first).toMatchObject({ path: 'f', truncated: true, totalLines: 600 });
    expect(String(first.content).split('\n')).toHaveLength(200);
    expect(await data('read-file', { filePath: 'f', startLine: 599, maxLines: 500 })).toEqual({
      path: 'f',
      content: 'l599\nl600',
      truncated: false,
      totalLines: 600,
    });
    expect(await data('read-file', { filePath: 'f', startLine: 900 })).toEqual({
      path: 'f',
      content: '',
      truncated: false,
      totalLines: 600,
    });
  });

  it('returns a sentence for a file above 512 KB or a binary file', async () => {
    setUp();
    const sized = (name: string, size: number) => {
      const fd = openSync(host(name), 'w');
      ftruncateSync(fd, size);
      closeSync(fd);
    };
    sized('big', 512 * 1024 + 1);
    sized('zeros', 512 * 1024);
    expect(await data('read-file', { filePath: 'big' })).toEqual({
      path: 'big',
      content: '[File too large: 512KB exceeds 512KB limit]',
      truncated: true,
      totalLines: 0,
    });
    expect(await data('read-file', { filePath: 'zeros' })).toEqual({
      path: 'zeros',
      content: '[Binary file — cannot display]',
      truncated: false,
      totalLines: 0,
    });
    writeFileSync(host('just'), 'x\n'.repeat(256 * 1024));
    expect(await data('read-file', { filePath: 'just' })).toMatchObject({ totalLines: 262_144 });
  });

  it('fails with a sentence without host paths', async () => {
    setUp(['d/']);
    expect(await data('read-file', { filePath: 'no' })).toEqual({ error: 'File not found: no' });
    expect(await data('read-file', { filePath: 'd' })).toEqual({ error: 'Path is a directory, not a file: d' });
  });
});

describe('search-files', () => {
  it('is a regular expression without case; an invalid one is searched for as text', async () => {
    setUp(['a.ts = Foo(1)\\nfoo(2)\\nbar', 'b.md = foo(']);
    expect(await data('search-files', { dirPath: '.', query: 'fo+\\(\\d', filePattern: '*.ts' })).toEqual({
      query: 'fo+\\(\\d',
      matches: [
        { path: 'a.ts', lineNumber: 1, line: 'Foo(1)' },
        { path: 'a.ts', lineNumber: 2, line: 'foo(2)' },
      ],
      truncated: false,
      totalMatches: 2,
    });
    expect((await data('search-files', { dirPath: '.', query: 'FOO', ignoreCase: false })).matches).toEqual([]);
    expect(
      (await data('search-files', { dirPath: '.', query: 'foo(', ignoreCase: false, filePattern: '*.{md,txt}' }))
        .matches,
    ).toEqual([{ path: 'b.md', lineNumber: 1, line: 'foo(' }]);
  });

  it('returns maxResults, counts all matches and cuts lines at 500 characters', async () => {
    setUp(['f', 'long']);
    writeFileSync(host('f'), 'hit\n'.repeat(120));
    writeFileSync(host('long'), `wide${'x'.repeat(2_000)}`);
    expect(await data('search-files', { dirPath: '.', query: 'hit' })).toMatchObject({
      matches: { length: 50 },
      truncated: true,
      totalMatches: 120,
    });
    expect(await data('search-files', { dirPath: '.', query: 'hit', maxResults: 100 })).toMatchObject({
      matches: { length: 100 },
      truncated: true,
      totalMatches: 120,
    });
    const { matches } = await data('search-files', { dirPath: '.', query: 'wide' });
    expect((matches as { line: string }[])[0]?.line).toBe(`wide${'x'.repeat(496)}`);
  });

  it('refuses an expression with nested quantifiers, with the contract’s text', async () => {
    setUp(['a']);
    expect((await data('search-files', { dirPath: '.', query: '(a+)+' })).error).toMatch(
      /^Regex pattern rejected: nested unbounded quantifier/,
    );
  });
});

describe('~ and absolute paths', () => {
  const all = (path: string): [string, object][] => [
    ['get-file-tree', { dirPath: path }],
    ['list-files', { dirPath: path }],
    ['read-file', { filePath: path }],
    ['search-files', { dirPath: path, query: 'x' }],
  ];

  it('work for files inside', async () => {
    setUp(['d/a.txt = x']);
    expect((await data('read-file', { filePath: host('d/a.txt') })).content).toBe('x');
    expect((await data('search-files', { dirPath: host('d'), query: 'x' })).matches).toEqual([
      { path: 'd/a.txt', lineNumber: 1, line: 'x' },
    ]);
    const fromHome = `~/${relative(homedir(), host('d/a.txt'))}`;
    // `..` leaves the home directory here; the real path decides, as for absolute paths.
    expect(expandHome(fromHome)).toBe(host('d/a.txt'));
    expect((await data('read-file', { filePath: fromHome })).content).toBe('x');
  });

  it('to files outside are refused by each tool', async () => {
    setUp(['leak => $OUT', 'leak.txt => $OUT/secret.txt']);
    for (const path of [
      '~',
      '~/.ssh-not-here',
      '/etc',
      '/etc/passwd',
      '/',
      '../outside',
      host('../outside/secret.txt'),
      'leak',
      'leak.txt',
    ]) {
      for (const [name, input] of all(path))
        expect(await data(name, input), `${name} ${path}`).toEqual({
          error: `Path "${path}" is outside the allowed directory`,
        });
    }
  });
});

it('describe themselves and their arguments', () => {
  const inputs: Readonly<Record<string, object>> = {
    'get-file-tree': { dirPath: 'a', maxDepth: 1 },
    'list-files': { dirPath: 'a', pattern: '*', type: 'all', recursive: true, maxResults: 1 },
    'read-file': { filePath: 'a', startLine: 1, maxLines: 1 },
    'search-files': { dirPath: 'a', query: 'q', filePattern: '*', ignoreCase: true, maxResults: 1 },
  };
  const tools = exploreTools({} as Parameters<typeof exploreTools>[0]);
  expect(tools.map((tool) => describedTool(tool, inputs[tool.name]))).toEqual([
    {
      name: 'get-file-tree',
      title: 'Get file tree',
      description:
        'Get a shallow directory tree as indented text. Start low and drill into subdirectories for deeper exploration.',
      tags: ['get-file-tree'],
      annotations: READS,
      input: {
        dirPath: {
          type: 'string',
          description: 'Absolute path or ~/relative; a path relative to the shared directory works too.',
        },
        maxDepth: {
          default: 2,
          description: 'Directory depth to show.',
          type: 'integer',
          minimum: 0,
          maximum: 5,
        },
      },
      paths: ['a'],
    },
    {
      name: 'list-files',
      title: 'List files',
      description: 'List files and/or directories matching optional filters.',
      tags: ['list-files'],
      annotations: READS,
      input: {
        dirPath: {
          type: 'string',
          description: 'Absolute path or ~/relative; a path relative to the shared directory works too.',
        },
        pattern: {
          description: 'Glob pattern, e.g. **/*.ts.',
          type: 'string',
        },
        type: {
          default: 'all',
          type: 'string',
          enum: ['file', 'directory', 'all'],
        },
        recursive: {
          default: true,
          description: 'Recurse into subdirectories.',
          type: 'boolean',
        },
        maxResults: {
          default: 200,
          type: 'integer',
          minimum: 1,
          maximum: 1000,
        },
      },
      paths: ['a'],
    },
    {
      name: 'read-file',
      title: 'Read file',
      description: 'Read the contents of a file with optional line range.',
      tags: ['read-file'],
      annotations: READS,
      input: {
        filePath: {
          type: 'string',
          description: 'Absolute path or ~/relative; a path relative to the shared directory works too.',
        },
        startLine: {
          default: 1,
          description: '1-indexed start line.',
          type: 'integer',
          minimum: 1,
          maximum: 9007199254740991,
        },
        maxLines: {
          default: 200,
          description: 'Lines to read.',
          type: 'integer',
          minimum: 1,
          maximum: 500,
        },
      },
      paths: ['a'],
    },
    {
      name: 'search-files',
      title: 'Search files',
      description: 'Search file contents for a text pattern or regex.',
      tags: ['search-files'],
      annotations: READS,
      input: {
        dirPath: {
          type: 'string',
          description: 'Absolute path or ~/relative; a path relative to the shared directory works too.',
        },
        query: {
          type: 'string',
          maxLength: 1024,
          description: 'Regex pattern.',
        },
        filePattern: {
          description: 'File filter, e.g. *.ts.',
          type: 'string',
        },
        ignoreCase: {
          default: true,
          type: 'boolean',
        },
        maxResults: {
          default: 50,
          description: 'Most matching lines.',
          type: 'integer',
          minimum: 1,
          maximum: 100,
        },
      },
      paths: ['a'],
    },
  ]);
});
