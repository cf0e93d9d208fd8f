import {
  chmodSync,
  closeSync,
  existsSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { refusalOf } from '../../../../packages/workspace/src/testing.ts';
import { testDir } from '../../../../tests/support/temp-dir.ts';
import { BACKUP_MARK, readFound, replaceFile, UnusableFile } from './replace-file.ts';

const NOW = new Date('2026-01-02T03:04:05.678Z');
let dir: string;
let file: string;
beforeEach(() => {
  dir = testDir();
  file = join(dir, 'config.json');
});
const names = () => readdirSync(dir).sort();

describe('a file of the user', () => {
  it('is read through links, with its byte-order mark', () => {
    writeFileSync(file, '\ufeff{}');
    symlinkSync(file, join(dir, 'link'));
    expect(readFound(join(dir, 'link'))).toEqual({ path: file, text: '\ufeff{}' });
    expect(readFound(join(dir, 'none'))).toEqual({ path: join(dir, 'none'), text: undefined });
  });

  it.each([
    ['is not a file', () => mkdirSync(file)],
    ['is not UTF-8 text', () => writeFileSync(file, Buffer.from([0xff]))],
    ['is a link to a file that does not exist', () => symlinkSync(join(dir, 'none'), file)],
    ['cannot be read (ELOOP)', () => symlinkSync(file, file)],
  ])('%s: then it is not used', (problem, make) => {
    make();
    expect(refusalOf(() => readFound(file))).toBe(problem);
  });
});

describe('a file that is replaced', () => {
  it('keeps its mode, and its old text beside it', () => {
    writeFileSync(file, 'old');
    chmodSync(file, 0o640);
    const backup = replaceFile(readFound(file), 'new', NOW);
    expect(backup).toBe(`${file}.croft-backup-20260102T030405Z`);
    expect([readFileSync(file, 'utf8'), readFileSync(backup ?? '', 'utf8')]).toEqual(['new', 'old']);
    expect([file, backup ?? ''].map((path) => statSync(path).mode & 0o777)).toEqual([0o640, 0o640]);
    expect(replaceFile(readFound(file), 'newer', NOW)).toBe(`${backup}-2`);
    expect(names()).toHaveLength(3);
  });

  it('is made with its directory where it does not exist, for its owner only', () => {
    const deep = join(dir, 'a/b/config.json');
    expect(replaceFile(readFound(deep), 'new', NOW)).toBeUndefined();
    expect([readFileSync(deep, 'utf8'), statSync(deep).mode & 0o777]).toEqual(['new', 0o600]);
    expect(readdirSync(join(dir, 'a/b'))).toEqual(['config.json']);
  });

  it('is deleted with a backup, and nothing happens where there is none', () => {
    expect(replaceFile(readFound(file), undefined, NOW)).toBeUndefined();
    writeFileSync(file, 'old');
    const backup = replaceFile(readFound(file), undefined, NOW);
    expect([existsSync(file), readFileSync(backup ?? '', 'utf8')]).toEqual([false, 'old']);
  });

  it('is left as it is if it changed since it was shown', () => {
    writeFileSync(file, 'shown');
    const found = readFound(file);
    writeFileSync(file, 'changed');
    expect(refusalOf(() => replaceFile(found, 'new', NOW))).toBe('was changed meanwhile; run croft setup again');
    expect([readFileSync(file, 'utf8'), names()]).toEqual(['changed', ['config.json']]);
    const none = readFound(join(dir, 'late.json'));
    writeFileSync(none.path, 'made meanwhile');
    expect(refusalOf(() => replaceFile(none, 'new', NOW))).toBe('was changed meanwhile; run croft setup again');
  });

  it('says why it cannot be written', () => {
    writeFileSync(file, '');
    const below = { path: join(file, 'x/config.json'), text: undefined };
    expect(refusalOf(() => replaceFile(below, 'new', NOW))).toBe('cannot be written (ENOTDIR)');
  });
});

describe.skipIf(process.platform === 'win32')('the limits of a file', () => {
  it('are its size', () => {
    const fd = openSync(file, 'w');
    ftruncateSync(fd, 64 * 1024 * 1024 + 1);
    closeSync(fd);
    expect(refusalOf(() => readFound(file))).toBe('is larger than 67108864 bytes');
  });

  it('are errors of their own kind', () => {
    mkdirSync(file);
    expect(() => readFound(file)).toThrow(UnusableFile);
    expect(() => replaceFile({ path: join(dir, 'x'), text: 'other' }, 'new', NOW)).toThrow(UnusableFile);
  });
});

it('has a backup for each change in one second', () => {
  writeFileSync(file, '0');
  const backups = ['1', '2', '3'].map((text) => replaceFile(readFound(file), text, NOW));
  const first = `${file}${BACKUP_MARK}20260102T030405Z`;
  expect(backups).toEqual([first, `${first}-2`, `${first}-3`]);
  expect(backups.map((backup) => readFileSync(backup ?? '', 'utf8'))).toEqual(['0', '1', '2']);
});

it('writes text of any length as UTF-8', () => {
  writeFileSync(file, 'ö');
  const long = 'ö€😀'.repeat(100_000);
  const backup = replaceFile(readFound(file), long, NOW);
  expect([readFileSync(file, 'utf8') === long, readFileSync(backup ?? '', 'utf8')]).toEqual([true, 'ö']);
});
