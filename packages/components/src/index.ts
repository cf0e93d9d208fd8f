export { BUILTIN, builtinRegistry } from './builtin.ts';
export { ComponentError, type Credential, type CroftComponent, type Services } from './services.ts';
export { type History, memoryHistory, type StoredMessage } from './inputs/history.ts';
export {
  type Chunk,
  type CollectionInfo,
  type Hit,
  memoryVectorStore,
  type VectorStore,
} from './knowledge/vector-store.ts';
export { originOf } from './network/bound-credential.ts';
export { createGuardedFetch, type GuardedFetchOptions } from './network/guarded-fetch.ts';
export { NetworkError, type NetworkErrorCode } from './network/network-error.ts';
export type { Template } from './templates/template.ts';
export { TEMPLATES } from './templates/templates.ts';
export { readComponent } from './user/read-component.ts';
export type { CodeProblem, ReadComponent, ReadOutcome } from './user/sandbox/messages.ts';
export { closeSandbox } from './user/sandbox-thread.ts';
export { type LeftOut, withFlowCode, withStoredComponents } from './user/user-registry.ts';
