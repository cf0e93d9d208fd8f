import { spawnSync } from 'node:child_process';
import { utimesSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { isAbandoned, isProcessGone, isTempName, processName, tempName } from './temp-name.ts';
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
  const ageOf = (ms: number) => () => Date.now() - ms;
  expect(isProcessGone(foreign, ageOf(HOUR_MS / 2))).toBe(false);
  expect(isProcessGone(foreign, ageOf(HOUR_MS * 2))).toBe(true);
  expect(isProcessGone(foreign, never)).toBe(false);
  const old = (Date.now() - HOUR_MS * 2) / 1_000;
  utimesSync(at('f'), old, old);
  expect(isAbandoned(`.croft-tmp-${foreign}-0123456789ab`, at('f'))).toBe(true);
});
