// The public surface, listed by hand: an export added here becomes API.
export { createShortcut } from './answer-now.ts';
export type { Shortcut } from './answer-now.ts';
export { createServerFactory } from './create-server.ts';
export type { ServedTools, ServerIdentity, StoredTools } from './create-server.ts';
export { createHttpEndpoint } from './serve-http.ts';
export type { HttpEndpoint } from './serve-http.ts';
export type { ServedResources } from './serve-resources.ts';
export { serveStdio } from './serve-stdio.ts';
export type { StdioOptions } from './serve-stdio.ts';
export { toMcpResult } from './to-mcp-result.ts';
export { toToolListing } from './tool-listing.ts';
export { MAX_MESSAGE_BYTES } from './oversized-message.ts';
