import { describe, expect, it } from 'vitest';
import { Stop } from '../stop.ts';
import { collectPaths } from './paths.ts';

const written = (args: unknown) => collectPaths(args).candidates.map((candidate) => candidate.written);

describe('the paths in arguments', () => {
  it('are found at any depth, in lists, in keys and in JSON that is text', () => {
    expect(written({ a: [{ b: { filePath: 'x' } }] })).toEqual(['x']);
    expect(written({ files: { 'a/b': 'text', Makefile: 'all:\n' } })).toEqual(['a/b', 'Makefile']);
    expect(written({ edits: '[{"path":"x"}]' })).toEqual(['x']);
    expect(written({ path: { value: 'x' } })).toEqual(['x']);
    expect(written(JSON.parse('{"a":{"TargetFile":"x","new_path":"y"}}'))).toEqual(['x', 'y']);
  });

  it('are not searched for in content', () => {
    const found = collectPaths({
      path: 'a',
      content: '/etc/x',
      old_string: '../x',
      newString: '~',
      message: '/',
      todos: [{ content: '/x' }],
    });
    expect(found.candidates.map((candidate) => candidate.written)).toEqual(['a']);
    expect(found.hasBody).toBe(true);
  });

  it('are guesses if they only look like paths', () => {
    expect(collectPaths({ zweck: '/etc/x' }).candidates).toEqual([
      { written: '/etc/x', weight: 'guess', role: 'plain' },
    ]);
    expect(collectPaths({ url: 'https://x/../y', source: 'https://x' }).candidates).toEqual([]);
    expect(written({ url: 'file:///x' })).toEqual(['file:///x']);
  });

  it('are found next to commands, patches and other calls', () => {
    const found = collectPaths({
      command: ['ls', '-l'],
      commands: ['a b', 'c'],
      patch: '--- a',
      tool: { name: 'x', arguments: '{"path":"y"}' },
    });
    expect(found.commands).toEqual([['ls', '-l'], ['a b', 'c'], 'a b', 'c']);
    expect(found.patches).toEqual(['--- a']);
    expect(found.calls).toEqual([{ name: 'x', arguments: '{"path":"y"}' }]);
    // A tool name can also be a file name.
    expect(found.candidates.every((candidate) => candidate.weight === 'guess')).toBe(true);
  });

  it('are joined with a command in the same call', () => {
    expect(collectPaths({ command: 'rm', args: ['-rf', 'x'] }).commands).toEqual([['rm', '-rf', 'x'], 'rm']);
  });

  it('are certain if they are the target of a link', () => {
    const paths = (args: unknown) => collectPaths(args).candidates.map(({ written: path, weight }) => [path, weight]);
    for (const link of [{ type: 'symlink' }, { isSymlink: true }, { mode: '120000' }, { action: 'create_link' }])
      expect(paths({ ...link, content: 'a' }), JSON.stringify(link)).toContainEqual(['a', 'path']);
    expect(paths({ type: 'symlink', content: 'a\nb' })).not.toContainEqual(['a\nb', 'path']);
    expect(paths({ type: 'file', content: 'a' })).toEqual([['file', 'guess']]);
    expect(paths({ type: 'symlink', other_text: 'a' })).not.toContainEqual(['a', 'path']);
    expect(paths({ linkTo: '../a' })).toEqual([['../a', 'guess']]);
    expect(paths({ link: 'a' })).toEqual([]);
  });
});

/** The findings that are not empty, with each candidate as one text. */
function findings(args: unknown, ...hints: readonly string[]): unknown {
  const { candidates, ...rest } = collectPaths(args, new Set(hints));
  const all: [string, unknown][] = Object.entries({
    candidates: candidates.map(({ written: path, weight, role }) => `${path} ${weight} ${role}`),
    ...rest,
    outputs: Object.fromEntries(rest.outputs),
    changed: [...rest.changed],
    operations: [...rest.operations],
    hints: undefined,
  });
  return Object.fromEntries(
    all.filter(([, value]) => value && (typeof value !== 'object' || Object.keys(value).length > 0)),
  );
}

describe('all findings in arguments', () => {
  it.each<[unknown, unknown]>([
    [7, {}],
    ['a', { candidates: ['a guess plain'] }],
    [{ path: true }, { odd: 'true' }],
    [{ path: false, file: null }, {}],
    [{ path: [7, 8] }, { odd: '7' }],
    [{ path: { value: 7 } }, { odd: '7' }],
    [{ other: 7 }, {}],
    [{ command: [] }, {}],
    [{ command: ['a', 7] }, { commands: [['a'], 'a'] }],
    [{ commands: ['a', 'b c'] }, { commands: [['a', 'b c'], 'a', 'b c'] }],
    [{ commands: 'a' }, { commands: ['a'] }],
    [{ commands: [{ command: 'a' }] }, { commands: [[], 'a'], operations: ['write'] }],
    [
      { type: 'symlink', content: 'a' },
      { candidates: ['symlink guess plain', 'a path plain'], texts: ['a'], hasBody: true },
    ],
    [
      { createSoftlink: true, text: 'a' },
      { candidates: ['a path plain'], texts: ['a'], hasText: true },
    ],
    [
      { symlink: 'true', text: 'a' },
      { candidates: ['true guess plain'], texts: ['a'], hasText: true },
    ],
    [{ link: '/a' }, { candidates: ['/a guess plain'] }],
    [{ mode: 'x'.repeat(39) }, { candidates: [`${'x'.repeat(39)} guess plain`] }],
    [{ mode: `create${' '.repeat(34)}` }, { candidates: [`create${' '.repeat(34)} guess plain`] }],
    [{ mode: 'create' }, { candidates: ['create guess plain'], operations: ['write'] }],
    [{ flag: 'a' }, { candidates: ['a guess plain'], operations: ['write'] }],
    [{ flags: 'r' }, { candidates: ['r guess plain'] }],
    [{ write: true }, { operations: ['write'] }],
    [{ write: 'true' }, { candidates: ['true guess plain'] }],
    [{ data: '' }, { texts: [''] }],
    [{ data: 'a' }, { texts: ['a'], hasText: true }],
    [
      { changes: [{ path: 'a' }, { uri: 'file:///b' }] },
      { candidates: ['a path plain', 'file:///b path plain'], changed: ['a', 'file:///b'] },
    ],
    [
      { edits: { path: { of: { file: 'a', name: 'b' } } } },
      { candidates: ['a path plain', 'b path plain'], changed: ['a'] },
    ],
    [
      { fileEdits: { 'a/b': 'x' } },
      { candidates: ['a/b guess plain', 'x guess plain'], changed: ['a/b'], hasBody: true },
    ],
    [
      { options: ['--output=a', '-o /b', 7] },
      {
        candidates: ['a path output', '/b path output', '--output=a guess plain', '-o /b guess plain'],
        outputs: { a: 'certain', '/b': 'certain' },
      },
    ],
    [{ files: { a: {}, 'a.b': {} } }, { candidates: ['a.b path plain'] }],
    [{ files: { value: 'x' } }, { candidates: ['x path plain'] }],
    [{ files: { a: 'x\ny' } }, { candidates: ['a path plain'], hasBody: true }],
    [{ 'a\u2044b': 'c' }, { candidates: ['a⁄b guess plain', 'c guess plain'], hasBody: true }],
    [{ 'a/b': 'c\nd' }, { candidates: ['a/b guess plain'], hasBody: true }],
    [{ text: { a: 'b', c: '/d' } }, { candidates: ['b guess plain', '/d guess plain'] }],
    [{ path: { a: 'b' } }, { candidates: ['b path plain'] }],
    [{ to: { a: 'b' } }, { candidates: ['b path output'], outputs: { b: 'likely' } }],
    [
      { tool: 'x', arguments: ['a'] },
      { candidates: ['x guess plain', 'a guess plain'], commands: [['x', 'a']], texts: ['a'] },
    ],
    [
      { action: 'create', input: { path: 'a' } },
      { candidates: ['create guess plain', 'a path plain'], operations: ['write'] },
    ],
    [
      { tool: 'create', input: { path: 'a' } },
      { candidates: ['create guess plain'], calls: [{ name: 'create', arguments: { path: 'a' } }] },
    ],
    [
      { TOOL: 'x', 'tool-args': { path: 'a' } },
      { candidates: ['x guess plain'], calls: [{ name: 'x', arguments: { path: 'a' } }] },
    ],
    [
      { tool: 'x', name: 'y', fn: 'x', args: {}, input: {} },
      {
        candidates: ['x guess plain', 'y guess plain'],
        calls: [
          { name: 'x', arguments: {} },
          { name: 'x', arguments: {} },
          { name: 'y', arguments: {} },
          { name: 'y', arguments: {} },
        ],
      },
    ],
    [{ url: 'file:/a', href: '/b' }, { candidates: ['file:/a path plain'] }],
    [{ x: '"{\\"path\\":\\"a\\"}"' }, { candidates: ['a path plain'] }],
    [{ x: '{"path":"../a"}' }, { candidates: ['../a path plain', '{"path":"../a"} guess plain'] }],
    [{ x: '{"path": }' }, { candidates: ['{"path": } guess plain'] }],
    [{ args: '{{ "x" }}' }, { candidates: ['{{ "x" }} guess plain'], texts: ['{{ "x" }}'] }],
    [{ path: '[id]/page.tsx' }, { candidates: ['[id]/page.tsx path plain'] }],
  ])('are %j', (args, expected) => {
    expect(findings(args)).toEqual(expected);
  });

  it('have the text next to a file name only if it may be a new name', () => {
    const whole = { candidates: ['a path plain'], hasBody: true };
    expect(findings({ files: { a: 'x'.repeat(4096) } })).toEqual({ ...whole, mapped: ['x'.repeat(4096)] });
    expect(findings({ files: { a: 'x'.repeat(4097) } })).toEqual(whole);
  });

  it.each([
    ['{"path": }', 'invalid-arguments', 'The arguments are not valid JSON, so their meaning is not known'],
    ['{"a":1,"a":2}', 'ambiguous-arguments', 'The arguments name "a" twice, and clients differ in which one they take'],
  ])('stop at the text %s', (args, rule, message) => {
    expect(() => collectPaths({ args })).toThrow(new Stop(rule as Stop['rule'], message));
  });

  it.each<[unknown, unknown]>([
    [{ zweck: 'a' }, { candidates: ['a path plain'] }],
    [{ zweck: ['a', 7, '{"b":"c"}'] }, { candidates: ['a path plain', 'c path plain'], odd: '7' }],
    [{ text: 'a' }, { candidates: ['a path plain'], texts: ['a'], hasText: true }],
    [{ text: ['a', 'b'] }, { candidates: ['a path plain', 'b path plain'], texts: ['a', 'b'] }],
    [{ text: 7 }, {}],
  ])('include the arguments that the configuration names: %j', (args, expected) => {
    expect(findings(args, 'zweck', 'text')).toEqual(expected);
  });
});
