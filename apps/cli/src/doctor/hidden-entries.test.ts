import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LOCAL_USER_ID } from '@croft/server/config';
import { resolveNamespace } from '@croft/workspace';
import { beforeEach, describe, expect, it } from 'vitest';
import { testDir } from '../../../../tests/support/temp-dir.ts';
import { findHiddenEntries } from './hidden-entries.ts';

let base: string;
let workspaces: string;
beforeEach(() => {
  base = testDir();
  workspaces = join(base, 'workspaces');
});
const at = (...parts: string[]) => {
  const path = join(workspaces, ...parts);
  mkdirSync(path, { recursive: true });
  return path;
};
const advice = 'Rename it on the disk to reach its content';

describe('without accounts', () => {
  const hidden = (user?: string) => findHiddenEntries(base, true, undefined, user);
  const ownFiles = () =>
    resolveNamespace({ userId: LOCAL_USER_ID, forceIsolation: true, env: { CROFT_BASE_DIR: base } });

  it('finds an entry that the own files hide', () => {
    const mine = at('shared', 'mine');
    expect(hidden()).toEqual([]);
    ownFiles();
    expect(hidden()).toEqual([{ what: `The mount mine/ hides an entry of the same name: ${mine}`, advice }]);
    expect(hidden('ann')).toEqual([]);
  });

  it('finds nothing without such an entry, or where the own files cannot be opened', () => {
    ownFiles();
    at('shared');
    expect(hidden()).toEqual([]);
    at('shared', 'mine');
    writeFileSync(join(workspaces, '.fs_pepper'), 'short');
    expect(hidden()).toEqual([]);
  });
});

describe('with accounts', () => {
  const hidden = (root?: string, user?: string) => findHiddenEntries(base, false, root, user);
  const share = (mode: string) => writeFileSync(join(base, 'shared-mount.json'), JSON.stringify({ mode }));

  it('finds entries of users that the shared files hide, if an admin shares them', () => {
    const link = join(at('users', 'u1'), 'shared');
    symlinkSync('/nowhere', link);
    at('users', 'u2');
    expect(hidden()).toEqual([]);
    share('read');
    expect(hidden()).toEqual([{ what: `The mount shared/ hides an entry of the same name: ${link}`, advice }]);
  });

  it('names five entries and counts the others', () => {
    share('write');
    const paths = [1, 2, 3, 4, 5, 6, 7].map((number) => at('users', `u${number}`, 'shared'));
    const what = hidden()[0]?.what ?? '';
    expect(what).toMatch(/^The mount shared\/ hides entries of the same name: (\S+, ){4}\S+ and 2 more$/);
    expect(paths.filter((path) => what.includes(path))).toHaveLength(5);
    for (const number of [6, 7]) rmSync(at('users', `u${number}`), { recursive: true });
    expect(hidden()[0]?.what).not.toContain('more');
  });

  it('looks only at the namespace of a named user', () => {
    share('read');
    const root = at('users', 'u1');
    at('users', 'u2', 'shared');
    expect(hidden(root, 'ann')).toEqual([]);
    expect(hidden(undefined, 'ann')).toEqual([]);
    at('users', 'u1', 'shared');
    expect(hidden(root, 'ann')[0]?.what).toContain(`: ${root}/shared`);
  });
});
