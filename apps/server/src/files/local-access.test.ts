import { mkdirSync, readFileSync, rmdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fileDir } from '../../../../tests/support/temp-dir.ts';
import { ConfigError } from '../config/load-config.ts';
import { LOCAL_USER_ID } from '../local-user.ts';
import type { Problem } from '../problem.ts';
import { createLocalAccess, isContainer, type LocalAccess, refuseFilesystemPath } from './local-access.ts';
import { startTestServer } from '../testing.ts';

const dir = fileDir();
mkdirSync(join(dir, 'work'));
writeFileSync(join(dir, 'work/notes.txt'), 'text');

describe('the directory that CROFT_FILESYSTEM_PATH fixes', () => {
  it('stops the start with one sentence where it cannot be used', () => {
    const baseDir = join(dir, 'base');
    const refusal = (filesystemPath: string, autoLogin = true) => {
      try {
        refuseFilesystemPath({ baseDir, autoLogin, filesystemPath });
      } catch (error) {
        expect(error).toBeInstanceOf(ConfigError);
        return (error as Error).message;
      }
      return undefined;
    };
    mkdirSync(baseDir);
    expect(refusal(join(dir, 'work'))).toBeUndefined();
    for (const bad of ['none', 'work/notes.txt', 'base'].map((name) => join(dir, name)))
      expect(refusal(bad)).toMatch(/^CROFT_FILESYSTEM_PATH cannot be used: .+\.?$/);
    expect(refusal(join(dir, 'work'), false)).toBe(
      'CROFT_FILESYSTEM_PATH needs CROFT_AUTO_LOGIN=true: with accounts, agents read no files of this machine',
    );
  });

  it('is looked at before the server listens', async () => {
    const attempt = startTestServer({ autoLogin: true, filesystemPath: join(dir, 'none') });
    await expect(attempt).rejects.toThrow(/^CROFT_FILESYSTEM_PATH cannot be used/);
  });
});

describe('reading files of the machine', () => {
  let count = 0;
  const open = (more: Partial<Parameters<typeof createLocalAccess>[0]> = {}, inContainer = false) => {
    const baseDir = more.baseDir ?? join(dir, `base-${count++}`);
    return { baseDir, access: createLocalAccess({ baseDir, autoLogin: true, ...more }, inContainer) };
  };
  const refusal = (work: () => unknown) => {
    try {
      work();
    } catch (error) {
      const { status, code, message } = error as Problem;
      return [status, code, message];
    }
    return undefined;
  };
  const work = join(dir, 'work');
  const READING = ['get-file-tree', 'list-files', 'read-file', 'search-files'];
  const names = (access: LocalAccess, user = LOCAL_USER_ID) => access.toolsFor(user).map(({ name }) => name);

  it('is off with accounts and in a container, and waits for a choice elsewhere', () => {
    const off = { state: 'off', directory: null, canChange: false };
    expect(open().access.state()).toEqual({ state: 'setup', directory: null, canChange: true });
    expect(open({ autoLogin: false }).access.state()).toEqual(off);
    expect(open({ autoLogin: false, filesystemPath: work }).access.state()).toEqual(off);
    expect(open({}, true).access.state()).toEqual(off);
    expect(open({ filesystemPath: work }, true).access.state()).toEqual({
      state: 'on',
      directory: work,
      canChange: false,
    });
  });

  it('offers tools that only read, to the local user alone, until the person revokes it', () => {
    const { access, baseDir } = open();
    expect(names(access)).toEqual([]);
    expect(access.choose(work)).toEqual({ state: 'on', directory: work, canChange: true });
    expect([names(access), names(access, 'another')]).toEqual([READING, []]);
    expect(access.toolsFor(LOCAL_USER_ID)).toBe(access.toolsFor(LOCAL_USER_ID));
    const file = join(baseDir, 'local-access.json');
    expect([readFileSync(file, 'utf8'), statSync(file).mode & 0o777]).toEqual([`{"directory":"${work}"}\n`, 0o600]);
    access.close();
    const again = createLocalAccess({ baseDir, autoLogin: true }, false);
    expect(again.state()).toEqual({ state: 'on', directory: work, canChange: true });
    expect(createLocalAccess({ baseDir, autoLogin: true }, true).state().state).toBe('off');
    expect(names(again)).toEqual(READING);
    expect(again.choose(null)).toEqual({ state: 'setup', directory: null, canChange: true });
    expect([names(again), readFileSync(file, 'utf8')]).toEqual([[], '{"directory":null}\n']);
  });

  it('has no choice where the file about it is damaged', () => {
    const { baseDir } = open();
    mkdirSync(baseDir);
    for (const text of ['{', '{"directory":1}', 'null']) {
      writeFileSync(join(baseDir, 'local-access.json'), text);
      expect(open({ baseDir }).access.state().state).toBe('setup');
    }
  });

  it('offers no tools of a directory that is gone', () => {
    const { access } = open();
    const gone = join(dir, 'gone');
    mkdirSync(gone);
    access.choose(gone);
    rmdirSync(gone);
    expect([access.state().state, access.toolsFor(LOCAL_USER_ID)]).toEqual(['on', []]);
  });

  it('refuses a choice that cannot be used, and says why', () => {
    const { access, baseDir } = open();
    mkdirSync(baseDir);
    const choose = (directory: string) => refusal(() => access.choose(directory));
    expect(choose('work')).toEqual([400, 'invalid', 'Give the whole path of a directory, such as /home/me/project.']);
    expect(choose(join(work, 'notes.txt'))).toEqual([400, 'invalid', 'This is not a directory.']);
    expect(choose(join(dir, 'none'))).toEqual([400, 'invalid', 'There is no such directory, or it cannot be read.']);
    expect(choose(baseDir)).toMatchObject([400, 'invalid', expect.stringContaining('base')]);
    expect(access.state().state).toBe('setup');
    const fixed = open({ filesystemPath: work }).access;
    expect(refusal(() => fixed.choose(null))).toEqual([
      409,
      'cannot_change',
      'The directory is fixed by CROFT_FILESYSTEM_PATH.',
    ]);
    expect(refusal(() => open({}, true).access.choose(work))).toEqual([
      409,
      'cannot_change',
      'This server cannot read files of its own machine. Connect a folder with croft connect instead.',
    ]);
  });

  it('knows a container by its marks', () => {
    const none = () => false;
    expect([
      isContainer({}, none),
      isContainer({}, (path) => path === '/.dockerenv'),
      isContainer({ KUBERNETES_SERVICE_HOST: 'x' }, none),
      isContainer({ container: 'podman' }, none),
      isContainer({ KUBERNETES_SERVICE_HOST: '', container: '' }, none),
    ]).toEqual([false, true, true, true, false]);
  });
});
