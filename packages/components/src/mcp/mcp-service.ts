import type { Json } from '@croft/flow';

/** An MCP server that a flow names. */
export type McpServerName =
  | {
      readonly kind: 'http';
      readonly url: string;
      /** Sent as a bearer token. */
      readonly token: string | undefined;
    }
  /** A program and its arguments. It is code: the app runs it only if the administrator allowed exactly this command. */
  | { readonly kind: 'command'; readonly argv: readonly string[] };

export interface McpTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the arguments. */
  readonly parameters: { readonly [key: string]: Json };
  /** A statement of the server, not checked. */
  readonly readOnly: boolean;
}

export interface McpResult {
  readonly text: string;
  /** The structured content, where the tool gives one. */
  readonly data: unknown;
  readonly isError: boolean;
}

export interface McpLimits {
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
}

/** An open connection. The app closes it after the run. */
export interface McpConnection {
  readonly tools: readonly McpTool[];
  /** @throws ComponentError or NetworkError where the server does not answer; the reason of the signal */
  call(name: string, args: Readonly<Record<string, unknown>>, limits: McpLimits): Promise<McpResult>;
}

/** Connects to a server, or gives the connection that the run has already. @throws as {@link McpConnection.call} */
export type ConnectMcp = (server: McpServerName, limits: McpLimits) => Promise<McpConnection>;
