// HTTP/1.1 on bare sockets, for tests that send tens of thousands of messages through the guard. Node's own client and
// server would cost more than the guard under test.
import { once } from 'node:events';
import * as net from 'node:net';

const HEAD_END = '\r\n\r\n';
const LAST_CHUNK = '0\r\n\r\n';

/** One message as received: its first line and headers, and its body without chunk framing. */
interface Message {
  readonly head: string;
  readonly body: Buffer;
}

/** Parses a message; `undefined` while it is incomplete. Throws if more bytes follow it. */
function messageOf(bytes: Buffer): Message | undefined {
  const headEnd = bytes.indexOf(HEAD_END);
  if (headEnd < 0) return undefined;
  const head = bytes.toString('latin1', 0, headEnd);
  const rest = bytes.subarray(headEnd + HEAD_END.length);
  const isChunked = /\r\ntransfer-encoding: *chunked/i.test(head);
  // Most pieces of a chunked body are not its last. Check that without decoding everything again.
  if (isChunked)
    return rest.toString('latin1', rest.length - LAST_CHUNK.length) === LAST_CHUNK ? dechunk(head, rest) : undefined;
  const length = Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0);
  if (rest.length > length) throw new Error(`bytes after a message of ${length} bytes`);
  return rest.length === length ? { head, body: rest } : undefined;
}

function dechunk(head: string, bytes: Buffer): Message | undefined {
  const parts: Buffer[] = [];
  for (let at = 0; at < bytes.length; ) {
    const lineEnd = bytes.indexOf('\r\n', at);
    if (lineEnd < 0) return undefined;
    const size = Number.parseInt(bytes.toString('latin1', at, lineEnd), 16);
    if (Number.isNaN(size)) throw new Error('a chunk without its size');
    if (size === 0) return { head, body: Buffer.concat(parts) };
    parts.push(bytes.subarray(lineEnd + 2, lineEnd + 2 + size));
    at = lineEnd + 2 + size + 2;
  }
  return undefined;
}

/** Collects the data of a socket and passes on each complete message. */
function onMessages(socket: net.Socket, take: (message: Message) => void): void {
  let got = Buffer.alloc(0);
  socket.on('data', (bytes) => {
    got = got.length === 0 ? bytes : Buffer.concat([got, bytes]);
    let message: Message | undefined;
    try {
      message = messageOf(got);
    } catch (error) {
      socket.destroy(error as Error);
      return;
    }
    if (message === undefined) return;
    got = Buffer.alloc(0);
    take(message);
  });
}

/** The bytes of a 200 response with this body, in one chunk if it is a stream. */
export function replyBytes(contentType: string, text: string): Buffer {
  const length = Buffer.byteLength(text);
  const head = `HTTP/1.1 200 OK\r\nContent-Type: ${contentType}\r\n`;
  return Buffer.from(
    contentType.includes('event-stream')
      ? `${head}Transfer-Encoding: chunked\r\n\r\n${length.toString(16)}\r\n${text}\r\n${LAST_CHUNK}`
      : `${head}Content-Length: ${length}\r\n\r\n${text}`,
  );
}

/** A server that answers each complete request with given bytes. */
export interface RawServer {
  readonly port: number;
  close(): void;
}

/**
 * Starts one on a free port of this machine. `answer`: the bytes for the next response, as {@link replyBytes} creates
 * them.
 */
export async function startRawServer(answer: () => Buffer): Promise<RawServer> {
  const open = new Set<net.Socket>();
  const server = net.createServer({ noDelay: true }, (socket) => {
    open.add(socket);
    socket.on('close', () => open.delete(socket));
    socket.on('error', () => {});
    onMessages(socket, () => socket.write(answer()));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as net.AddressInfo).port,
    close: () => {
      server.close();
      for (const socket of open) socket.destroy();
    },
  };
}

/**
 * Sends one request at a time over a persistent connection. A request fails if the connection ends before its response
 * is complete.
 */
export class RawClient {
  readonly #port: number;
  #socket: net.Socket;
  #waiting: { done: (message: Message) => void; fail: (error: Error) => void } | undefined;

  constructor(port: number) {
    this.#port = port;
    this.#socket = this.#connect();
  }

  /** Sends a POST with this JSON and returns the response. */
  async post(path: string, json: string): Promise<{ readonly status: number; readonly body: Buffer }> {
    if (this.#socket.destroyed) this.#socket = this.#connect();
    const message = new Promise<Message>((done, fail) => {
      this.#waiting = { done, fail };
    });
    const length = Buffer.byteLength(json);
    this.#socket.write(
      `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1:${this.#port}\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n${json}`,
    );
    const { head, body } = await message;
    if (/\r\nconnection: *close/i.test(head)) this.close();
    return { status: Number(head.split(' ', 2)[1]), body };
  }

  close(): void {
    this.#socket.destroy();
  }

  #connect(): net.Socket {
    const socket = net.connect({ port: this.#port, host: '127.0.0.1', noDelay: true });
    onMessages(socket, (message) => this.#waiting?.done(message));
    let reason = new Error('the connection ended before the answer was whole');
    socket.on('error', (error) => {
      reason = error;
    });
    socket.on('close', () => this.#waiting?.fail(reason));
    return socket;
  }
}
