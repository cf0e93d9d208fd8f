import { Transform, type TransformCallback } from 'node:stream';

/** The SDK's own bound on one message; past it, its transport closes the connection. */
export const MAX_MESSAGE_BYTES = 10 * 1024 * 1024;

const NEWLINE = 10;
const QUOTE = 34;
const BACKSLASH = 92;
const OPEN = new Set([123, 91]);
const CLOSE = new Set([125, 93]);

/**
 * Passes newline-delimited messages through untouched and drops any that is too large, reporting the request id it
 * carried so that it can be answered. Holds at most one message.
 */
export function createLineGuard(maxBytes: number, onTooLarge: (id: string | number | null) => void): Transform {
  let line: Buffer[] = [];
  let length = 0;
  let finder: IdFinder | undefined;
  const take = (part: Buffer): void => {
    if (finder) return finder.read(part);
    length += part.length;
    line.push(part);
    if (length <= maxBytes) return;
    finder = new IdFinder();
    for (const held of line) finder.read(held);
    line = [];
  };
  return new Transform({
    transform(chunk: Buffer, _encoding, done: TransformCallback) {
      let start = 0;
      // The ordinary chunk holds whole, small messages.
      if (length === 0 && !finder && chunk.length <= maxBytes && chunk.at(-1) === NEWLINE) return done(null, chunk);
      for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
        take(chunk.subarray(start, end + 1));
        if (finder) onTooLarge(finder.id);
        else this.push(line.length === 1 ? line[0] : Buffer.concat(line));
        line = [];
        length = 0;
        finder = undefined;
        start = end + 1;
      }
      if (start < chunk.length) take(chunk.subarray(start));
      done();
    },
    flush(done) {
      if (line.length > 0) this.push(Buffer.concat(line));
      done();
    },
  });
}

/** Finds the top-level `id` of a JSON object that is too large to keep, reading it once. */
class IdFinder {
  id: string | number | null = null;
  private depth = 0;
  private inString = false;
  private escaped = false;
  /** The top-level string or bare value being read. */
  private token = '';
  private isKey = false;
  private wantValue = false;

  read(bytes: Buffer): void {
    for (const byte of bytes) this.step(byte);
  }

  private step(byte: number): void {
    if (this.inString) return this.inText(byte);
    if (byte === QUOTE) {
      this.inString = true;
      if (this.depth === 1) this.token = '"';
    } else if (OPEN.has(byte)) this.depth++;
    else if (CLOSE.has(byte)) {
      this.finish();
      this.depth--;
    } else if (this.depth !== 1) return;
    else if (byte === 58) {
      this.isKey = this.token === '"id"';
      this.token = '';
      this.wantValue = this.isKey;
    } else if (byte === 44) this.finish();
    else if (byte > 32 && this.token.length < 64) this.token += String.fromCharCode(byte);
  }

  private inText(byte: number): void {
    if (this.depth === 1 && this.token.length < 256) this.token += String.fromCharCode(byte);
    if (this.escaped) this.escaped = false;
    else if (byte === BACKSLASH) this.escaped = true;
    else if (byte === QUOTE) this.inString = false;
  }

  private finish(): void {
    if (this.depth === 1 && this.wantValue) {
      try {
        const value: unknown = JSON.parse(this.token);
        if (typeof value === 'string' || typeof value === 'number') this.id = value;
      } catch {
        // No id that could be answered.
      }
    }
    if (this.depth === 1) {
      this.wantValue = false;
      this.token = '';
    }
  }
}
