/** The bound on one message, as in the SDK. Past it, the SDK's own transport closes the connection. */
export const MAX_MESSAGE_BYTES = 10 * 1024 * 1024;

const NEWLINE = 10;
const QUOTE = 34;
const COMMA = 44;
const COLON = 58;
const BACKSLASH = 92;
const OPEN = new Set([123, 91]);
const CLOSE = new Set([125, 93]);
/** A key or an id longer than this is nobody's. */
const MAX_TOKEN_BYTES = 1_024;

/** What was seen of a message that was too large to keep. */
export interface DroppedMessage {
  readonly id: string | number | null;
  /** `false` for notifications and for answers to our own questions: nobody waits for a word on those. */
  readonly wantsAnswer: boolean;
}

/**
 * Cuts a stream into lines and gives each as text. One that is too large is dropped, and what it was reported, so that
 * it can be answered. Holds at most one line.
 */
export class LineReader {
  private readonly maxBytes: number;
  private readonly onLine: (line: string) => void;
  private readonly onTooLarge: (dropped: DroppedMessage) => void;
  private held: Buffer[] = [];
  private length = 0;
  private skimmer: Skimmer | undefined;

  constructor(maxBytes: number, onLine: (line: string) => void, onTooLarge: (dropped: DroppedMessage) => void) {
    this.maxBytes = maxBytes;
    this.onLine = onLine;
    this.onTooLarge = onTooLarge;
  }

  read(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      this.endLine(chunk, start, end);
      start = end + 1;
    }
    if (start < chunk.length) this.keep(chunk.subarray(start));
  }

  private endLine(chunk: Buffer, start: number, end: number): void {
    // The ordinary line lies whole within one chunk.
    if (this.length === 0 && end - start <= this.maxBytes) return this.onLine(chunk.toString('utf8', start, end));
    this.keep(chunk.subarray(start, end));
    const { held, skimmer } = this;
    this.held = [];
    this.length = 0;
    this.skimmer = undefined;
    if (skimmer) this.onTooLarge(skimmer.dropped());
    else this.onLine(Buffer.concat(held).toString('utf8'));
  }

  private keep(part: Buffer): void {
    this.length += part.length;
    if (this.skimmer) return this.skimmer.read(part);
    this.held.push(part);
    if (this.length <= this.maxBytes) return;
    this.skimmer = new Skimmer();
    for (const piece of this.held) this.skimmer.read(piece);
    this.held = [];
  }
}

/** Reads the top level of a JSON object that is too large to keep, once and byte by byte: its id and what it is. */
class Skimmer {
  private id: string | number | null = null;
  private readonly keys = new Set<unknown>();
  private depth = 0;
  private inString = false;
  private escaped = false;
  /** The bytes of the top-level string or bare value being read. */
  private token: number[] = [];
  private isId = false;

  read(bytes: Buffer): void {
    for (const byte of bytes) this.step(byte);
  }

  dropped(): DroppedMessage {
    const isAnswer = this.keys.has('result') || this.keys.has('error');
    const isNotification = this.keys.has('method') && !this.keys.has('id');
    return { id: this.id, wantsAnswer: !isAnswer && !isNotification };
  }

  private step(byte: number): void {
    if (this.inString) return this.stepInString(byte);
    if (byte === QUOTE) {
      this.inString = true;
      if (this.depth === 1) this.token = [byte];
    } else if (OPEN.has(byte)) this.depth++;
    else if (CLOSE.has(byte)) {
      this.endValue();
      this.depth--;
    } else if (this.depth !== 1) return;
    else if (byte === COLON) {
      const key = this.parsed();
      this.keys.add(key);
      this.isId = key === 'id';
      this.token = [];
    } else if (byte === COMMA) this.endValue();
    else if (byte > 32) this.keep(byte);
  }

  private stepInString(byte: number): void {
    if (this.depth === 1) this.keep(byte);
    if (this.escaped) this.escaped = false;
    else if (byte === BACKSLASH) this.escaped = true;
    else if (byte === QUOTE) this.inString = false;
  }

  private keep(byte: number): void {
    if (this.token.length <= MAX_TOKEN_BYTES) this.token.push(byte);
  }

  private endValue(): void {
    if (this.depth !== 1) return;
    const value = this.isId ? this.parsed() : undefined;
    if (typeof value === 'string' || typeof value === 'number') this.id = value;
    this.isId = false;
    this.token = [];
  }

  private parsed(): unknown {
    try {
      return JSON.parse(Buffer.from(this.token).toString('utf8'));
    } catch {
      // Cut, or no JSON: nothing that could be answered.
      return undefined;
    }
  }
}
