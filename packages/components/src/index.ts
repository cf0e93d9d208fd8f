export { BUILTIN, builtinRegistry } from './builtin.ts';
export { builtinSource } from './editable/sources.ts';
export { whyNotEditable } from './editable/why-not-editable.ts';
export { ComponentError, type Credential, type CroftComponent, type Services } from './services.ts';
export type { RunSql, SqlDatabase, SqlRequest, SqlResult } from './data/sql-service.ts';
export type { DocumentService, ReadableFormat, WritableFormat } from './files/document-service.ts';
export { isOfAuthor } from './flows/author-fields.ts';
export type { FlowLibrary, FlowName, FoundFlow } from './flows/flow-library.ts';
export { createSubFlowSlots, type SubFlowSlots } from './flows/sub-flow-slots.ts';
export { templateFlow } from './flows/template-flow.ts';
export { type History, memoryHistory, type StoredMessage } from './inputs/history.ts';
export {
  type Chunk,
  type CollectionInfo,
  type Hit,
  memoryVectorStore,
  type Sample,
  type VectorStore,
  type WriteOptions,
} from './knowledge/vector-store.ts';
export { bm25Share, bm25Weight } from './knowledge/bm25.ts';
export { type Comparisons, createComparisons } from './knowledge/comparisons.ts';
export { lengthOf } from './knowledge/vector-length.ts';
export { wordsIn } from './knowledge/lexical-embedder.ts';
export { type Channel, createChannel } from './logic/channel.ts';
export type {
  ConnectMcp,
  McpConnection,
  McpLimits,
  McpResult,
  McpServerName,
  McpTool,
} from './mcp/mcp-service.ts';
export { mcpServerOf } from './mcp/mcp-server-of.ts';
export { splitCommand } from './mcp/split-command.ts';
export { originOf } from './network/bound-credential.ts';
export { createGuardedAddresses, type GuardedAddresses } from './network/guarded-addresses.ts';
export { createGuardedFetch, type GuardedFetchOptions } from './network/guarded-fetch.ts';
export { parseProxy, type ProxyOptions } from './network/proxies.ts';
export { NetworkError, type NetworkErrorCode } from './network/network-error.ts';
export type { Template } from './templates/template.ts';
export { TEMPLATES } from './templates/templates.ts';
export { builtinToolNames } from './models/agent-tools.ts';
export { usesModel } from './templates/uses-model.ts';
export { probeComponent } from './user/probe-component.ts';
export { readComponent } from './user/read-component.ts';
export { fixOf } from './user/run-user-code.ts';
export { userComponent } from './user/user-component.ts';
export type { CodeProblem, ReadComponent, ReadOutcome } from './user/sandbox/messages.ts';
export { closeSandbox } from './user/sandbox-threads.ts';
export {
  type FlowCode,
  type LeftOut,
  type UserOverlay,
  withFlowCode,
  withSpecCode,
  withStoredComponents,
} from './user/user-registry.ts';
