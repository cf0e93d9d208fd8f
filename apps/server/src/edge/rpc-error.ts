/** A refusal as MCP clients read it: a JSON-RPC error that belongs to no request. */
export function rpcError(message: string): { jsonrpc: '2.0'; error: { code: number; message: string }; id: null } {
  return { jsonrpc: '2.0', error: { code: -32000, message }, id: null };
}
