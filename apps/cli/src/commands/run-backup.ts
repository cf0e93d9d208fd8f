import { resolve } from 'node:path';
import { loadConfig } from '../compose/config.ts';
import { printableJson, printableName } from '../render/printable.ts';
import { UsageError } from '../usage-error.ts';
import { version } from '../version.ts';
import { loadServerPart } from './run-serve.ts';

type BackupModule = typeof import('@croft/server/backup');

export interface BackupFlags {
  readonly restore?: boolean;
  readonly json?: boolean;
}

const SHOW_EVERY_MS = 200;

/** Backs up the base directory, or restores a backup. */
export async function runBackup(dir: string, { restore = false, json = false }: BackupFlags): Promise<void> {
  const { baseDir, databaseUrl } = (await loadConfig({})).values;
  const { backUp, restoreBackup, BackupError, StoreError } = await loadServerPart<BackupModule>('@croft/server/backup');
  const progress = showProgress(json);
  const request = { baseDir, onProgress: progress.show };
  const done = await (restore
    ? restoreBackup({ ...request, source: resolve(dir) })
    : backUp({ ...request, target: dir, croft: version })
  )
    .finally(progress.end)
    .catch((error: unknown) => {
      if (error instanceof BackupError || error instanceof StoreError) throw new UsageError(error.message);
      throw error;
    });
  if (json) process.stdout.write(`${printableJson({ ...done, baseDir, dir: resolve(dir) })}\n`);
  else process.stdout.write(`${outcome(restore, done, { baseDir, dir: resolve(dir) })}\n`);
  if (databaseUrl !== undefined)
    process.stderr.write(
      'croft: DATABASE_URL is set: that database is not in the backup. Save it at the same time, such as with pg_dump.\n',
    );
}

function outcome(
  isRestored: boolean,
  { files, bytes }: { readonly files: number; readonly bytes: number },
  places: { readonly baseDir: string; readonly dir: string },
): string {
  const [baseDir, dir] = [printableName(places.baseDir), printableName(places.dir)];
  const size = `${files} ${files === 1 ? 'file' : 'files'}, ${megabytes(bytes)}`;
  return isRestored ? `Restored ${dir} to ${baseDir}: ${size}.` : `Backed up ${baseDir} to ${dir}: ${size}, compared.`;
}

const megabytes = (bytes: number): string => `${(bytes / 1_000_000).toFixed(1)} MB`;

/** Shows on a terminal how far the copy is. */
function showProgress(isQuiet: boolean) {
  const isShown = !isQuiet && process.stderr.isTTY === true;
  let shownAt = 0;
  return {
    show({ files, bytes }: { readonly files: number; readonly bytes: number }): void {
      if (!isShown || performance.now() - shownAt < SHOW_EVERY_MS) return;
      shownAt = performance.now();
      process.stderr.write(`\r${files} files, ${megabytes(bytes)} … `);
    },
    end: (): void => void (isShown && shownAt > 0 && process.stderr.write('\r\u001B[K')),
  };
}
