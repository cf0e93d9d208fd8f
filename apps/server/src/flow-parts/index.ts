// Parts of flows that need large libraries. `croft run` loads it from an installed @croft/server.
export { createDocuments } from './documents/documents.ts';
export { createRunSql } from './run-sql.ts';
export { createMcpClients } from './mcp-clients.ts';
export type { McpClientOptions, McpClients } from './mcp-clients.ts';
export type { CommandRules } from './allowed-command.ts';
