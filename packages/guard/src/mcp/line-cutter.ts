const NEWLINE = 10;
const QUOTE = 34;
const COMMA = 44;
const COLON = 58;
const BACKSLASH = 92;
const OPEN = new Set([123, 91]);
const CLOSE = new Set([125, 93]);
/** The longest key or id that is read. */
const MAX_TOKEN_BYTES = 1_024;

/** The known parts of a line that was too large to keep. */
export interface DroppedLine {
  /** The id as written; undefined for a notification, which expects no response. */
  readonly id: string | undefined;
}

/**
 * Splits a stream into lines, each with its line break, bytes unchanged. Drops a line that is too large, except for its
 * id. Buffers at most one line.
 */
export class LineCutter {
  readonly #maxBytes: number;
  readonly #onLine: (line: Buffer) => void;
  readonly #onTooLarge: (dropped: DroppedLine) => void;
  #held: Buffer[] = [];
  #length = 0;
  #skimmer: Skimmer | undefined;

  constructor(maxBytes: number, onLine: (line: Buffer) => void, onTooLarge: (dropped: DroppedLine) => void) {
    this.#maxBytes = maxBytes;
    this.#onLine = onLine;
    this.#onTooLarge = onTooLarge;
  }

  push(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      this.#keep(chunk.subarray(start, end + 1));
      this.finish();
      start = end + 1;
    }
    if (start < chunk.length) this.#keep(chunk.subarray(start));
  }

  /** Treats the remaining bytes as a line, although no line break ends it. */
  finish(): void {
    if (this.#length === 0) return;
    const [first] = this.#held;
    const line = first !== undefined && this.#held.length === 1 ? first : Buffer.concat(this.#held);
    const skimmer = this.#skimmer;
    this.#held = [];
    this.#length = 0;
    this.#skimmer = undefined;
    if (skimmer) this.#onTooLarge({ id: skimmer.id });
    else this.#onLine(line);
  }

  #keep(part: Buffer): void {
    this.#length += part.length;
    if (this.#skimmer) return this.#skimmer.read(part);
    this.#held.push(part);
    if (this.#length <= this.#maxBytes) return;
    this.#skimmer = new Skimmer();
    for (const piece of this.#held) this.#skimmer.read(piece);
    this.#held = [];
  }
}

/**
 * Reads the top level of an object that is too large to keep, byte by byte: its id, and whether it expects a response.
 */
class Skimmer {
  #id: string | undefined;
  readonly #keys = new Set<unknown>();
  #depth = 0;
  #inString = false;
  #escaped = false;
  #token: number[] = [];
  #isId = false;

  get id(): string | undefined {
    return this.#keys.has('result') || this.#keys.has('error') ? undefined : this.#id;
  }

  read(bytes: Buffer): void {
    for (const byte of bytes) this.#step(byte);
  }

  #step(byte: number): void {
    if (this.#inString) return this.#stepInString(byte);
    if (byte === QUOTE) {
      this.#inString = true;
      if (this.#depth === 1) this.#token = [byte];
    } else if (OPEN.has(byte)) this.#depth++;
    else if (CLOSE.has(byte)) {
      this.#endValue();
      this.#depth--;
    } else if (this.#depth !== 1) return;
    else if (byte === COLON) {
      const key = parsed(this.#token);
      this.#keys.add(key);
      this.#isId = key === 'id';
      this.#token = [];
    } else if (byte === COMMA) this.#endValue();
    else if (byte > 32) this.#keep(byte);
  }

  #stepInString(byte: number): void {
    if (this.#depth === 1) this.#keep(byte);
    if (this.#escaped) this.#escaped = false;
    else if (byte === BACKSLASH) this.#escaped = true;
    else if (byte === QUOTE) this.#inString = false;
  }

  #keep(byte: number): void {
    if (this.#token.length <= MAX_TOKEN_BYTES) this.#token.push(byte);
  }

  #endValue(): void {
    if (this.#depth !== 1) return;
    const value = this.#isId ? parsed(this.#token) : undefined;
    if (typeof value === 'string' || typeof value === 'number') this.#id = Buffer.from(this.#token).toString('utf8');
    this.#isId = false;
    this.#token = [];
  }
}

function parsed(token: readonly number[]): unknown {
  try {
    return JSON.parse(Buffer.from(token).toString('utf8'));
  } catch {
    // Truncated or invalid JSON: no response is possible.
    return undefined;
  }
}
