import { chmodSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { testDir } from '../../../../tests/support/temp-dir.ts';
import { examineBaseDir } from './base-dir.ts';

const onUnix = process.platform !== 'win32';
const asRoot = process.getuid?.() === 0;
let base: string;
let pepper: string;

beforeEach(() => {
  base = join(testDir(), 'base');
  pepper = join(base, 'workspaces', '.fs_pepper');
});
function make(mode = 0o700): void {
  mkdirSync(join(base, 'workspaces'), { recursive: true });
  chmodSync(base, mode);
}
const keepPepper = (bytes: number, mode = 0o600) => {
  make();
  writeFileSync(pepper, Buffer.alloc(bytes));
  chmodSync(pepper, mode);
};

describe.runIf(onUnix)('the base directory', () => {
  it('has no problem while it is missing, and is not made', () => {
    const report = { path: base, exists: false, writable: true, pepper: { path: pepper, state: 'missing' } };
    expect(examineBaseDir(base)).toEqual({ report, problems: [], notes: [] });
    expect(examineBaseDir(join(base, 'deep', 'er')).report).toMatchObject({ writable: true, exists: false });
    expect(readdirSync(join(base, '..'))).toEqual([]);
  });

  it('has no problem where only its owner may enter, and is left as it was', () => {
    make();
    const { report, problems, notes } = examineBaseDir(base);
    expect(report).toMatchObject({ exists: true, writable: true, mode: '0700' });
    expect([problems, notes, readdirSync(base)]).toEqual([[], [], ['workspaces']]);
  });

  it('has a note where others may look into it, and a problem where they may change it', () => {
    make(0o750);
    const advice = `Run chmod 700 ${base}`;
    expect(examineBaseDir(base)).toMatchObject({
      report: { mode: '0750' },
      problems: [],
      notes: [{ what: `Other users of this machine may look into ${base}`, advice }],
    });
    for (const mode of [0o720, 0o702]) {
      chmodSync(base, mode);
      expect(examineBaseDir(base)).toMatchObject({
        problems: [
          { what: `Other users may change what is in ${base}: logs, old versions of files, namespaces`, advice },
        ],
        notes: [],
      });
    }
  });

  it('must be a directory', () => {
    writeFileSync(base, '');
    expect(examineBaseDir(base)).toMatchObject({
      report: { exists: true, writable: false, pepper: { state: 'missing' } },
      problems: [{ what: `${base} is not a directory`, advice: 'Move it away, or set CROFT_BASE_DIR to a directory' }],
      notes: [],
    });
    expect(examineBaseDir(join(base, 'below')).problems).toEqual([
      {
        what: `The base directory ${base}/below cannot be written: ${base} is not a directory`,
        advice: 'Make it writable for this user, or set CROFT_BASE_DIR to a place that is',
      },
    ]);
  });

  it.runIf(process.platform === 'linux')('cannot be in a file system of the kernel', () => {
    for (const [path, system] of [
      ['/proc', 'procfs'],
      ['/sys', 'sysfs'],
    ] as const)
      expect(examineBaseDir(`${path}/croft-test`)).toMatchObject({
        report: { writable: false },
        problems: [
          {
            what: `The base directory ${path}/croft-test cannot be written: ${path} is ${system}, which cannot hold files`,
          },
        ],
      });
  });

  it.skipIf(asRoot)('must be writable, or possible to make', () => {
    make(0o500);
    expect(examineBaseDir(base)).toMatchObject({
      report: { writable: false },
      problems: [{ what: `The base directory ${base} cannot be written: Permission denied` }],
    });
    expect(examineBaseDir(join(base, 'new')).problems[0]?.what).toMatch(/cannot be written: Permission denied$/);
    chmodSync(base, 0o700);
  });
});

describe.runIf(onUnix)('the pepper', () => {
  it('is present with 32 bytes that only its owner may read', () => {
    keepPepper(32);
    expect(examineBaseDir(base)).toMatchObject({
      report: { pepper: { path: pepper, state: 'present', mode: '0600' } },
      problems: [],
    });
    for (const mode of [0o640, 0o604]) {
      chmodSync(pepper, mode);
      expect(examineBaseDir(base)).toMatchObject({
        report: { pepper: { state: 'present' } },
        problems: [
          {
            what: `Other users may read the pepper ${pepper} (mode 0${mode.toString(8)})`,
            advice: `Run chmod 600 ${pepper}`,
          },
        ],
      });
    }
  });

  it('cannot be used where it is too short or not a file', () => {
    keepPepper(31, 0o644);
    const advice =
      'Restore it from a backup. Without one, move it away: Croft makes a new one, and namespaces get new names';
    expect(examineBaseDir(base)).toMatchObject({
      report: { pepper: { path: pepper, state: 'unusable', mode: '0644' } },
      problems: [{ what: `The pepper ${pepper} is too short (31 bytes of 32)`, advice }],
    });
    const other = join(base, 'other');
    mkdirSync(join(other, 'workspaces', '.fs_pepper'), { recursive: true });
    const { problems } = examineBaseDir(other);
    expect(problems.at(-1)?.what).toBe(`The pepper ${other}/workspaces/.fs_pepper is not a file`);
  });

  it.skipIf(asRoot)('cannot be used where this user may not read it', () => {
    keepPepper(32, 0o200);
    expect(examineBaseDir(base).problems).toMatchObject([
      { what: `The pepper ${pepper} cannot be read: Permission denied` },
    ]);
  });

  it('is missed where users have namespaces', () => {
    make();
    mkdirSync(join(base, 'workspaces', 'users'));
    expect(examineBaseDir(base).problems).toEqual([]);
    mkdirSync(join(base, 'workspaces', 'users', 'u1'));
    expect(examineBaseDir(base)).toMatchObject({
      report: { pepper: { path: pepper, state: 'missing' } },
      problems: [
        {
          what: `The pepper ${pepper} is gone, but there are namespaces of users, which cannot be found without it`,
          advice: 'Restore .fs_pepper from a backup before users sign in',
        },
      ],
    });
  });

  it('counts as missing where its path cannot be followed', () => {
    make();
    symlinkSync('.fs_pepper', pepper);
    expect(examineBaseDir(base).report.pepper).toEqual({ path: pepper, state: 'missing' });
  });
});
