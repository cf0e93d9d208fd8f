import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server';
import type { Readable, Writable } from 'node:stream';
import type { QuotedAnswer, Shortcut } from './answer-now.ts';
import { LineReader } from './line-reader.ts';
import { OpenRequests } from './open-requests.ts';
import { MAX_MESSAGE_BYTES, type OversizedMessage } from './oversized-message.ts';

/** Responses up to this size together are written in one system call. Larger ones are written separately. */
const BATCH_BYTES = 128 * 1024;
const NEWLINE = 10;
/** Bytes of unread responses after which the transport stops reading requests. */
const MAX_UNREAD_BYTES = 1024 * 1024;
/** Messages handled between two checks of whether the client reads its responses. */
const MESSAGES_A_TURN = 32;
const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;

/**
 * Transports MCP messages as lines over a pair of streams. Differences to the SDK's transport:
 *
 * - The tool itself refuses a call that is too large. Any other message that is too large or malformed gets an error, and the
 *   connection stays open.
 * - Responses that are ready together are written together, because a system call takes a fifth of the time of a response.
 * - While the client does not read its responses, the transport reads no requests.
 * - The end of the input does not end the calls in progress: the connection closes when all requests are answered.
 *
 * @param onDone closes the connection after the last response to an input that ended. Default: closes the transport
 */
export function createStdioTransport(
  input: Readable,
  output: Writable,
  shortcut?: Shortcut,
  onDone?: () => void,
): Transport {
  return new StdioTransport(input, output, shortcut, onDone);
}

class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: <T extends JSONRPCMessage>(message: T) => void;
  private readonly input: Readable;
  private readonly output: Writable;
  private readonly shortcut: Shortcut | undefined;
  private readonly onDone: () => void;
  private readonly reader: LineReader;
  private readonly open = new OpenRequests();
  /** Messages read and not yet handled: at most those of one chunk. */
  private waiting: string[] = [];
  /** Encoded responses to be written together. Encoding here takes a third of the time that the stream takes for strings. */
  private batch = Buffer.allocUnsafeSlow(BATCH_BYTES);
  private filled = 0;
  /** Settles when the output accepts more; undefined while it accepts data. */
  private drained: Promise<void> | undefined;
  /** The client has sent its last message; the connection closes when all are answered. */
  private isInputOver = false;
  private closed = false;

  constructor(input: Readable, output: Writable, shortcut?: Shortcut, onDone?: () => void) {
    this.input = input;
    this.output = output;
    this.shortcut = shortcut;
    this.onDone = onDone ?? (() => void this.close());
    this.reader = new LineReader(
      MAX_MESSAGE_BYTES,
      (line) => void this.waiting.push(line),
      (message) => this.onTooLarge(message),
    );
  }

  async start(): Promise<void> {
    if (this.input.readableEnded || this.input.destroyed) setImmediate(this.onInputOver);
    this.input.on('data', this.onData).on('error', this.onFailure);
    this.input.on('end', this.onInputOver).on('close', this.onInputOver);
    // Never removed: a late write to a disconnected client must not end the process.
    this.output.on('error', (error: Error) => {
      if (this.closed) return;
      this.onerror?.(error);
      void this.close();
    });
  }

  send(message: JSONRPCMessage): Promise<void> {
    if (this.closed) return Promise.reject(new Error('The connection is closed'));
    this.shortcut?.sent(message);
    this.open.sent(message);
    this.write(message);
    if (this.isInputOver) setImmediate(this.closeWhenAnswered);
    return this.drained ?? Promise.resolve();
  }

  private write(message: JSONRPCMessage): void {
    const line = JSON.stringify(message);
    const most = line.length * 3 + 1;
    if (this.filled + most > BATCH_BYTES) this.flush();
    if (most > BATCH_BYTES) return this.put(Buffer.from(`${line}\n`, 'utf8'));
    // After the current calls that need no waiting.
    if (this.filled === 0) process.nextTick(this.flush);
    this.filled += this.batch.write(line, this.filled, 'utf8');
    this.batch[this.filled++] = NEWLINE;
  }

  private writeQuoted(answer: QuotedAnswer): void {
    let end = answer.write(this.batch, this.filled);
    if (end < 0 && this.filled > 0) {
      this.flush();
      end = answer.write(this.batch, 0);
    }
    if (end < 0 || end === this.batch.length) return this.write(answer.message());
    if (this.filled === 0) process.nextTick(this.flush);
    this.filled = end;
    this.batch[this.filled++] = NEWLINE;
  }

  async close(): Promise<void> {
    if (this.closed) return;
    this.flush();
    this.closed = true;
    this.input.off('data', this.onData).off('error', this.onFailure);
    this.input.off('end', this.onInputOver).off('close', this.onInputOver);
    if (this.input.listenerCount('data') === 0) this.input.pause();
    this.onclose?.();
  }

  private readonly onData = (chunk: Buffer): void => {
    this.reader.read(chunk);
    this.takeMessages();
  };

  /** Handles messages in batches: one chunk may request a thousand files, whose results together would fill the memory. */
  private readonly takeMessages = (): void => {
    if (this.drained || this.closed) return;
    for (const line of this.waiting.splice(0, MESSAGES_A_TURN)) this.onLine(line);
    if (this.closed) return;
    if (this.waiting.length > 0) {
      this.input.pause();
      setImmediate(this.takeMessages);
    } else if (this.isInputOver) setImmediate(this.closeWhenAnswered);
    else if (!this.drained) this.input.resume();
  };

  private readonly onFailure = (error: Error): void => {
    this.onerror?.(error);
  };

  /** The last chunk of a file may still have hundreds of messages waiting: Node emits `end` also while the input is paused. */
  private readonly onInputOver = (): void => {
    this.isInputOver = true;
    this.reader.end();
    this.takeMessages();
  };

  /**
   * Closes after the last response. The deadlines of the calls bound the wait, and an output that fails ends it. A question to the
   * client has no deadline of its own and gets no answer any more, so it ends here.
   */
  private readonly closeWhenAnswered = (): void => {
    if (this.closed || this.waiting.length > 0) return;
    for (const answer of this.open.closeQuestions()) this.onmessage?.(answer);
    if (!this.open.areLeft) this.onDone();
  };

  private readonly flush = (): void => {
    if (this.filled === 0) return;
    const bytes = this.batch.subarray(0, this.filled);
    this.filled = 0;
    this.put(bytes);
    // The stream still uses the buffer, so take a new one.
    if (this.output.writableLength > 0) this.batch = Buffer.allocUnsafeSlow(BATCH_BYTES);
  };

  private put(bytes: Buffer): void {
    if (this.output.write(bytes) || this.output.writableLength <= MAX_UNREAD_BYTES || this.drained) return;
    this.input.pause();
    this.drained = new Promise((resolve) => {
      const done = () => {
        this.output.off('drain', done).off('close', done);
        this.drained = undefined;
        if (!this.closed) this.takeMessages();
        resolve();
      };
      this.output.on('drain', done).on('close', done);
    });
  }

  private onLine(line: string): void {
    if (line.trim() === '') return;
    let message: unknown;
    try {
      message = JSON.parse(line);
    } catch {
      return this.refuse(null, PARSE_ERROR, 'Not JSON: one message a line is expected');
    }
    if (!isMessage(message)) return this.refuse(idOf(message), INVALID_REQUEST, 'Not a JSON-RPC 2.0 message');
    try {
      const answer = this.shortcut?.answer(message);
      if (answer && 'write' in answer) return this.writeQuoted(answer);
      if (answer) return this.write(answer);
      this.open.received(message);
      this.onmessage?.(message);
    } catch (error) {
      this.onerror?.(error instanceof Error ? error : new Error(String(error)));
    }
  }

  private onTooLarge({ id, wantsAnswer, call }: OversizedMessage): void {
    if (call) return void this.waiting.push(JSON.stringify(call));
    if (!wantsAnswer) {
      this.onerror?.(new Error(`A message larger than ${MAX_MESSAGE_BYTES} bytes was dropped`));
      return;
    }
    const text = `Request is larger than ${MAX_MESSAGE_BYTES} bytes. Send less at once.`;
    this.refuse(id, INVALID_REQUEST, text);
  }

  /** Sends an error for a message that the protocol library does not get. */
  private refuse(id: string | number | null, code: number, message: string): void {
    this.flush();
    this.output.write(`${JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } })}\n`);
  }
}

/** Whether a value is a JSON-RPC message. The protocol library would silently drop any other value. */
function isMessage(value: unknown): value is JSONRPCMessage {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const { jsonrpc, id, method, params, ...rest } = value as Record<string, unknown>;
  if (jsonrpc !== '2.0' || (id !== undefined && typeof id !== 'string' && !Number.isSafeInteger(id))) return false;
  if (method === undefined) return 'result' in rest || 'error' in rest;
  const isObject = typeof params === 'object' && params !== null && !Array.isArray(params);
  return typeof method === 'string' && (params === undefined || isObject) && Object.keys(rest).length === 0;
}

function idOf(value: unknown): string | number | null {
  const id = (value as { id?: unknown } | null)?.id;
  return typeof id === 'string' || typeof id === 'number' ? id : null;
}
