import { type Frame, type Framing, isFrame, type Piece } from './framing.ts';
import { SseFrame } from './sse-frame.ts';

const LF = 10;
const CR = 13;

/**
 * Splits server-sent events into frames that keep their bytes: LF, CRLF and CR line ends, mixed and split anywhere; a
 * BOM, comments, several `data:` lines. Follows the WHATWG "event stream interpretation" for the end of a frame and its
 * data, and marks a frame as `unclear` if parsers that only know LF would read it differently. Keeps only the
 * incomplete frame; the caller limits its size (`pending`).
 */
export function openSse(): Framing {
  return new SseFraming();
}

class SseFraming implements Framing {
  /** Complete frames that have not been returned yet, from `#at`. */
  #region: Buffer | undefined;
  #at = 0;
  /** The end of each frame in the region; computed on demand. */
  #ends: number[] | undefined;
  #nextEnd = 0;
  #text: string | undefined;
  #carry: Buffer[] = [];
  #carried = 0;
  /** The line after the last byte pushed. */
  #line = lineStart();
  #first = true;

  get pending(): number {
    return this.#carried + (this.#region ? this.#region.length - this.#at : 0);
  }

  push(chunk: Buffer): void {
    if (chunk.length === 0) return;
    if (this.#carried === 0 && !this.#region && this.#line.blank && !this.#line.afterCr && endsWithBlankLine(chunk)) {
      // Fast path: the chunk consists of complete frames, as almost always, and needs no scan.
      this.#line.isCrlf = chunk[chunk.length - 2] === CR;
      this.#setRegion(chunk, undefined);
      return;
    }
    const ends = frameEnds(chunk, this.#line, false);
    const last = ends.at(-1);
    if (last === undefined) {
      this.#carry.push(chunk);
      this.#carried += chunk.length;
      return;
    }
    const carried = this.#carried;
    const head = chunk.subarray(0, last);
    const whole = carried === 0 ? head : Buffer.concat([...this.#carry, head]);
    this.#carry = last < chunk.length ? [chunk.subarray(last)] : [];
    this.#carried = chunk.length - last;
    this.#append(whole, carried === 0 ? ends : ends.map((end) => end + carried));
  }

  finish(): void {
    if (this.#carried === 0) return;
    const rest = Buffer.concat(this.#carry);
    this.#carry = [];
    this.#carried = 0;
    this.#line = lineStart();
    this.#append(rest, [rest.length]);
  }

  next(interesting: RegExp | undefined): Frame | Buffer | undefined {
    const region = this.#region;
    if (!region) return undefined;
    if (interesting) {
      const text = (this.#text ??= region.toString('latin1'));
      const found = this.#at === 0 ? text.search(interesting) : text.slice(this.#at).search(interesting);
      if (found === -1) return this.#take(region.length);
      const start = this.#startOfFrameAt(found + this.#at);
      if (start > this.#at) return this.#take(start);
    }
    const frame = this.#take(this.#endAfter(this.#at));
    const first = this.#first;
    this.#first = false;
    return new SseFrame(frame, first);
  }

  split(bytes: Buffer): Frame[] {
    const framing = new SseFraming();
    framing.push(bytes);
    framing.finish();
    const frames: Frame[] = [];
    for (let frame = framing.next(undefined); frame && !Buffer.isBuffer(frame); frame = framing.next(undefined))
      frames.push(frame);
    return frames;
  }

  write(piece: Piece): Buffer {
    if (isFrame(piece)) return piece.raw;
    const event = piece.event === undefined ? '' : `event: ${piece.event}\n`;
    return Buffer.from(`${event}data: ${piece.data}\n\n`);
  }

  close(): undefined {
    return undefined;
  }

  #setRegion(region: Buffer, ends: number[] | undefined): void {
    this.#region = region;
    this.#at = 0;
    this.#ends = ends;
    this.#nextEnd = 0;
    this.#text = undefined;
  }

  /** Frames may still be waiting here while a retry is in progress. */
  #append(whole: Buffer, ends: number[]): void {
    if (!this.#region) return this.#setRegion(whole, ends);
    const before = this.#findEnds().filter((end) => end > this.#at);
    const waiting = this.#region.subarray(this.#at);
    const offset = this.#at;
    this.#setRegion(Buffer.concat([waiting, whole]), [
      ...before.map((end) => end - offset),
      ...ends.map((end) => end + waiting.length),
    ]);
  }

  #take(end: number): Buffer {
    const region = this.#region ?? Buffer.alloc(0);
    const taken = this.#at === 0 && end === region.length ? region : region.subarray(this.#at, end);
    this.#at = end;
    if (end >= region.length) {
      this.#region = undefined;
      this.#text = undefined;
      this.#ends = undefined;
      this.#at = 0;
    }
    return taken;
  }

  #findEnds(): number[] {
    if (this.#ends) return this.#ends;
    const region = this.#region ?? Buffer.alloc(0);
    this.#ends = this.#text?.includes('\r') === false ? blankLines(this.#text) : frameEnds(region, lineStart(), true);
    this.#nextEnd = 0;
    return this.#ends;
  }

  #endAfter(position: number): number {
    const ends = this.#findEnds();
    while ((ends[this.#nextEnd] ?? Infinity) <= position) this.#nextEnd++;
    return ends[this.#nextEnd] ?? this.#region?.length ?? 0;
  }

  /** The start of the frame that contains the byte at `position`. */
  #startOfFrameAt(position: number): number {
    let start = this.#at;
    for (let end = this.#endAfter(start); end <= position; end = this.#endAfter(end)) start = end;
    return start;
  }
}

function endsWithBlankLine(chunk: Buffer): boolean {
  const size = chunk.length;
  if (chunk[size - 1] !== LF) return false;
  return chunk[size - 2] === LF || (chunk[size - 2] === CR && chunk[size - 3] === LF);
}

function lineStart(): LineState {
  return { blank: true, afterCr: false, isCrlf: false, isHalf: false };
}

/** Like `frameEnds` from a line's start, for text in which all lines end with LF. */
function blankLines(text: string): number[] {
  const ends = text.startsWith('\n') ? [1] : [];
  for (let at = text.indexOf('\n\n'); at !== -1; at = text.indexOf('\n\n', at + 1)) ends.push(at + 2);
  return ends;
}

interface LineState {
  /** The line has no byte yet. */
  blank: boolean;
  /** The last byte was CR. */
  afterCr: boolean;
  /** The line before ended with CRLF. */
  isCrlf: boolean;
  /** The frame ended with the last byte, a CR, unless an LF follows. */
  isHalf: boolean;
}

/**
 * The ends of frames in `bytes`. `line` is the state of the line that they continue; it is updated. A frame whose lines
 * end with CRLF is not complete before its last LF, unless the bytes are the last (`isAll`): if the LF began the next
 * frame and that one is dropped, a client that looks for CRLF CRLF would miss the end.
 */
function frameEnds(bytes: Buffer, line: LineState, isAll: boolean): number[] {
  const ends: number[] = [];
  let { blank, afterCr, isCrlf } = line;
  if (line.isHalf && bytes.length > 0) ends.push(0);
  line.isHalf = false;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === LF && afterCr) {
      // The second half of a CRLF: the line ended with the CR.
      afterCr = false;
      isCrlf = true;
      if (ends.at(-1) === at) ends[ends.length - 1] = at + 1;
      continue;
    }
    afterCr = byte === CR;
    if (byte !== LF && byte !== CR) {
      blank = false;
      continue;
    }
    if (blank && byte === CR && isCrlf && at === bytes.length - 1 && !isAll) line.isHalf = true;
    else if (blank) ends.push(at + 1);
    isCrlf = false;
    blank = true;
  }
  line.blank = blank;
  line.afterCr = afterCr;
  line.isCrlf = isCrlf;
  return ends;
}
