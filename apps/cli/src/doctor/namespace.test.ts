import { mkdirSync, readdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { LOCAL_USER_ID } from '@croft/server/config';
import { resolveNamespace } from '@croft/workspace';
import { beforeEach, describe, expect, it } from 'vitest';
import { testDir } from '../../../../tests/support/temp-dir.ts';
import { examineNamespace } from './namespace.ts';

let base: string;
beforeEach(() => {
  base = testDir();
});
const advice = 'Every call on these files fails until this is fixed';
const rootOf = (userId: string, forceIsolation = true, auto = true) =>
  resolveNamespace({ userId, forceIsolation, env: { CROFT_BASE_DIR: base, CROFT_AUTO_LOGIN: String(auto) } }).root;
/** Replaces a namespace with a link to a directory. */
function link(root: string): string {
  renameSync(root, `${root}-moved`);
  symlinkSync(`${root}-moved`, root);
  return root;
}
const share = () => writeFileSync(join(base, 'shared-mount.json'), '{"mode":"read"}');

describe('the files that a call reaches', () => {
  it('are the shared ones without accounts, and nothing is made', async () => {
    expect(await examineNamespace(base, true, undefined)).toEqual({
      report: {
        auto_login: true,
        mode: 'shared',
        effective_root: join(base, 'workspaces', 'shared'),
        resolution_error: null,
      },
      problems: [],
      notes: [],
    });
    expect(readdirSync(base)).toEqual([]);
  });

  it('are those of a named user', async () => {
    const root = rootOf('ann');
    const { report } = await examineNamespace(base, true, 'ann');
    expect(report).toEqual({ auto_login: true, mode: 'isolated', effective_root: root, resolution_error: null });
    expect((await examineNamespace(base, false, 'ann')).report.effective_root).toBe(root);
  });

  it('are not those of one user with accounts', async () => {
    expect((await examineNamespace(base, false, undefined)).report).toEqual({
      auto_login: false,
      mode: 'isolated',
      effective_root: null,
      resolution_error: null,
    });
  });
});

describe('files that no call reaches', () => {
  it('are a problem, with the reason', async () => {
    const root = link(rootOf('ann'));
    const { report, problems } = await examineNamespace(base, true, 'ann');
    expect(report.effective_root).toBeNull();
    expect(report.resolution_error).toContain(root);
    expect(problems).toEqual([{ what: report.resolution_error?.replace(/\.$/, ''), advice }]);
    expect(problems[0]?.what).toMatch(/[^.]$/);
  });

  it('are a problem in the mount of the own files too', async () => {
    const root = link(rootOf(LOCAL_USER_ID));
    const { report, problems } = await examineNamespace(base, true, undefined);
    expect(report.resolution_error).toBeNull();
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatchObject({ what: expect.stringContaining(root) as string, advice });
    expect((await examineNamespace(base, true, 'ann')).problems).toEqual([]);
  });

  it('are a problem in the mount of the shared files, if an admin shares them', async () => {
    const root = join(base, 'workspaces', 'shared');
    mkdirSync(join(base, 'workspaces'));
    writeFileSync(root, 'a file');
    expect((await examineNamespace(base, false, undefined)).problems).toEqual([]);
    share();
    const { problems } = await examineNamespace(base, false, undefined);
    expect(problems).toMatchObject([{ what: expect.stringContaining(root) as string, advice }]);
  });

  it('are a problem where they cannot be listed', async () => {
    rootOf('any', false);
    writeFileSync(join(base, 'workspaces', '.fs_pepper'), 'short');
    expect((await examineNamespace(base, true, undefined)).problems).toHaveLength(1);
  });

  it('are named where a link replaced the files of a user, five of them', async () => {
    const other =
      'Put the directory back: a symbolic link is not followed there. Every call of that user fails until then';
    const one = link(rootOf('u0'));
    expect((await examineNamespace(base, false, undefined)).problems).toEqual([
      { what: `Not a directory, but the name of a user's files: ${one}`, advice: other },
    ]);
    expect((await examineNamespace(base, false, 'ann')).problems).toEqual([]);
    for (const user of ['u1', 'u2', 'u3', 'u4']) link(rootOf(user));
    expect((await examineNamespace(base, false, undefined)).problems[0]?.what).not.toContain('more');
    link(rootOf('u5'));
    const [problem] = (await examineNamespace(base, false, undefined)).problems;
    expect(problem?.what).toMatch(/files: (\S+, ){4}\S+ and 1 more$/);
    expect(problem?.what).toContain(basename(dirname(one)));
  });
});

it('passes on what it finds hidden behind a mount', async () => {
  rootOf(LOCAL_USER_ID);
  mkdirSync(join(base, 'workspaces', 'shared', 'mine'), { recursive: true });
  expect((await examineNamespace(base, true, undefined)).notes).toMatchObject([
    { what: expect.stringContaining('The mount mine/ hides an entry') as string },
  ]);
});
