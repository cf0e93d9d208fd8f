import { describe, expect, it } from 'vitest';
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
