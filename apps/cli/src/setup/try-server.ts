import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { clean } from '@croft/tools';
import type { ServerCommand } from './server-command.ts';

/** The result of starting a server and calling it. */
export type Connection =
  | { readonly ok: true; readonly tools: number; readonly server: string }
  | { readonly ok: false; readonly problem: string };

/** Options for a trial. */
export interface TryOptions {
  readonly env: NodeJS.ProcessEnv;
  /** Not the directory of the user's shell, because the command must work from anywhere. */
  readonly cwd: string;
  readonly timeoutMs?: number;
}

type Child = ChildProcessByStdio<Writable, Readable, Readable>;

const MAX_OUTPUT_CHARS = 8 * 1024 * 1024;
const MAX_PAGES = 100;
const EXIT_GRACE_MS = 2_000;
const PROTOCOL_VERSION = '2025-06-18';

/**
 * Starts a command as a client does, sends `initialize` and `tools/list` over its standard streams, and ends it. Never throws.
 * When it returns, the process and its children have ended.
 */
export async function tryServer({ command, args }: ServerCommand, options: TryOptions): Promise<Connection> {
  const { timeoutMs = 10_000 } = options;
  const ownGroup = process.platform !== 'win32';
  const child = spawn(command, [...args], {
    cwd: options.cwd,
    env: options.env,
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: ownGroup,
    windowsHide: true,
  });
  const exited = new Promise<void>((resolve) => child.once('close', () => resolve()).once('error', () => resolve()));
  const heard = { errors: '' };
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    heard.errors = (heard.errors + text).slice(-4_000);
  });
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${timeoutMs / 1000} s`)), timeoutMs);
  });
  try {
    return await Promise.race([converse(child), late]);
  } catch (error) {
    const said = clean(heard.errors.trim().split('\n').at(-1) ?? '');
    return { ok: false, problem: `${(error as Error).message}${said === '' ? '' : `; it said: ${said}`}` };
  } finally {
    clearTimeout(timer);
    await end(child, exited, ownGroup);
  }
}

async function converse(child: Child): Promise<Connection> {
  const ask = createAsk(child);
  const clientInfo = { name: 'croft-setup', version: '1' };
  const begun = await ask('initialize', { protocolVersion: PROTOCOL_VERSION, capabilities: {}, clientInfo });
  child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`);
  let tools = 0;
  let cursor: unknown;
  for (let page = 0; page < MAX_PAGES; page++) {
    const listed = await ask('tools/list', cursor === undefined ? {} : { cursor });
    if (!Array.isArray(listed.tools)) throw new Error('tools/list gave no list of tools');
    tools += listed.tools.length;
    cursor = listed.nextCursor;
    if (cursor === undefined || cursor === null) break;
  }
  const { name } = (begun.serverInfo ?? {}) as { name?: unknown };
  return { ok: true, tools, server: typeof name === 'string' ? clean(name) : 'unnamed' };
}

type Answer = { readonly [key: string]: unknown };

/** Returns a function that sends one request at a time and reads its response, a line of JSON. */
function createAsk(child: Child): (method: string, params: object) => Promise<Answer> {
  let waiting: { readonly id: number; resolve(answer: Answer): void; reject(error: Error): void } | undefined;
  let buffer = '';
  let id = 0;
  let gone: Error | undefined;
  const fail = (error: Error): void => {
    gone ??= error;
    waiting?.reject(error);
  };
  child.once('error', (error) =>
    fail(new Error(`could not be started (${(error as NodeJS.ErrnoException).code ?? error.message})`)),
  );
  child.once('close', (code, signal) => fail(new Error(`ended before it answered (${signal ?? `exit code ${code}`})`)));
  // 'close' reports the reason. Without a listener, this error would end the whole program.
  child.stdin.on('error', () => {});
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    buffer += text;
    if (buffer.length > MAX_OUTPUT_CHARS) return fail(new Error('sent more than a list of tools can be'));
    for (let end = buffer.indexOf('\n'); end !== -1; end = buffer.indexOf('\n')) {
      const line = buffer.slice(0, end);
      buffer = buffer.slice(end + 1);
      if (line.trim() !== '') hear(line);
    }
    return undefined;
  });
  const hear = (line: string): void => {
    let message: { id?: unknown; result?: Answer; error?: { message?: unknown } };
    try {
      message = JSON.parse(line) as typeof message;
    } catch {
      return fail(new Error('wrote something else than MCP to its standard output'));
    }
    if (waiting === undefined || message?.id !== waiting.id) return undefined;
    const { resolve, reject } = waiting;
    waiting = undefined;
    if (message.result) return resolve(message.result);
    return reject(
      new Error(`answered with an error: ${clean(JSON.stringify(message.error?.message ?? 'without a message'))}`),
    );
  };
  return (method, params) =>
    new Promise((resolve, reject) => {
      if (gone) return reject(gone);
      waiting = { id: ++id, resolve, reject };
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
      return undefined;
    });
}

/** Closes the input, which ends a server. Kills a server that continues, with its child processes. */
async function end(child: Child, exited: Promise<void>, ownGroup: boolean): Promise<void> {
  child.stdin.end();
  if (child.pid === undefined) return;
  const timer = setTimeout(() => kill(child, ownGroup), EXIT_GRACE_MS);
  await exited;
  clearTimeout(timer);
}

function kill(child: Child, ownGroup: boolean): void {
  try {
    if (ownGroup && child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    else child.kill('SIGKILL');
  } catch {
    // It has just ended by itself.
  }
}
