// What `croft backup` loads from an installed @croft/server: without the server itself, which takes a second to load.
export { backUp, restoreBackup } from './backup.ts';
export { BackupError } from './backup-error.ts';
export { StoreError } from '../store/store-error.ts';
