import { z } from 'zod';
import { defineRoutes, raw } from './define-route.ts';

const media = ['application/json', 'text/event-stream'];

/** MCP over Streamable HTTP. Clients of MCP use it; the protocol describes its messages. */
export const mcpRoutes = defineRoutes('MCP', {
  sendMcpMessage: {
    servedBy: 'mcp',
    route: 'POST /mcp',
    summary:
      'Send an MCP message, with an MCP client. Offers tools over files of the caller and of the connected machine (machine_NAME where the name is taken). Flows are at /mcp/flows',
    access: 'caller',
    body: raw('A JSON-RPC message of MCP', ['application/json']),
    response: raw('The JSON-RPC response, or a stream of messages', media, [200, 202]),
  },
  sendFlowMcpMessage: {
    servedBy: 'mcp',
    route: 'POST /mcp/flows',
    summary:
      'Send an MCP message about flows, with an MCP client. Offers tools that build and run flows, and the flows that their owner offers as tools. toolset=all adds the names of older clients',
    access: 'caller',
    query: z.object({ toolset: z.enum(['core', 'all']).optional() }),
    body: raw('A JSON-RPC message of MCP', ['application/json']),
    response: raw('The JSON-RPC response, or a stream of messages', media, [200, 202]),
  },
});
