import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { testDir } from '../../../../tests/support/temp-dir.ts';
import { cannotRun, prepareDataDirectory, PROGRAM_ENV } from './data-directory.ts';
import { postgresLayout } from './postgres-layout.ts';
import { StoreError } from './store-error.ts';

let root: string;
beforeEach(() => void (root = join(testDir(), 'base')));
const uid = process.getuid?.() ?? 0;
const prepare = async (user: object = {}, programs: object = {}) => {
  const layout = postgresLayout(root);
  const binaries = { initdb: '/none/initdb', postgres: '/none/postgres', env: {}, ...programs };
  const own = { uid, gid: process.getgid?.() ?? 0, dropped: false, ...user };
  const failure = await prepareDataDirectory(layout, own as never, binaries as never).catch((error: unknown) => error);
  return { layout, failure: failure as StoreError | undefined };
};

describe.skipIf(process.platform === 'win32')('the directory of an embedded database', () => {
  it('is adopted where this program made it', async () => {
    mkdirSync(join(postgresLayout(root).data), { recursive: true });
    writeFileSync(join(postgresLayout(root).data, 'PG_VERSION'), '18\n');
    const { layout, failure } = await prepare();
    expect(failure).toBeUndefined();
    expect([layout.root, layout.run].map((path) => statSync(path).mode & 0o777)).toEqual([0o700, 0o700]);
    expect(readdirSync(layout.root).sort()).toEqual(expect.arrayContaining(['data', 'run']));
  });

  it('is refused where another version made it', async () => {
    mkdirSync(join(postgresLayout(root).data), { recursive: true });
    writeFileSync(join(postgresLayout(root).data, 'PG_VERSION'), '17\n');
    const { layout, failure } = await prepare();
    expect(failure).toMatchObject({
      code: 'base_unusable',
      message: `${layout.data} was made by PostgreSQL 17, and this program brings PostgreSQL 18: dump it with the program that made it, or choose another base directory with CROFT_BASE_DIR.`,
    });
  });

  it('is refused where it belongs to another user', async () => {
    mkdirSync(join(postgresLayout(root).data), { recursive: true });
    writeFileSync(join(postgresLayout(root).data, 'PG_VERSION'), '18\n');
    const { layout, failure } = await prepare({ uid: uid + 1 });
    expect(failure).toMatchObject({
      code: 'base_unusable',
      message: `${layout.data} belongs to user ${uid}: start Croft as that user or as root, or change its owner (chown -R).`,
    });
  });

  it('says what to do where it cannot be made', async () => {
    writeFileSync(root, 'a file');
    const { layout, failure } = await prepare();
    expect(failure).toBeInstanceOf(StoreError);
    expect(failure).toMatchObject({
      code: 'base_unusable',
      message: expect.stringContaining(`The database in ${layout.root} cannot be prepared (`) as string,
    });
  });

  it('has no remains of a first start that failed, its own or an earlier one', async () => {
    mkdirSync(join(postgresLayout(root).root, 'data.00ff.new', 'x'), { recursive: true });
    const { layout, failure } = await prepare();
    expect(failure).toBeInstanceOf(StoreError);
    expect(readdirSync(layout.root).filter((name) => name.startsWith('data'))).toEqual([]);
    const failed = await prepare({}, { initdb: '/bin/false' });
    expect(failed.failure).toMatchObject({ code: 'start_failed', message: 'PostgreSQL did not start: exit code 1' });
    expect(readdirSync(layout.root).filter((name) => name.startsWith('data'))).toEqual([]);
  });

  it('is made by initdb with these options, and the database gets its name', async () => {
    mkdirSync(root);
    const program = (name: string) => {
      const file = join(root, name);
      writeFileSync(file, `#!/bin/sh\nprintf '%s\\n' "$@" > ${file}.args\ncat > ${file}.input\n`, { mode: 0o755 });
      return file;
    };
    const { layout, failure } = await prepare({}, { initdb: program('first'), postgres: program('second') });
    expect(failure).toBeUndefined();
    const linesOf = (name: string) => readFileSync(join(root, name), 'utf8').split('\n').slice(0, -1);
    const [flag, data, ...options] = linesOf('first.args');
    expect([flag, data]).toEqual([
      '-D',
      expect.stringMatching(new RegExp(`^${layout.asSeen('data')}\\.[0-9a-f]{12}\\.new$`)) as string,
    ]);
    const cluster =
      '--username=croft --auth=peer --encoding=UTF8 --locale=C --locale-provider=builtin --builtin-locale=C.UTF-8';
    const files = '--data-checksums --wal-segsize=4 --set=max_connections=50 --set=shared_buffers=16MB';
    expect(options).toEqual(`${cluster} ${files}`.split(' '));
    expect(linesOf('second.args')).toEqual(['--single', '-D', data, '-c', 'log_min_messages=error', 'template1']);
    expect(linesOf('second.input')).toEqual(['ALTER DATABASE postgres RENAME TO croft']);
  });

  it('gets its name when both programs have ended', async () => {
    const { layout, failure } = await prepare({}, { initdb: '/bin/true', postgres: '/bin/true' });
    expect(failure).toBeUndefined();
    expect(readdirSync(layout.root).filter((name) => name.startsWith('data'))).toEqual(['data']);
  });
});

describe('a program of PostgreSQL that failed', () => {
  it('cannot run on this system', () => {
    const none = { code: cannotRun(127, '').code };
    for (const [status, output] of [
      [127, ''],
      [126, ''],
      [null, 'Error: spawn ENOENT'],
      [1, 'EACCES'],
      [1, 'error while loading shared libraries: x'],
    ] as const)
      expect(cannotRun(status, output)).toMatchObject(none);
    expect(cannotRun(127, 'a\nb\nc\nd').message).toContain('cannot run on this system (b c d)');
    expect(none.code).not.toBe('start_failed');
  });

  it('did not start', () => {
    expect(cannotRun(1, 'a\nb\nc\nd')).toMatchObject({
      code: 'start_failed',
      message: 'PostgreSQL did not start: b c d',
    });
    expect(cannotRun(null, '').message).toBe('PostgreSQL did not start: exit code null');
    expect(PROGRAM_ENV).toEqual({ PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' });
  });
});
