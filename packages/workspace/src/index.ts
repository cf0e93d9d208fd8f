// The public surface, listed by hand: an export added here becomes API.
export {
  croftBaseDir,
  readIsolationConfig,
  autoLogin,
  presentUser,
  namespaceMode,
  findBrokenNamespaces,
  findNamespace,
  resolveNamespace,
} from './namespace.ts';
export { loadOrCreatePepper, userNamespace } from './pepper.ts';
export type {
  FoundNamespace,
  IsolationConfig,
  NamespaceMode,
  NamespaceRequest,
  ResolvedNamespace,
} from './namespace.ts';
export { openWorkspace } from './workspace.ts';
export type { Location, Workspace, WorkspaceOptions } from './workspace.ts';
export { isHiddenByMount, mountAt, mountInto } from './mount-into.ts';
export { mountWorkspaces } from './mount-workspaces.ts';
export type { Mount } from './mount-workspaces.ts';
export { isProcessGone, processName } from './temp-name.ts';
export { makeDirs } from './make-dirs.ts';
export { errnoOf, NotYet, osReason, whenReady, WorkspaceError } from './errors.ts';
export type { WorkspaceErrorCode } from './errors.ts';
export { DEFAULT_LIMITS } from './limits.ts';
export type { Limits } from './limits.ts';
export { RESERVED_SEGMENTS } from './names.ts';
export { openComponentStore } from './component-store.ts';
export type { ComponentStore } from './component-store.ts';
export type { SkippedComponent, StoredComponent } from './component-files.ts';
export type { ComponentOrigin } from './component-files.ts';
export { numberLines, numberPrefix, splitLines } from './text/lines.ts';
export { isSameButMoved } from './text/version.ts';
export { decodeText, type Encoding, isBinary, sniffEncoding } from './text/encoding.ts';
export type { Change } from './operations/change.ts';
export type { ChangeJournal } from './operations/journal.ts';
export type { DirPage, ListPageOptions } from './operations/list-page.ts';
export type { Edit, EditOutcome } from './operations/edit-file.ts';
export { contentTooLarge } from './operations/write-file.ts';
export { SYNC_BYTES } from './operations/read-file.ts';
export type { ReadTextOptions, TextWindow } from './operations/read-file.ts';
export { checkGlob } from './operations/search.ts';
export { compileGlob } from './search/glob-pattern.ts';
export type { GrepMatch, GrepOutputMode } from './search/search-request.ts';
export type { EntryType } from './visit-tree.ts';
export type { QuotaLimits } from './quota.ts';
export { LEDGER_BYTES } from './quota-ledger.ts';
export type { TrashLimits } from './trash.ts';
export { bestResolver } from './resolve/root.ts';
export type { ResolverKind } from './resolve/root.ts';
export type { OpenFile } from './resolve/open-regular.ts';
export { closeSearchWorkers } from './search/worker-pool.ts';
export { landlockAbi, restrictProcess, selfTest } from './second-wall/landlock.ts';
export type { SecondWallStatus } from './second-wall/landlock.ts';
