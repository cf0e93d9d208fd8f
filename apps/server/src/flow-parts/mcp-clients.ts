import {
  ComponentError,
  type ConnectMcp,
  type McpConnection,
  type McpLimits,
  type McpServerName,
} from '@croft/components';
import type { CallToolResult, Client, Tool, Transport } from '@modelcontextprotocol/client';
import { allowedCommand, type CommandRules } from './allowed-command.ts';
import { boundedFetch, type ByteBudget } from './bounded-fetch.ts';
import { checkArguments } from './check-arguments.ts';
import { limitRequests } from './limit-requests.ts';

export interface McpClientOptions {
  /** A guarded fetch. */
  readonly fetch: typeof globalThis.fetch;
  readonly commands: () => CommandRules | Promise<CommandRules>;
}

/** The MCP connections of one run. */
export interface McpClients {
  readonly connect: ConnectMcp;
  /** Ends all connections and the processes of commands. */
  close(): Promise<void>;
}

const MAX_TOOLS = 500;
/** Of a name; a protocol of models allows 128 characters. */
const MAX_NAME = 256;
const MAX_DESCRIPTION = 4_000;
const MAX_MESSAGE_BYTES = 10 * 1024 * 1024;
/** Of all pages of a list of tools. A page is parsed at once, and holds this process meanwhile. */
const MAX_LIST_BYTES = 4 * 1024 * 1024;

/** Connects to MCP servers: once for each server of a run, over the guarded fetch or to an allowed command. */
export function createMcpClients(options: McpClientOptions): McpClients {
  const opened = new Map<string, Promise<Opened>>();
  return {
    async connect(server, limits) {
      const key = JSON.stringify(server);
      const opening = opened.get(key) ?? open(server, limits, options);
      opened.set(key, opening);
      try {
        return connectionOf(await opening, server);
      } catch (error) {
        opened.delete(key);
        throw failureOf(error, server, limits);
      }
    },
    async close() {
      const close = async (opening: Promise<Opened>) => (await opening).client.close();
      await Promise.allSettled([...opened.values()].map(close));
    },
  };
}

interface Opened {
  readonly client: Client;
  readonly tools: readonly Tool[];
}

async function open(
  server: McpServerName,
  { signal, timeoutMs }: McpLimits,
  options: McpClientOptions,
): Promise<Opened> {
  const budget: ByteBudget = {
    left: MAX_LIST_BYTES,
    exceeded: `The list of tools has more than ${MAX_LIST_BYTES} bytes.`,
    fix: 'Use a server with fewer or smaller tools.',
  };
  const transport = limitRequests(await transportTo(server, options, budget));
  const { Client } = await import('@modelcontextprotocol/client');
  const client = new Client(
    { name: 'croft', version: '1' },
    // The client would compile the schemas of the server to check its results; a flow reads results as they are.
    { listMaxPages: 20, jsonSchemaValidator: { getValidator: () => (data) => trusted(data) } },
  );
  try {
    await client.connect(transport, { signal, timeout: timeoutMs });
    const { tools } = await client.listTools(undefined, { signal, timeout: timeoutMs });
    budget.left = Number.POSITIVE_INFINITY;
    return { client, tools: tools.filter(({ name }) => name.length <= MAX_NAME).slice(0, MAX_TOOLS) };
  } catch (error) {
    await client.close().catch(() => undefined);
    throw error;
  }
}

const trusted = (data: unknown) => ({ valid: true as const, data: data as never, errorMessage: undefined });

async function transportTo(
  server: McpServerName,
  { fetch, commands }: McpClientOptions,
  budget: ByteBudget,
): Promise<Transport> {
  if (server.kind === 'command') {
    const { file, args } = allowedCommand(server.argv, await commands());
    const { StdioClientTransport } = await import('@modelcontextprotocol/client/stdio');
    // The SDK gives the process PATH, HOME and a few more variables, and none of the keys.
    return new StdioClientTransport({
      command: file,
      args: [...args],
      stderr: 'ignore',
      maxBufferSize: MAX_MESSAGE_BYTES,
    });
  }
  if (!URL.canParse(server.url))
    throw new ComponentError('The address is not valid.', 'Write it as https://host/path.');
  const { StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client');
  return new StreamableHTTPClientTransport(new URL(server.url), {
    fetch: boundedFetch(fetch, MAX_MESSAGE_BYTES, budget),
    ...(server.token !== undefined && { requestInit: { headers: { authorization: `Bearer ${server.token}` } } }),
    reconnectionOptions: {
      maxRetries: 0,
      initialReconnectionDelay: 1_000,
      maxReconnectionDelay: 1_000,
      reconnectionDelayGrowFactor: 1,
    },
  });
}

function connectionOf({ client, tools }: Opened, server: McpServerName): McpConnection {
  return {
    tools: tools.map(({ name, description = '', inputSchema, annotations }) => ({
      name,
      description: description.slice(0, MAX_DESCRIPTION),
      parameters: inputSchema as McpConnection['tools'][number]['parameters'],
      readOnly: annotations?.readOnlyHint === true,
    })),
    async call(name, args, limits) {
      const { signal, timeoutMs } = limits;
      await checkArguments(name, tools.find((each) => each.name === name)?.inputSchema, args);
      try {
        const result = await client.callTool({ name, arguments: { ...args } }, { signal, timeout: timeoutMs });
        return { text: textOf(result), data: result.structuredContent, isError: result.isError === true };
      } catch (error) {
        throw failureOf(error, server, limits);
      }
    },
  };
}

/** The texts of a result, a line each; of other content only its kind. */
const textOf = ({ content }: CallToolResult): string =>
  content.map((part) => (part.type === 'text' ? part.text : `[${part.type}]`)).join('\n');

/** An error for the author of the flow. Errors of commands can name paths of the host, and are left out. */
function failureOf(error: unknown, server: McpServerName, { signal }: McpLimits): unknown {
  if (signal.aborted) return signal.reason;
  if (typeof (error as { fix?: unknown } | null)?.fix === 'string') return error;
  const cause = error instanceof Error ? (error.cause as { fix?: unknown } | undefined) : undefined;
  if (typeof cause?.fix === 'string') return cause;
  if (server.kind === 'command')
    return new ComponentError('The MCP server of the command did not answer.', 'Run the command by itself to see why.');
  const reason = error instanceof Error ? error.message.slice(0, 500) : String(error);
  return new ComponentError(
    `The MCP server at '${new URL(server.url).host}' did not answer as expected: ${reason}`,
    'Check the address, the credential and that the server speaks Streamable HTTP.',
  );
}
