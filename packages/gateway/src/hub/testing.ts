// Utilities for tests of a hub and of its users. Not for production.
export { memoryGatewayStore } from './memory-store.ts';
export type { MemoryGatewayStore } from './memory-store.ts';
export { openTestStream, postTo, serveTestHub } from './test-hub.ts';
export type { TestHub, TestHubOptions, TestReply, TestStream } from './test-hub.ts';
export { DISCONNECTED } from './test-status.ts';
