import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCroft, type Surroundings, useSurroundings } from '@croft/mcp/testing';
import { expect, it } from 'vitest';
import { commandHelp } from '../../../../tests/support/command-help.ts';
import { testDir } from '../../../../tests/support/temp-dir.ts';
import { addBackupCommand } from './backup.ts';

let surroundings: Surroundings;
useSurroundings((made) => void (surroundings = made));

it('backs up the base directory and restores it, in words and as JSON', async () => {
  const { env } = surroundings;
  const dir = testDir();
  const [baseDir, target, restored] = ['base', 'backup', 'restored'].map((name) => join(dir, name)) as [
    string,
    string,
    string,
  ];
  mkdirSync(baseDir);
  writeFileSync(join(baseDir, 'secret-key'), 'the key');
  const at = (base: string, more: object = {}) => ({ env: { ...env, CROFT_BASE_DIR: base, ...more } });
  const saved = await runCroft(['backup', target], at(baseDir, { DATABASE_URL: 'postgres://localhost/croft' }));
  expect([saved.code, saved.stdout]).toEqual([0, `Backed up ${baseDir} to ${target}: 1 file, 0.0 MB, compared.\n`]);
  expect(saved.stderr).toContain('that database is not in the backup');
  const again = await runCroft(['backup', target], at(baseDir));
  expect([again.code, again.stderr]).toEqual([2, `croft: ${target} is not empty. Name a new directory.\n`]);
  const back = await runCroft(['backup', '--restore', target, '--json'], at(restored));
  expect(back.code, back.stderr).toBe(0);
  expect(JSON.parse(back.stdout)).toEqual({ files: 1, bytes: 7, hasDatabase: false, baseDir: restored, dir: target });
  expect(readFileSync(join(restored, 'secret-key'), 'utf8')).toBe('the key');
  const full = await runCroft(['backup', '--restore', target], at(restored));
  expect([full.code, full.stderr]).toEqual([2, expect.stringContaining('is not empty. Move it away first')]);
});

it('says what croft backup does, and what each flag means', () => {
  expect(commandHelp(addBackupCommand, 'backup')).toEqual({
    usage: 'backup [options] <dir>',
    summary: 'back up the base directory of a stopped server, or restore it',
    description:
      'Copies the base directory to a new directory: files, accounts, flows, keys and the embedded database. Each copy is compared with its file. Stop the server first. With --restore, copies a backup to a base directory that no server has used. The base directory is CROFT_BASE_DIR, or ~/.croft.',
    arguments: ['a new directory for the backup; with --restore, the backup'],
    options: ['--restore: restore the backup', '--json: print the outcome as JSON'],
  });
});
