import { type OversizedMessage, OversizedReader } from './oversized-message.ts';

const NEWLINE = 10;

/**
 * Splits a stream into lines and emits each as text. Does not keep a line above `maxBytes`; `onTooLarge` gets its summary. Holds at
 * most one line.
 */
export class LineReader {
  private readonly maxBytes: number;
  private readonly onLine: (line: string) => void;
  private readonly onTooLarge: (message: OversizedMessage) => void;
  private held: Buffer[] = [];
  private length = 0;
  private oversized: OversizedReader | undefined;

  constructor(maxBytes: number, onLine: (line: string) => void, onTooLarge: (message: OversizedMessage) => void) {
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

  /** Emits a last line that no newline ends. */
  end(): void {
    if (this.length > 0) this.endLine(Buffer.alloc(0), 0, 0);
  }

  private endLine(chunk: Buffer, start: number, end: number): void {
    // Most lines are part of one chunk.
    if (this.length === 0 && end - start <= this.maxBytes) return this.onLine(chunk.toString('utf8', start, end));
    this.keep(chunk.subarray(start, end));
    const { held, oversized } = this;
    this.held = [];
    this.length = 0;
    this.oversized = undefined;
    if (oversized) this.onTooLarge(oversized.result());
    else this.onLine(Buffer.concat(held).toString('utf8'));
  }

  private keep(part: Buffer): void {
    this.length += part.length;
    if (this.oversized) return this.oversized.read(part);
    this.held.push(part);
    if (this.length <= this.maxBytes) return;
    this.oversized = new OversizedReader();
    for (const piece of this.held) this.oversized.read(piece);
    this.held = [];
  }
}
