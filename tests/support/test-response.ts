import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';

/** A server-sent event; fields without a value are absent. */
export interface Frame {
  readonly id?: string;
  readonly event?: string;
  readonly data?: string;
}

/** For tests: an HTTP response in memory. */
export class TestResponse extends EventEmitter {
  status: number | undefined;
  headers: Readonly<Record<string, string>> = {};
  text = '';
  /** Bytes that the client has not read. */
  writableLength = 0;
  writableEnded = false;
  closed = false;

  get response(): ServerResponse {
    return this as unknown as ServerResponse;
  }

  get headersSent(): boolean {
    return this.status !== undefined;
  }

  writeHead(status: number, headers: Readonly<Record<string, string>> = {}): this {
    this.status = status;
    this.headers = headers;
    return this;
  }

  write(text: string): boolean {
    this.text += text;
    return true;
  }

  end(): this {
    this.writableEnded = true;
    return this;
  }

  /** The connection ends, by the server or the client. */
  destroy(): this {
    this.closed = true;
    this.emit('close');
    return this;
  }

  /** The events that were written, without comments and the time to wait before a new connection. */
  frames(): Frame[] {
    return this.text
      .split('\n\n')
      .map((frame) => {
        const fields = frame.split('\n').map((line) => /^(\w+): ?(.*)$/.exec(line) ?? []);
        return Object.fromEntries(
          fields.flatMap(([, name, value]) => (name && name !== 'retry' ? [[name, value]] : [])),
        );
      })
      .filter((frame) => Object.keys(frame).length > 0);
  }
}
