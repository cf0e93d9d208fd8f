// The public surface of the daemon, listed by hand: an export added here becomes API.
export { runDaemon } from './daemon.ts';
export type { Daemon, DaemonEnd, DaemonOptions } from './daemon-options.ts';
export type { DaemonEvent, EndReason, Tell } from './daemon-events.ts';
export type { AskPerson, PageVerdict } from './confirm-page.ts';
export { isLoopbackHost } from './choose-fetch.ts';
export { isKey, serverAddress } from './connect-request.ts';
export { canonicalOrigin } from './page-origins.ts';
export { openSettings, SettingsError } from './settings.ts';
export type { PageAccess, Settings } from './settings.ts';
export { drawScannedTree, scanTree } from './scan-tree.ts';
export type { ScannedEntry, ScannedTree, ScanOptions } from './scan-tree.ts';
