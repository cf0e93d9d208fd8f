import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { testDir } from '../../../../tests/support/temp-dir.ts';
import { postgresLayout } from './postgres-layout.ts';
import { writeSettings } from './postgres-settings.ts';

/** The settings that are written for this account, by file. */
function written(dropped: boolean, clientName = 'ann') {
  const layout = postgresLayout(testDir());
  mkdirSync(layout.root);
  writeFileSync(join(layout.root, 'pg_hba.conf'), 'host all all 0.0.0.0/0 trust', { mode: 0o666 });
  writeSettings(layout, { uid: 1, gid: 1, dropped, clientName });
  const read = (name: string) => readFileSync(join(layout.root, name), 'utf8').split('\n');
  const modes = ['postgresql.conf', 'pg_hba.conf', 'pg_ident.conf'].map(
    (name) => statSync(join(layout.root, name)).mode & 0o777,
  );
  return { layout, read, modes };
}

it('listens on its socket only, which only this account may use', () => {
  const { layout, read } = written(false);
  const settings = read('postgresql.conf');
  expect(settings).toContain("listen_addresses = ''");
  expect(settings).toContain('unix_socket_permissions = 0700');
  expect(settings).toContain(`unix_socket_directories = '${layout.asSeen('run')}'`);
  expect(settings).toContain(`hba_file = '${layout.asSeen('pg_hba.conf')}'`);
  expect(settings).toContain(`ident_file = '${layout.asSeen('pg_ident.conf')}'`);
  expect(read('pg_hba.conf').filter((line) => line !== '' && !line.startsWith('#'))).toEqual([
    'local all all peer map=croft',
  ]);
  expect(read('pg_ident.conf')).toContain('croft "ann" croft');
});

it('keeps acknowledged rows on the disk, and statements out of the log', () => {
  const settings = written(false).read('postgresql.conf');
  for (const line of [
    'fsync = on',
    'synchronous_commit = on',
    'full_page_writes = on',
    'log_min_error_statement = panic',
    'log_error_verbosity = terse',
  ])
    expect(settings).toContain(line);
});

it('lets another account read the settings where PostgreSQL runs as one, and never write them', () => {
  expect(written(false).modes).toEqual([0o600, 0o600, 0o600]);
  expect(written(true).modes).toEqual([0o644, 0o644, 0o644]);
});
