import { expect, it } from 'vitest';
import { isSameButMoved, versionOf } from './version.ts';

const STAT = { mtimeMs: 1_700_000_000_000.25, size: 12, ino: 77 };

it('is another one for another time, size or inode, to the microsecond', () => {
  const versions = [
    STAT,
    { ...STAT, mtimeMs: STAT.mtimeMs + 0.001 },
    { ...STAT, mtimeMs: STAT.mtimeMs + 1 },
    { ...STAT, size: 13 },
    { ...STAT, ino: 78 },
  ].map(versionOf);
  expect(new Set(versions).size).toBe(5);
  // Clients have stored versions of this form.
  expect(versions[0]).toBe(`${(1_700_000_000_000_250).toString(36)}-c-25`);
});

it('is that of a moved file if only the inode differs', () => {
  const version = versionOf(STAT);
  expect(isSameButMoved(version, versionOf({ ...STAT, ino: 1 }))).toBe(true);
  expect(isSameButMoved(version, version)).toBe(true);
  for (const other of [
    { ...STAT, size: 1 },
    { ...STAT, size: 120 },
    { ...STAT, mtimeMs: STAT.mtimeMs + 1 },
  ])
    expect(isSameButMoved(version, versionOf(other))).toBe(false);
  expect(isSameButMoved(version, 'absent')).toBe(false);
});
