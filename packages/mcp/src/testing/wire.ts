import { type ChildProcess, spawn } from 'node:child_process';
import { PROGRAM } from './surroundings.ts';

/** A test waits this long for a message, because the machine may be busy. */
const WAIT_MS = 60_000;

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
      if (line.startsWith('{"')) messages.push(JSON.parse(Buffer.from(line, 'latin1').toString('utf8')) as WireMessage);
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
        }, WAIT_MS);
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
