// The server of `croft mcp --http`: the edge, token, listening and closing of the whole server, without accounts and
// database. The CLI loads this entry alone. An export added here becomes API.
export { startMcpServer } from './start-mcp-server.ts';
export type { McpServerOptions, RunningMcpServer } from './start-mcp-server.ts';
export { loadOrCreateToken, makeToken } from '../token-file.ts';
export { isLoopback } from '../edge/hostnames.ts';
export { clientConfigs } from '../pages/client-configs.ts';
export type { Overview } from '../pages/home.ts';
