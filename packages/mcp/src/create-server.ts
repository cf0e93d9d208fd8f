import { type AnyTool, callTool, type CallContext, findTool, type ToolTable } from '@croft/tools';
import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  inputRequired,
  type McpServerFactory,
  Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { Shortcut } from './answer-now.ts';
import { CancellableCalls, clientOfSession, sessionOf } from './cancellable-calls.ts';
import { type ServedResources, serveResources } from './serve-resources.ts';
import { omittedBytesOf } from './oversized-message.ts';
import { toToolListing } from './tool-listing.ts';
import { toMcpResult } from './to-mcp-result.ts';

/** Name, version and instructions of an MCP server. */
export interface ServerIdentity {
  readonly name: string;
  readonly title?: string;
  readonly version: string;
  /** Instructions for the model about the tools. */
  readonly instructions?: string;
}

/** The tools of a request, and what the model reads about them where that differs from the server's instructions. */
export interface ServedTools extends ToolTable {
  readonly instructions?: string;
  /** Documents that clients may read; absent where there are none. */
  readonly resources?: ServedResources;
  /** Tools that are read only by the requests that need them, because reading them is expensive. */
  readonly storedTools?: StoredTools;
  /** Gets a function to call after `tools` changed; absent where they do not change during a connection. */
  readonly onToolsChanged?: (notify: () => void) => void;
}

/** Tools beside those of a table. The table's own win where names are equal. */
export interface StoredTools {
  list(): Promise<readonly AnyTool[]>;
  /** Reads one tool; `undefined` where there is none with this name. */
  find(name: string): Promise<AnyTool | undefined>;
}

/**
 * Creates a factory of MCP servers for one table of tools, for all protocol versions. Every connection (stdio) or request (HTTP)
 * gets its own instance: a shared one would leak results between clients.
 *
 * Only `callTool` checks arguments, so that a refusal is a result for the model and not a protocol error. Protocol errors are for
 * malformed messages only.
 *
 * @param shortcut of the one connection that this factory serves; it may have begun a call already
 */
export function createServerFactory(
  identity: ServerIdentity,
  tableFor: (context: { authInfo?: unknown }) => ServedTools,
  shortcut?: Shortcut,
): McpServerFactory {
  const { name, version, title } = identity;
  const calls = new CancellableCalls();
  return (request) => {
    const table = tableFor(request);
    const instructions = table.instructions ?? identity.instructions;
    const session = sessionOf(request.requestInfo, request.authInfo);
    const server = new Server(
      { name, version, ...(title !== undefined && { title }) },
      {
        capabilities: {
          tools: { ...(table.onToolsChanged && { listChanged: true }) },
          ...(table.resources && { resources: {} }),
        },
        ...(instructions !== undefined && { instructions }),
      },
    );
    table.onToolsChanged?.(() => void server.sendToolListChanged().catch(() => undefined));
    if (table.resources !== undefined) serveResources(server, table.resources);
    // In a session, each request brings its sender's tools: rights may have changed since the first.
    const tableOf = ({ http }: ServerContext) => (http?.authInfo ? tableFor({ authInfo: http.authInfo }) : table);
    server.setRequestHandler('tools/list', async (_, context) => {
      const { tools, storedTools, onInternalError } = tableOf(context);
      const stored = storedTools && (await reading(storedTools.list(), onInternalError));
      return { tools: toToolListing(stored ? [...tools, ...stored] : tools) };
    });
    server.setRequestHandler('tools/call', async ({ params }, context) => {
      const question = new Question(server, context);
      const asCall = callContext(server, context, question);
      const current = await withStored(tableOf(context), params.name);
      const call = (signal: AbortSignal) =>
        callTool(
          current,
          { name: params.name, input: params.arguments, omittedBytes: omittedBytesOf(context.mcpReq._meta) },
          { ...asCall, signal },
        );
      const { id, signal } = context.mcpReq;
      const begun = shortcut?.takeCall(id)?.join({ ...asCall, signal });
      const result = await (begun ?? (session === undefined ? call(signal) : calls.run(session, id, signal, call)));
      const asked = question.asked();
      if (asked) return asked;
      return toMcpResult(findTool(current, params.name), result);
    });
    if (session !== undefined) {
      server.setNotificationHandler('notifications/cancelled', ({ params }) => {
        if (params.requestId !== undefined) calls.cancel(session, params.requestId);
      });
    }
    return server;
  };
}

/** The table with the stored tool of this name, where there is one. */
async function withStored(table: ServedTools, name: string): Promise<ServedTools> {
  const { tools, storedTools, onInternalError } = table;
  if (storedTools === undefined || findTool(table, name) !== undefined) return table;
  const found = await reading(storedTools.find(name), onInternalError);
  return found === undefined ? table : { ...table, tools: [...tools, found] };
}

/** The message of a failed read may name hosts and tables, so only the operator gets it. */
async function reading<Result>(work: Promise<Result>, report: ServedTools['onInternalError']): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    report?.(error, 'tools');
    throw new Error('The tools could not be read. Try again later.');
  }
}

function callContext(server: Server, context: ServerContext, question: Question): CallContext {
  const token = context.mcpReq._meta?.progressToken;
  return {
    caller: callerOf(server, context),
    confirm: question.possible ? (text, token) => question.ask(text, token) : undefined,
    onProgress:
      token === undefined
        ? undefined
        : (seen, message = `${seen} entries searched`) => {
            const params = { progressToken: token, progress: seen, message };
            // The transport notices a client that disconnected.
            context.mcpReq.notify({ method: 'notifications/progress', params }).catch(() => {});
          },
  };
}

/** The name that the client gave itself. For the log only, because the client can claim any name. */
function callerOf(server: Server, context: ServerContext): string | undefined {
  const declared = envelopeOf(context)[CLIENT_INFO_META_KEY] as { name?: unknown } | undefined;
  const name = declared?.name ?? server.getClientVersion()?.name;
  if (typeof name === 'string') return name;
  return context.http?.req && clientOfSession(context.http.req);
}

/** The sender's fields in a request of version 2026-07-28; empty in older versions. */
function envelopeOf(context: ServerContext): Record<string, unknown> {
  return (context.mcpReq.envelope ?? {}) as Record<string, unknown>;
}

/**
 * A question to the person, in the form that all versions share: the call ends with the question, and the client repeats it with
 * the answer. The key of the answer is made from the call and the version of the file, so it cannot answer another question.
 */
class Question {
  readonly possible: boolean;
  private readonly context: ServerContext;
  private pending: { text: string; key: string } | undefined;

  constructor(server: Server, context: ServerContext) {
    this.context = context;
    const declared = envelopeOf(context)[CLIENT_CAPABILITIES_META_KEY] as { elicitation?: unknown } | undefined;
    this.possible = (declared ?? server.getClientCapabilities())?.elicitation !== undefined;
  }

  async ask(text: string, token: string): Promise<boolean | 'asked'> {
    const key = `confirm-${token}`;
    const answer = this.context.mcpReq.inputResponses?.[key] as
      | { action?: unknown; content?: { allow?: unknown } }
      | undefined;
    if (answer) return answer.action === 'accept' && answer.content?.allow === true;
    this.pending = { text, key };
    return 'asked';
  }

  asked() {
    if (this.pending === undefined) return undefined;
    return inputRequired({
      inputRequests: {
        [this.pending.key]: inputRequired.elicit({
          message: this.pending.text,
          requestedSchema: {
            type: 'object',
            properties: { allow: { type: 'boolean', title: 'Allow', default: false } },
            required: ['allow'],
          },
        }),
      },
    });
  }
}
