import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { testDir } from '../../../../tests/support/temp-dir.ts';
import { HOOK_CLIENTS } from './hook-clients.ts';
import { withHook } from './hook-config.ts';
import { BACKUP_MARK } from './replace-file.ts';
import { restoredSettings } from './restore-settings.ts';
import { withVariable } from './settings-variable.ts';

const { format } = HOOK_CLIENTS['claude-code'];
const COMMAND = "/n/node '/c/croft.cjs' guard hook || exit 2";
const VARIABLE = { name: 'TMPDIR', value: '/t' };
/** Of a person, in a form that no program writes. */
const MINE = '{ // mine\n\t"model":"m" }';
const hooked = withHook(MINE, COMMAND, format);

let file: string;
beforeEach(() => {
  file = join(testDir(), 'settings.json');
});
const backup = (text: string, at = '2026-01-01') => writeFileSync(`${file}${BACKUP_MARK}${at}`, text);
const restored = (text: string, variable?: typeof VARIABLE) => restoredSettings(file, text, format, variable);

it('gives the text of the backup to the byte, if nothing else changed', () => {
  backup('{"older":1}', '2025-01-01');
  backup(MINE);
  expect(restored(hooked)).toBe(MINE);
  expect(restored(withVariable(hooked, VARIABLE.name, VARIABLE.value), VARIABLE)).toBe(MINE);
});

it('keeps what was changed since', () => {
  backup(MINE);
  const changed = restored(hooked.replace('"m"', '"other"'));
  expect(changed).toContain('"other"');
  expect(changed).not.toContain('guard hook');
});

it('takes no backup that has the hook, or that cannot be read', () => {
  backup(hooked);
  backup('{ broken', '2026-01-02');
  const kept = restored(hooked);
  expect(kept).not.toContain('guard hook');
  mkdirSync(`${file}${BACKUP_MARK}2026-01-03`);
  expect(restored(hooked)).toBe(kept);
  backup(MINE, '2026-01-04');
  expect(restored(hooked)).toBe(MINE);
});

it('takes no backup of another file', () => {
  writeFileSync(`${file}.other${BACKUP_MARK}2026-01-01`, MINE);
  writeFileSync(join(dirname(file), `x${basename(file)}${BACKUP_MARK}2026-01-01`), '{}');
  expect(restored(withHook('{}', COMMAND, format))).toBeUndefined();
});

it('deletes a file that it made, and no file of the user', () => {
  expect(restored(withHook('', COMMAND, format))).toBeUndefined();
  expect(restored(withHook('{}', COMMAND, format))).toBeUndefined();
  expect(restored(hooked)).toContain('"model"');
  backup('{}');
  expect(restored(withHook('{}', COMMAND, format))).toBe('{}');
});

it('changes nothing where there is nothing to remove', () => {
  expect(restored(MINE)).toBe(MINE);
});
