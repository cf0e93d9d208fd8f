import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeToolset, type ToolsetName, type ToolsetOptions } from '@croft/tools';
import { Client, type ClientOptions, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

/** The built program. Tests from the client's point of view run it, not parts composed for the test. */
export const PROGRAM = join(import.meta.dirname, '../../../apps/cli/dist/croft.cjs');

/** Timeout for tests with processes; long, because the machine may be busy. */
export const PATIENCE_MS = 60_000;

/** The names of a toolset, sorted. `toolsets.test.ts` of @croft/tools has the list that a person wrote. */
export function toolNames(toolset: ToolsetName, options: ToolsetOptions = {}): string[] {
  const acquire = () => {
    throw new Error('these tools are listed only');
  };
  return makeToolset(toolset, { acquire }, options)
    .map(({ name }) => name)
    .sort();
}

/** A separate home directory, base directory and workspace for a test. */
export interface Surroundings {
  readonly root: string;
  readonly home: string;
  readonly base: string;
  readonly workspace: string;
  /** The environment for programs, so that they use only these directories. */
  readonly env: Record<string, string>;
  remove(): void;
}

export function makeSurroundings(): Surroundings {
  if (!existsSync(PROGRAM)) throw new Error('apps/cli/dist/croft.cjs is missing: run `npm run build` first');
  const root = mkdtempSync(join(tmpdir(), 'croft-e2e-'));
  const [home, base, workspace] = ['home', 'base', 'workspace'].map((name) => join(root, name)) as [
    string,
    string,
    string,
  ];
  for (const dir of [home, workspace]) mkdirSync(dir);
  const env = { PATH: process.env.PATH ?? '', HOME: home, CROFT_BASE_DIR: base };
  return {
    root,
    home,
    base,
    workspace,
    env,
    remove() {
      // Some tests make the directory read-only.
      if (existsSync(base)) chmodSync(base, 0o755);
      rmSync(root, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** Copies the program's files, because another user cannot read a private checkout. */
export function copyProgram(dir: string): string {
  for (const name of ['croft.cjs', 'croft-main.cjs', 'croft-guard.cjs', 'croft-flow.cjs', 'search-worker.cjs'])
    cpSync(join(PROGRAM, '..', name), join(dir, name));
  return join(dir, 'croft.cjs');
}

/**
 * Simulates a read-only base directory, which root could write to anyway: returns another user, who can read everything and write
 * only to the workspace.
 */
export function makeStranger({ root, base, workspace }: Surroundings): { uid?: number; program: string } {
  const program = copyProgram(join(root, 'program'));
  mkdirSync(join(base, 'activity'), { recursive: true });
  if (process.getuid?.() !== 0) {
    chmodSync(base, 0o555);
    return { program };
  }
  for (const dir of [root, base, join(base, 'activity')]) chmodSync(dir, 0o755);
  chmodSync(workspace, 0o777);
  return { uid: 65_534, program };
}

/** The exit and output of a program. */
export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Directory, user and input of a program. */
export interface RunOptions {
  readonly env: Record<string, string>;
  readonly cwd?: string;
  readonly uid?: number;
  /** Standard input; closed at once when absent. */
  readonly input?: string;
  /** Another file than the built program. */
  readonly program?: string;
  readonly nodeArgs?: readonly string[];
}

/** Runs the program to its end. */
export async function runCroft(args: readonly string[], options: RunOptions): Promise<Ended> {
  const wire = openWire(args, options);
  wire.child.stdin?.end(options.input ?? '');
  const { code, signal } = await wire.ended;
  return { code, signal, stdout: wire.stdout(), stderr: wire.stderr() };
}

/** A JSON-RPC message on the wire. */
export interface WireMessage {
  readonly id?: string | number | null;
  readonly method?: string;
  readonly params?: Record<string, unknown>;
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly code: number; readonly message: string };
}

/** A running program with raw streams, for messages that a correct client would not send. */
export interface Wire {
  readonly child: ChildProcess;
  readonly ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  send(message: string | object): void;
  /** Waits for the first matching message that was not returned before. */
  next(fits: (message: WireMessage) => boolean): Promise<WireMessage>;
  stdout(): string;
  stderr(): string;
  /** Kills it, if it still runs, and waits for its end. */
  kill(): Promise<void>;
}

export function openWire(args: readonly string[], options: RunOptions): Wire {
  const command = [...(options.nodeArgs ?? []), options.program ?? PROGRAM, ...args];
  const child = spawn(process.execPath, command, {
    env: options.env,
    stdio: 'pipe',
    ...(options.cwd !== undefined && { cwd: options.cwd }),
    ...(options.uid !== undefined && { uid: options.uid, gid: options.uid }),
  });
  const out: Buffer[] = [];
  const err: Buffer[] = [];
  const messages: WireMessage[] = [];
  const waiting = new Set<() => void>();
  let rest = '';
  child.stdout.on('data', (chunk: Buffer) => {
    out.push(chunk);
    const lines = (rest + chunk.toString('latin1')).split('\n');
    rest = lines.pop() as string;
    for (const line of lines)
      if (line.startsWith('{')) messages.push(JSON.parse(Buffer.from(line, 'latin1').toString('utf8')) as WireMessage);
    for (const look of waiting) look();
  });
  child.stderr.on('data', (chunk: Buffer) => err.push(chunk));
  // The 'exit' event reports a program that ended.
  child.stdin.on('error', () => {});
  const ended = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve, reject) => {
    child.on('close', (code, signal) => resolve({ code, signal })).on('error', reject);
  });
  const stderr = () => Buffer.concat(err).toString('utf8');
  return {
    child,
    ended,
    send: (message) => void child.stdin.write(typeof message === 'string' ? message : `${JSON.stringify(message)}\n`),
    next(fits) {
      return new Promise((resolve, reject) => {
        const stop = () => {
          clearTimeout(timer);
          waiting.delete(look);
        };
        const look = () => {
          const i = messages.findIndex(fits);
          if (i === -1) return;
          stop();
          resolve(messages.splice(i, 1)[0] as WireMessage);
        };
        const timer = setTimeout(() => {
          stop();
          reject(new Error(`no such message came; stderr: ${stderr()}`));
        }, PATIENCE_MS / 2);
        waiting.add(look);
        look();
      });
    },
    stdout: () => Buffer.concat(out).toString('utf8'),
    stderr,
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

/** Sends the handshake of the 2025 versions. */
export async function initialize(wire: Wire, capabilities: object = {}): Promise<WireMessage> {
  const clientInfo = { name: 'bare', version: '1' };
  wire.send({
    jsonrpc: '2.0',
    id: 'open',
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities, clientInfo },
  });
  const answer = await wire.next(({ id }) => id === 'open');
  wire.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
  return answer;
}

let calls = 0;

/** Makes one tool call on an initialized wire. Returns the text for the model, and the structured record if there is one. */
export async function callOn(
  wire: Wire,
  name: string,
  input: object,
): Promise<{ text: string; isError: boolean; data: Record<string, unknown> }> {
  const id = `call-${calls++}`;
  wire.send({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: input } });
  const { result } = (await wire.next((message) => message.id === id)) as {
    result: { content: { text: string }[]; isError?: boolean; structuredContent?: Record<string, unknown> };
  };
  const text = result.content[0]?.text ?? '';
  const data = result.structuredContent ?? (text.startsWith('{') ? (JSON.parse(text) as Record<string, unknown>) : {});
  return { text, isError: result.isError ?? false, data };
}

/** The names of the tools on an initialized wire. */
export async function toolsOn(wire: Wire): Promise<string[]> {
  const id = `list-${calls++}`;
  wire.send({ jsonrpc: '2.0', id, method: 'tools/list' });
  const { result } = (await wire.next((message) => message.id === id)) as { result: { tools: { name: string }[] } };
  return result.tools.map((tool) => tool.name);
}

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
