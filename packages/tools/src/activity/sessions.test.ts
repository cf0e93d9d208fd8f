import { readdirSync, renameSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { testDir } from '../../../../tests/support/temp-dir.ts';
import { abandonedSessions, beginSession, sessionOf } from './sessions.ts';

afterEach(() => {
  vi.useRealTimers();
});

const onlyFile = (dir: string) => join(dir, readdirSync(dir)[0] as string);

describe('the mark of a process', () => {
  it('is there while the process records changes, and only its owner reads it', () => {
    const dir = testDir();
    const session = beginSession(dir, '0123abcd');
    expect(readdirSync(dir)).toHaveLength(1);
    expect(statSync(onlyFile(dir)).mode & 0o777).toBe(0o600);
    expect(abandonedSessions(dir)).toEqual([]);
    session.end();
    expect(readdirSync(dir)).toEqual([]);
    session.end();
  });

  it('is renewed by a change every ten minutes', () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const dir = testDir();
    const session = beginSession(dir, '0123abcd');
    const file = onlyFile(dir);
    utimesSync(file, 1, 1);
    vi.setSystemTime(Date.now() + 599_999);
    session.touch();
    expect(statSync(file).mtimeMs).toBe(1_000);
    vi.setSystemTime(Date.now() + 1);
    session.touch();
    expect(statSync(file).mtimeMs).toBeGreaterThan(1_000);
    session.end();
  });

  it('is abandoned once its process ended, with the time of its last sign', () => {
    const dir = testDir();
    beginSession(dir, '0123abcd');
    const name = readdirSync(dir)[0] as string;
    // Another process had the id of this one before.
    const ended = name.replace(/[0-9a-f]{8}$/, '00000000');
    renameSync(join(dir, name), join(dir, ended));
    utimesSync(join(dir, ended), 5, 5);
    const [session, ...others] = abandonedSessions(dir);
    expect([session?.id, session?.lastSeenMs, others]).toEqual(['0123abcd', 5_000, []]);
    session?.end();
    expect(readdirSync(dir)).toEqual([]);
  });
});

it('takes no other file for a mark, and no directory for one without marks', () => {
  const dir = testDir();
  for (const name of ['session.xyz.1-a-00000000', 'session.0123abcd', 'log.1.ndjson', 'session.0123abcd.1-a-0000000g'])
    writeFileSync(join(dir, name), '');
  expect(abandonedSessions(dir)).toEqual([]);
  expect(abandonedSessions(join(dir, 'missing'))).toEqual([]);
});

it('finds the session in the id of an entry', () => {
  expect([sessionOf('17-0123abcd-1'), sessionOf('17')]).toEqual(['0123abcd', undefined]);
});
