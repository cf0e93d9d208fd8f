import type { Command } from 'commander';
import type { BackupFlags } from './run-backup.ts';

/** Adds `croft backup`, which saves and restores the base directory of a stopped server. */
export function addBackupCommand(program: Command): void {
  program
    .command('backup')
    .summary('back up the base directory of a stopped server, or restore it')
    .description(
      'Copies the base directory to a new directory: files, accounts, flows, keys and the embedded database. Each copy is compared with its file. Stop the server first. With --restore, copies a backup to a base directory that no server has used. The base directory is CROFT_BASE_DIR, or ~/.croft.',
    )
    .argument('<dir>', 'a new directory for the backup; with --restore, the backup')
    .option('--restore', 'restore the backup')
    .option('--json', 'print the outcome as JSON')
    .action(async (dir: string, flags: BackupFlags) => {
      // Loaded on demand, because croft mcp must start fast.
      const { runBackup } = await import('./run-backup.ts');
      await runBackup(dir, flags);
    });
}
