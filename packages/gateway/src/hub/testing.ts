// What tests of a hub, and of those who use one, need. Nothing here is for production.
export { memoryGatewayStore } from './memory-store.ts';
export type { MemoryGatewayStore } from './memory-store.ts';
export { openTestStream, postTo, serveTestHub } from './test-hub.ts';
export type { TestHub, TestHubOptions, TestReply, TestStream } from './test-hub.ts';
