import fs, { existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fileDir } from '../../../tests/support/temp-dir.ts';
import { makeDirs } from './make-dirs.ts';
import { withReplaced } from './testing.ts';

const base = fileDir();

describe('making directories', () => {
  it('makes parents, privately, and is content with what is there', () => {
    makeDirs(join(base, 'a/b/c'));
    makeDirs(join(base, 'a/b/c'));
    expect(statSync(join(base, 'a/b')).mode & 0o777).toBe(0o700);
  });
  it.skipIf(!existsSync('/proc/self'))('ends where a directory takes no children', () => {
    expect(() => makeDirs('/proc/croft/deep/er')).toThrow(/ENOENT/);
  });
  it('makes the directory when another process makes its parent at the same moment', async () => {
    const parent = join(base, 'shared');
    const real = mkdirSync;
    const racing = (path: string, mode: number) => {
      try {
        return real(path, mode);
      } finally {
        if (!existsSync(parent)) real(parent);
      }
    };
    await withReplaced(fs, { mkdirSync: racing as typeof mkdirSync }, () => makeDirs(join(parent, 'own')));
    expect(statSync(join(parent, 'own')).isDirectory()).toBe(true);
  });
  it('fails if a file is on the way', () => {
    writeFileSync(join(base, 'file'), '');
    expect(() => makeDirs(join(base, 'file/below'))).toThrow(/ENOTDIR|ENOENT/);
  });
});
