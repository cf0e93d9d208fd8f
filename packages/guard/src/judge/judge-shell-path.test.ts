import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { ShellPath } from './extract/shell/shell-reading.ts';
import { isProtected, judgeShellPath } from './judge-shell-path.ts';
import { scratchContext } from './testing.ts';

const { context, scratch, remove } = scratchContext(
  [
    'src/a.ts',
    'src/out => $OUT',
    'src/in => $ROOT/lib',
    'lib/x.lock',
    'conf/x.lock',
    'bare/HEAD',
    'bare/objects/',
    'own',
  ],
  { protect: ['.git/hooks/**', 'conf/*.lock', 'lib/x.lock', 'empty/*.lock'] },
);
symlinkSync(scratch.outside, join(scratch.workspace, 'lib/way'));
afterAll(remove);

function judged(path: string, more: Partial<ShellPath> = {}, use: { removes?: boolean; isWritten?: boolean } = {}) {
  const write: ShellPath = { written: path, path, ...(/[*?[{]/.test(path) && { isPattern: true as const }), ...more };
  const found = judgeShellPath(
    write,
    { removes: use.removes === true, isWritten: use.isWritten === true },
    context.place,
    context.protect,
  );
  return found.problem?.rule ?? found.path;
}
const removes = { removes: true };

describe('a plain path of a command', () => {
  it('is judged as it is, and shown as the command wrote it', () => {
    const found = judgeShellPath(
      { written: '"$PWD"/../x', path: '../x' },
      { removes: false, isWritten: false },
      context.place,
      context.protect,
    );
    expect(found.verdict).toEqual({ written: '"$PWD"/../x', read_as: '../x', inside: false });
    expect([judged('src/a.ts'), judged('conf/x.lock'), judged("src/'q'")]).toEqual([
      'src/a.ts',
      'protected-path',
      "src/'q'",
    ]);
  });

  it('may not be the whole root or the way to a protected file if the command removes it', () => {
    expect([judged('.'), judged('.', {}, removes)]).toEqual(['.', 'whole-root']);
    expect([judged('conf'), judged('conf', {}, removes)]).toEqual(['conf', 'protected-path']);
  });
});

describe('a wildcard', () => {
  it.each(['C:\\Windows\\*', 'C:\\*', 'D:*', '\\Users\\a*', '\\\\host\\sh*', '\\\\?\\C:\\x'])(
    'may not match a file of Windows outside of the project: %s',
    (path) => {
      expect(judged(path, { isPattern: true })).toBe('outside-path');
    },
  );

  it.each(['@(..)/x', '@(..|a)/x', '+(.)/x', '.?(.)/x', '@(..)/x*', 'src/*/@(..)', '@(.'])(
    'may not be a group that matches the directory above: %s',
    (path) => {
      expect(judged(path, { isPattern: true })).toBe('unresolvable-path');
    },
  );

  it.each(['conf/*.@(js|ts)', '@(a|b).txt', '!(a)', 'conf/@(a|b)/y'])(
    'may be a group that matches names only: %s',
    (path) => {
      expect(judged(path, { isPattern: true })).not.toMatch(/-path$/);
    },
  );

  it('is judged by the directory before it', () => {
    expect([judged('src/*.ts'), judged('*.ts'), judged('../*'), judged('/*'), judged('/etc/*')]).toEqual([
      'src',
      '.',
      'outside-path',
      'outside-path',
      'outside-path',
    ]);
  });

  it('may not go up again', () => {
    const found = judgeShellPath(
      { written: 'src/*/../x', path: 'src/*/../x', isPattern: true },
      { removes: false, isWritten: false },
      context.place,
      context.protect,
    );
    expect(found).toEqual({
      verdict: { written: 'src/*/../x', read_as: 'src/*/../x', inside: false },
      problem: { rule: 'unresolvable-path', reason: "Path 'src/*/../x' goes up again with or behind a wildcard" },
    });
    expect(judged('../src/*')).toBe('outside-path');
  });

  it.each(['*', '.*', '{*,.*}', '.[!.]*'])('of everything may not be removed in the root: %s', (path) => {
    expect(judged(path, { isPattern: true }, removes)).toBe('whole-root');
  });

  it('of some names may be removed in the root, and everything below it', () => {
    expect(judged('o*', {}, removes)).toBe('.');
    expect(judged('src/*.ts', {}, removes)).toBe('src');
    expect(judged('plain/*', {}, removes)).toBe('plain');
  });

  it('may not match a protected file that is there', () => {
    expect([judged('conf/*'), judged('conf/y*'), judged('c*/x.lock')]).toEqual([
      'protected-path',
      'conf',
      'protected-path',
    ]);
    expect(judged('conf/*.lock', {}, removes)).toBe('protected-path');
    expect([judged('co*'), judged('co*', {}, removes)]).toEqual(['.', 'protected-path']);
    // Brackets and `**` may mean any name.
    expect([judged('conf/[a-z].lock'), judged('empty/**/x.lock')]).toEqual(['protected-path', 'protected-path']);
  });

  it('may not match a protected file through a link to its directory', () => {
    expect(judged('src/in/*')).toBe('protected-path');
    expect(judged('s*/in/x*')).toBe('protected-path');
  });

  it('may not make a protected file', () => {
    expect(judged('empty/*')).toBe('empty');
    expect(judged('empty/*', { isOpen: true })).toBe('protected-path');
    expect(judged('empty/*', { uses: ['appears'] })).toBe('protected-path');
    expect(judged('empty/*', { uses: ['removes'] })).toBe('empty');
  });

  it('may not lead outside through a link', () => {
    expect([judged('src/*'), judged('src/o*'), judged('src/a*')]).toEqual(['outside-path', 'outside-path', 'src']);
  });

  it('may not change a directory that is a repository', () => {
    expect([judged('bare/con*'), judged('bare/ho*'), judged('bare/x*'), judged('bare/**')]).toEqual([
      'protected-path',
      'protected-path',
      'bare',
      'protected-path',
    ]);
    expect(judged('bare/con*', {}, removes)).toBe('bare');
    expect(judged('bare/x*', { uses: ['appears'] })).toBe('protected-path');
    expect(judged('src/con*')).toBe('src');
  });
});

it('says which pattern protects a path', () => {
  expect(isProtected('./a', 'a', '*.lock')).toEqual({
    verdict: { written: './a', read_as: 'a', inside: true },
    problem: { rule: 'protected-path', reason: "Path './a' is protected (*.lock): another program runs or obeys it" },
  });
});
