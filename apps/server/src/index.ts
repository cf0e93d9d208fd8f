// The public surface, listed by hand: an export added here becomes API.
export { backUp, restoreBackup } from './backup/backup.ts';
export type { BackupSummary, OnProgress } from './backup/backup.ts';
export { BackupError } from './backup/backup-error.ts';
export { builtStudio } from './built-studio.ts';
export { createLog } from './log.ts';
export type { Log } from './log.ts';
export { startServer } from './start-server.ts';
export type { RunningServer, StartOptions } from './start-server.ts';
export { startWorker } from './start-worker.ts';
export type { RunningWorker } from './flow-runs/compose-worker.ts';
export { ConfigError, loadConfig } from './config/load-config.ts';
export type { Settings } from './config/settings.ts';
export { StoreError } from './store/store-error.ts';
