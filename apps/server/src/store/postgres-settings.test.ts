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
  const { read } = written(false);
  expect(read('postgresql.conf')).toEqual(
    expect.arrayContaining(["listen_addresses = ''", 'unix_socket_permissions = 0700']),
  );
  const title = '# Written by Croft at every start.';
  expect(read('pg_hba.conf')).toEqual([title, 'local all all peer map=croft', '']);
  expect(read('pg_ident.conf')).toEqual([title, 'croft "ann" croft', '']);
});

it('writes these settings: rows that were acknowledged are on the disk, and no statements in the log', () => {
  const { layout, read } = written(false);
  const [title, ...lines] = read('postgresql.conf');
  expect([title, lines.pop()]).toEqual(['# Written by Croft at every start.', '']);
  expect(Object.fromEntries(lines.map((line) => line.split(' = ')))).toEqual({
    listen_addresses: "''",
    unix_socket_permissions: '0700',
    max_connections: '50',
    shared_buffers: '16MB',
    huge_pages: 'off',
    work_mem: '4MB',
    maintenance_work_mem: '32MB',
    jit: 'off',
    io_method: 'sync',
    max_worker_processes: '2',
    max_parallel_workers_per_gather: '0',
    max_parallel_maintenance_workers: '0',
    autovacuum: 'on',
    autovacuum_worker_slots: '2',
    autovacuum_max_workers: '1',
    wal_level: 'minimal',
    max_wal_senders: '0',
    max_replication_slots: '0',
    max_logical_replication_workers: '0',
    min_wal_size: '16MB',
    max_wal_size: '256MB',
    checkpoint_timeout: '15min',
    fsync: 'on',
    synchronous_commit: 'on',
    full_page_writes: 'on',
    restart_after_crash: 'on',
    logging_collector: 'off',
    log_destination: 'stderr',
    log_min_messages: 'warning',
    log_min_error_statement: 'panic',
    log_error_verbosity: 'terse',
    log_checkpoints: 'off',
    log_line_prefix: "''",
    update_process_title: 'off',
    password_encryption: 'scram-sha-256',
    timezone: "'UTC'",
    log_timezone: "'UTC'",
    lc_messages: 'C',
    unix_socket_directories: `'${layout.asSeen('run')}'`,
    hba_file: `'${layout.asSeen('pg_hba.conf')}'`,
    ident_file: `'${layout.asSeen('pg_ident.conf')}'`,
  });
});

it('quotes a path', () => {
  const layout = { root: testDir(), asSeen: (name: string) => `/it's/${name}` } as never;
  writeSettings(layout, { uid: 1, gid: 1, dropped: false, clientName: 'ann' });
  const { root } = layout as { root: string };
  expect(readFileSync(join(root, 'postgresql.conf'), 'utf8')).toContain("hba_file = '/it''s/pg_hba.conf'\n");
});

it('lets another account read the settings where PostgreSQL runs as one, and never write them', () => {
  expect(written(false).modes).toEqual([0o600, 0o600, 0o600]);
  expect(written(true).modes).toEqual([0o644, 0o644, 0o644]);
});
