import { describe, expect, it } from 'vitest';
import { testPolicy } from '../testing.ts';
import type { Candidate, Findings } from './extract/findings.ts';
import { intoDirectories, withNewNames } from './new-names.ts';
import type { Place } from './spot.ts';
import { Stop } from './stop.ts';
import { toolName } from './tool-kind.ts';

const tool = (name: string) => toolName(name, testPolicy());
const path = (written: string, more: Partial<Candidate> = {}): Candidate => ({
  written,
  weight: 'path',
  role: 'plain',
  ...more,
});
const found = (candidates: readonly Candidate[], mapped: readonly string[] = []) =>
  ({ candidates, mapped }) as unknown as Findings;
const added = (before: Findings, after: Findings) => after.candidates.slice(before.candidates.length);

describe('values beside file names', () => {
  it('are new names for a tool that renames, and contents for others', () => {
    const given = found([path('a.ts')], ['b.ts', '../c.ts']);
    for (const name of ['rename_files', 'move', 'create_symlink'])
      expect(added(given, withNewNames(given, tool(name))), name).toEqual([
        path('b.ts', { role: 'output' }),
        path('../c.ts', { role: 'output' }),
      ]);
    expect(withNewNames(given, tool('write_files'))).toBe(given);
  });
});

describe('a tool that moves into a directory', () => {
  const place = { isDirectory: (dir: string) => dir === 'dir' } as unknown as Place;
  const places = (candidates: readonly Candidate[], name = 'move_file', at = place) => {
    const given = found(candidates);
    return added(given, intoDirectories(given, tool(name), at)).map(({ written }) => written);
  };

  it('creates a file of the old name there', () => {
    expect(places([path('a/b.ts'), path('dir')])).toEqual(['dir/b.ts']);
    expect(places([path('a\\b.ts'), path('new/')])).toEqual(['new//b.ts']);
    expect(places([path('a/.git//'), path('dir')])).toContain('dir/.git');
  });

  it('creates none for another tool, a file, or the base of relative paths', () => {
    expect(places([path('a/b.ts'), path('dir')], 'write_file')).toEqual([]);
    expect(places([path('a/b.ts'), path('c.ts')])).toEqual([]);
    expect(places([path('a/b.ts'), path('dir', { role: 'base' })])).toEqual([]);
    expect(places([path('a/b.ts', { weight: 'guess' }), path('dir')])).toEqual([]);
  });

  it('may mean a directory by every path where the disk is not known', () => {
    const remote = { isDirectory: undefined } as unknown as Place;
    expect(places([path('a'), path('b')], 'copy', remote)).toEqual(['a/b', 'b/a']);
  });

  it('is refused with more than 10,000 combinations', () => {
    const many = (count: number) => Array.from({ length: count }, (_, i) => path(`d${i}/`));
    expect(places(many(100))).toHaveLength(100 * 99);
    expect(() => places(many(101))).toThrow(Stop);
  });
});
