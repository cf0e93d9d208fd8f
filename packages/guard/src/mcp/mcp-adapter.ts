import { type ChildProcess, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { LineCutter } from './line-cutter.ts';
import { createMcpFilter, type FilteredLine, type McpFilterOptions } from './mcp-filter.ts';

/** Size limit of one message, in bytes. A larger one is refused. */
export const MAX_MESSAGE_BYTES = 32 * 1024 * 1024;
/** Bytes that the client may leave unread before the guard stops reading from it. */
const MAX_UNREAD_BYTES = 1024 * 1024;
/** Clients wait two seconds between SIGTERM and SIGKILL; the server must have ended by then. */
const KILL_AFTER_MS = 1_500;
const NEWLINE = 10;

/** How to start and wrap a server. */
export interface McpAdapterOptions extends McpFilterOptions {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly input: Readable;
  readonly output: Writable;
  readonly maxMessageBytes?: number;
}

/** The exit of the server. */
export interface McpAdapterEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A running server behind the guard. */
export interface McpAdapter {
  /**
   * Resolves when the server has ended and all its output was passed on. Rejects with Node's error if it cannot start.
   */
  readonly ended: Promise<McpAdapterEnd>;
  /** Sends a signal to the server and its child processes. Some time after SIGTERM they are killed. */
  signal(signal: NodeJS.Signals): void;
}

/**
 * Starts an MCP stdio server and filters what its client sends. Both directions pass byte for byte, except blocked tool
 * calls, messages that two parsers could read differently, and separators within strings that some servers treat as
 * line breaks (escaped). Standard error is inherited. When one side ends, both end. Does not judge resource reads,
 * prompts or anything else but `tools/call`.
 */
export function openMcpAdapter(options: McpAdapterOptions): McpAdapter {
  const { command, args, cwd, env, input, output } = options;
  // A process group, where the system has them, so that processes started by a wrapper such as npx end with it.
  const isGroup = process.platform !== 'win32';
  const child = spawn(command, [...args], {
    stdio: ['pipe', 'pipe', 'inherit'],
    detached: isGroup,
    ...(cwd !== undefined && { cwd }),
    ...(env !== undefined && { env }),
  });
  const send = (signal: NodeJS.Signals): void => {
    if (child.pid === undefined) return;
    try {
      if (isGroup) process.kill(-child.pid, signal);
      else child.kill(signal);
    } catch {
      // The process has already ended.
    }
  };
  let killing: NodeJS.Timeout | undefined;
  const ended = connect(child, input, output, options).finally(() => clearTimeout(killing));
  return {
    ended,
    signal(signal) {
      send(signal);
      if (signal === 'SIGTERM') killing ??= setTimeout(() => send('SIGKILL'), KILL_AFTER_MS);
    },
  };
}

function connect(
  child: ChildProcess,
  input: Readable,
  output: Writable,
  options: McpAdapterOptions,
): Promise<McpAdapterEnd> {
  const { stdin, stdout } = child;
  if (!stdin || !stdout) return Promise.reject(new Error('The server has no streams'));
  const filter = createMcpFilter(options);
  const toClient = createAnswers(output, stdout);
  const take = ({ forward, answer }: FilteredLine): void => {
    if (answer !== undefined) toClient.answer(answer);
    if (forward !== undefined && stdin.writable) stdin.write(forward);
    if (stdin.writableNeedDrain || output.writableLength > MAX_UNREAD_BYTES) input.pause();
  };
  const resume = (): void => {
    if (!stdin.writableNeedDrain && output.writableLength <= MAX_UNREAD_BYTES) input.resume();
  };
  const cutter = new LineCutter(
    options.maxMessageBytes ?? MAX_MESSAGE_BYTES,
    (line) => take(filter.line(line)),
    (dropped) => take(filter.tooLarge(dropped)),
  );
  const onData = (chunk: Buffer): void => (options.mode === 'off' ? take({ forward: chunk }) : cutter.push(chunk));
  let isInputOver = false;
  const onEnd = (): void => {
    if (isInputOver) return;
    isInputOver = true;
    cutter.finish();
    stdin.end();
  };
  input.on('data', onData).on('end', onEnd).on('close', onEnd).on('error', onEnd);
  // The client has stopped reading. The server notices as it would without the guard.
  stdin.on('drain', resume).on('error', () => {});
  output.on('drain', resume).on('error', () => {
    stdout.destroy();
    onEnd();
  });
  return new Promise<McpAdapterEnd>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve({ code, signal }));
    // A child process may hold the pipe open. Do not wait for that once the client is gone.
    child.once('exit', (code, signal) => {
      const look = (): void => void (isInputOver && setTimeout(() => resolve({ code, signal }), 1_000));
      input.once('end', look).once('close', look);
      look();
    });
  }).finally(() => {
    input.off('data', onData).off('end', onEnd).off('close', onEnd).off('error', onEnd);
    input.pause();
    toClient.end();
  });
}

/**
 * Merges the server's output and the guard's own responses: a response waits until the server's current line is
 * complete.
 */
function createAnswers(output: Writable, stdout: Readable): { answer(lines: string): void; end(): void } {
  let atLineEnd = true;
  let waiting = '';
  let isFull = false;
  const put = (bytes: Buffer | string): void => {
    if (output.destroyed || output.writableEnded) return;
    if (output.write(bytes) || isFull) return;
    isFull = true;
    stdout.pause();
    output.once('drain', () => {
      isFull = false;
      stdout.resume();
    });
  };
  const flush = (): void => {
    if (waiting === '') return;
    const lines = waiting;
    waiting = '';
    put(lines);
  };
  stdout.on('data', (chunk: Buffer) => {
    const end = waiting === '' ? -1 : chunk.lastIndexOf(NEWLINE);
    if (end === -1) put(chunk);
    else {
      put(chunk.subarray(0, end + 1));
      flush();
      if (end + 1 < chunk.length) put(chunk.subarray(end + 1));
    }
    atLineEnd = chunk.at(-1) === NEWLINE;
  });
  stdout.on('error', () => {});
  return {
    answer(lines) {
      waiting += lines;
      if (atLineEnd) flush();
    },
    end() {
      if (waiting !== '' && !atLineEnd) put('\n');
      flush();
    },
  };
}
