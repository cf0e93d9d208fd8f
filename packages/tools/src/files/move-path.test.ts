import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { type Bench, makeBench, describedTool } from '../testing.ts';
import { movePathTool } from './move-path.ts';
import { TWO_PATHS } from './testing-fields.ts';
import type { FileToolkit } from './toolkit.ts';
import { ADDS } from '../tool.ts';

let bench: Bench;
afterEach(() => bench.close());
const host = (path: string) => join(bench.scratch.workspace, path);

describe.each(['move_path', 'copy_path'])('%s', (name) => {
  it('refuses an existing destination, a missing source, a path outside, and a directory into itself', async () => {
    bench = makeBench('full', ['a.txt', 'b.txt', 'd/x.txt', 'out => $OUT']);
    const error = async (source: string, destination: string) => {
      const { data } = await bench.call(name, { source, destination });
      expect(data).toMatchObject({ source, destination });
      return data.error;
    };
    expect(await error('a.txt', 'b.txt')).toBe('Destination already exists: b.txt');
    expect(await error('no.txt', 'c.txt')).toBe('File not found: no.txt');
    expect(await error('a.txt', '../outside/c.txt')).toBe('Path escapes workspace boundary: ../outside/c.txt');
    expect(await error('a.txt', 'out/c.txt')).toBe('Path escapes workspace boundary: out/c.txt');
    expect(await error('../outside/secret.txt', 'c.txt')).toBe(
      'Path escapes workspace boundary: ../outside/secret.txt',
    );
    expect(await error('d', 'd/e')).toMatch(/into itself: d$/);
    expect(await error('a.txt', '.lfsig/a')).toBe("Path component '.lfsig' is reserved");
    expect([existsSync(join(bench.scratch.outside, 'c.txt')), existsSync(host('d/e'))]).toEqual([false, false]);
  });

  it('is a change that replaces nothing, of both paths', () => {
    bench = makeBench('full');
    const tool = bench.table.tools.find((each) => each.name === name);
    expect(tool?.annotations).toMatchObject({ readOnlyHint: false, destructiveHint: false });
    expect(tool?.paths?.({ source: 'a', destination: 'b' })).toEqual(['a', 'b']);
  });
});

it('moves a directory with its content into new parents, and says so for the undo', async () => {
  bench = makeBench('full', ['d/x.txt = text']);
  const { ok, data, changes } = await bench.call('move_path', { source: 'd', destination: 'new/e' });
  expect([ok, data]).toEqual([true, { status: 'ok', source: 'd', destination: 'new/e' }]);
  expect([existsSync(host('d')), readFileSync(host('new/e/x.txt'), 'utf8')]).toEqual([false, 'text']);
  expect(changes?.map(({ kind, path, to }) => [kind, path, to])).toEqual([
    ['mkdir', 'new', undefined],
    ['move', 'd', 'new/e'],
  ]);
});

it('describes itself and its arguments', () => {
  expect(describedTool(movePathTool({} as FileToolkit), { source: 'a', destination: 'b' })).toEqual({
    name: 'move_path',
    title: 'Move or rename',
    description: 'Move or rename a file or directory. Refused when the destination exists.',
    tags: ['move_path'],
    annotations: ADDS,
    structured: true,
    ...TWO_PATHS,
    paths: ['a', 'b'],
  });
});
