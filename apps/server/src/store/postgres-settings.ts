import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PostgresUser } from './postgres-user.ts';
import { DATABASE_NAME, type PostgresLayout } from './postgres-layout.ts';

/** Writes the settings and the rules of access; every start does. */
export function writeSettings(layout: PostgresLayout, user: PostgresUser): void {
  const mode = user.dropped ? 0o644 : 0o600;
  const write = (name: string, lines: readonly string[]) => {
    const path = join(layout.root, name);
    writeFileSync(path, `# Written by Croft at every start.\n${lines.join('\n')}\n`, { mode });
    chmodSync(path, mode);
  };
  write('postgresql.conf', [
    ...SETTINGS,
    `unix_socket_directories = '${quote(layout.asSeen('run'))}'`,
    `hba_file = '${quote(layout.asSeen('pg_hba.conf'))}'`,
    `ident_file = '${quote(layout.asSeen('pg_ident.conf'))}'`,
  ]);
  write('pg_hba.conf', ['local all all peer map=croft']);
  write('pg_ident.conf', [`croft "${user.clientName}" ${DATABASE_NAME}`]);
}

const quote = (text: string) => text.replaceAll("'", "''");

const SETTINGS = [
  // No port: only the socket, in a directory for its owner, and there only this account.
  "listen_addresses = ''",
  'unix_socket_permissions = 0700',
  'max_connections = 50',
  // Small: a few users and their runs, beside a server that has the memory to itself.
  'shared_buffers = 16MB',
  'huge_pages = off',
  'work_mem = 4MB',
  'maintenance_work_mem = 32MB',
  'jit = off',
  'io_method = sync',
  'max_worker_processes = 2',
  'max_parallel_workers_per_gather = 0',
  'max_parallel_maintenance_workers = 0',
  'autovacuum = on',
  'autovacuum_worker_slots = 2',
  'autovacuum_max_workers = 1',
  // One server, no replicas.
  'wal_level = minimal',
  'max_wal_senders = 0',
  'max_replication_slots = 0',
  'max_logical_replication_workers = 0',
  'min_wal_size = 16MB',
  'max_wal_size = 256MB',
  'checkpoint_timeout = 15min',
  // Acknowledged rows are on the disk.
  'fsync = on',
  'synchronous_commit = on',
  'full_page_writes = on',
  'restart_after_crash = on',
  // Without statements, detail and context, which contain users' data. The server's own sessions log no errors.
  'logging_collector = off',
  'log_destination = stderr',
  'log_min_messages = warning',
  'log_min_error_statement = panic',
  'log_error_verbosity = terse',
  'log_checkpoints = off',
  "log_line_prefix = ''",
  'update_process_title = off',
  'password_encryption = scram-sha-256',
  "timezone = 'UTC'",
  "log_timezone = 'UTC'",
  'lc_messages = C',
] as const;
