import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client, type ClientOptions, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { PROGRAM, type Surroundings } from './surroundings.ts';
import { openWire, type Wire, type WireMessage } from './wire.ts';

/** A `croft mcp --http` that listens. */
export interface RunningMcpHttp {
  readonly wire: Wire;
  readonly url: string;
  readonly oneTimeUrl: string;
  readonly token: string;
  stop(): Promise<void>;
}

export async function startMcpHttp(args: readonly string[], surroundings: Surroundings): Promise<RunningMcpHttp> {
  const wire = openWire(['mcp', '--http', '--port', '0', '--no-open', ...args], { env: surroundings.env });
  const oneTimeUrl = await new Promise<string>((resolve, reject) => {
    const look = () => {
      const found = /Page +(\S+)/.exec(wire.stdout());
      if (found && /Ctrl\+C/.test(wire.stdout())) resolve(found[1] as string);
    };
    wire.child.stdout?.on('data', look);
    void wire.ended.then(() => reject(new Error(`croft mcp --http ended: ${wire.stderr()}`)));
  });
  return {
    wire,
    url: new URL(oneTimeUrl).origin,
    oneTimeUrl,
    token: readFileSync(join(surroundings.base, 'mcp-token'), 'utf8').trim(),
    async stop() {
      wire.child.kill('SIGTERM');
      await wire.ended;
    },
  };
}

/** `legacy` is 2025-11-25 with a handshake, `modern` 2026-07-28 without. */
export type Era = 'legacy' | 'modern';

/** A client, and every message that it received. */
export interface Connected {
  readonly client: Client;
  readonly received: WireMessage[];
  close(): Promise<void>;
}

/** Connects the official client to a program with arguments, or to a running server. */
export async function connect(
  era: Era,
  to: { args: readonly string[]; env: Record<string, string> } | RunningMcpHttp,
  options: ClientOptions = {},
  prepare?: (client: Client) => void,
): Promise<Connected> {
  const client = new Client(
    { name: `${era} test`, version: '1' },
    { ...options, ...(era === 'modern' && { versionNegotiation: { mode: 'auto' } }) },
  );
  prepare?.(client);
  const transport =
    'args' in to
      ? new StdioClientTransport({
          command: process.execPath,
          args: [PROGRAM, ...to.args],
          env: to.env,
          stderr: 'pipe',
        })
      : new StreamableHTTPClientTransport(new URL(`${to.url}/mcp`), {
          requestInit: { headers: { Authorization: `Bearer ${to.token}` } },
        });
  const received: WireMessage[] = [];
  // The client sets its own receiver when it connects; this one records each message and passes it on.
  let inner: typeof transport.onmessage;
  Object.defineProperty(transport, 'onmessage', {
    get: () =>
      inner &&
      ((message: never, extra: never) => {
        received.push(message);
        (inner as (message: never, extra: never) => void)(message, extra);
      }),
    set: (receiver: typeof transport.onmessage) => {
      inner = receiver;
    },
  });
  await client.connect(transport as never);
  return { client, received, close: () => client.close() };
}
