import { spawnSync } from 'node:child_process';
import { readFileSync, readlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { expect, it, vi } from 'vitest';
import { isAbandoned, isProcessGone, isTempName, LOCK_NAME, processName, tempName } from './temp-name.ts';
import { useWorkspaces } from './use-workspaces.ts';

const open = useWorkspaces();
const HOUR_MS = 60 * 60 * 1000;
const never = () => undefined;

it('makes names that are recognized, and no two alike', () => {
  const names = Array.from({ length: 2_000 }, tempName);
  expect(new Set(names).size).toBe(2_000);
  expect(names.every(isTempName)).toBe(true);
  expect(['.croft', 'croft-tmp-1', '.croft-tm'].some(isTempName)).toBe(false);
});

it('names a file after its process, and the lock file without one', () => {
  const [random] = tempName().split('-').slice(-1);
  expect(tempName()).toMatch(new RegExp(`^\\.croft-tmp-${processName()}-[0-9a-f]{12}$`));
  expect(random).toMatch(/^[0-9a-f]{12}$/);
  expect(LOCK_NAME).toBe('.croft-tmp-lock');
});

it.runIf(process.platform === 'linux')('names a process by its id, its namespace and its start', () => {
  const namespace = Number(/\d+/.exec(readlinkSync('/proc/self/ns/pid'))?.[0]).toString(36);
  const fields = readFileSync('/proc/self/stat', 'latin1')
    .replace(/^.*\) /s, '')
    .split(' ');
  const start = Number(fields[22 - 3])
    .toString(16)
    .padStart(8, '0')
    .slice(-8);
  expect(processName()).toBe(`${process.pid}-${namespace}-${start}`);
});

it('takes a process for gone only if the system does not know its id', () => {
  const [, namespace, token] = processName().split('-');
  const kill = vi.spyOn(process, 'kill');
  const withError = (code: string) => {
    kill.mockImplementation(() => {
      throw Object.assign(new Error(code), { code });
    });
    return isProcessGone(`${process.ppid}-${namespace}-${token}`, never);
  };
  try {
    expect([withError('ESRCH'), withError('EPERM')]).toEqual([true, false]);
    kill.mockImplementation(() => true);
    expect(isProcessGone(`${process.ppid}-${namespace}-${token}`, never)).toBe(false);
    expect(kill.mock.calls.at(-1)).toEqual([process.ppid, 0]);
  } finally {
    kill.mockRestore();
  }
});

it('does not give up the files of this process, and those of one that ended', () => {
  const { at } = open();
  const name = tempName();
  writeFileSync(at(name), '');
  expect(isAbandoned(name, at(name))).toBe(false);
  const { pid } = spawnSync(process.execPath, ['--version']);
  expect(isAbandoned(name.replace(`${process.pid}-`, `${pid}-`), at(name))).toBe(true);
  // No name of ours: a user may call a file so.
  expect(isAbandoned('.croft-tmp-notes', at(name))).toBe(false);
});

it('tells an earlier process with the same id by its start', () => {
  const [id, namespace, token = ''] = processName().split('-');
  expect(isProcessGone(processName(), never)).toBe(false);
  const other = `${token[0] === '0' ? '1' : '0'}${token.slice(1)}`;
  expect(isProcessGone(`${id}-${namespace}-${other}`, never)).toBe(true);
});

it('gives up the files of another container after an hour', () => {
  const { at } = open();
  writeFileSync(at('f'), '');
  const foreign = `1-zzzzz-00000000`;
  vi.useFakeTimers({ toFake: ['Date'] });
  try {
    const ageOf = (ms: number) => () => Date.now() - ms;
    expect(isProcessGone(foreign, ageOf(HOUR_MS))).toBe(false);
    expect(isProcessGone(foreign, ageOf(HOUR_MS + 1))).toBe(true);
    expect(isProcessGone(foreign, never)).toBe(false);
  } finally {
    vi.useRealTimers();
  }
  expect(isAbandoned(`.croft-tmp-${foreign}-0123456789ab`, at('f'))).toBe(false);
  expect(isAbandoned(`.croft-tmp-${foreign}-0123456789ab`, at('gone'))).toBe(false);
  const old = (Date.now() - HOUR_MS * 2) / 1_000;
  utimesSync(at('f'), old, old);
  expect(isAbandoned(`.croft-tmp-${foreign}-0123456789ab`, at('f'))).toBe(true);
});
