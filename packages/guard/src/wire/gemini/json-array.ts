import { type Frame, type Framing, isFrame, type Piece } from '../../framing/framing.ts';

const BOM = [0xef, 0xbb, 0xbf];

/**
 * Splits a JSON array whose elements arrive one by one (`streamGenerateContent` without `alt=sse`) into one frame per
 * element. A frame begins with the separator of its element (`[` or `,`, white space) and ends with the element's last
 * byte; the closing `]` is a frame without data. Anything other than an array of objects becomes one `unclear` frame.
 *
 * Every frame must be read, and all output must go through `write`: a frame's separator depends on the output before
 * it.
 */
export function openJsonArray(): JsonArrayFraming {
  return new JsonArrayFraming();
}

interface ArrayFrame extends Frame {
  /** The separator before the element, and its position; undefined if there is none. */
  readonly separator?: { readonly byte: '[' | ',' | ']'; readonly at: number };
}

/** The position of the scanner: before an element, inside one, after the array, or in other data. */
type Place = 'between' | 'element' | 'after' | 'strange';

class JsonArrayFraming implements Framing {
  #ready: ArrayFrame[] = [];
  /** How many of them were returned. */
  #taken = 0;
  #carry: Buffer[] = [];
  #carried = 0;
  #readyBytes = 0;
  #place: Place = 'between';
  #begun = false;
  #separator: { byte: '[' | ',' | ']'; at: number } | undefined;
  #elementAt = 0;
  #depth = 0;
  #inString = false;
  #escaped = false;
  /** The state of the client's array. */
  #written: 'nothing' | 'open' | 'closed' = 'nothing';

  get pending(): number {
    return this.#carried + this.#readyBytes;
  }

  push(chunk: Buffer): void {
    let from = 0;
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at] ?? 0;
      if (!this.#step(byte, this.#carried + at - from)) continue;
      this.#cut(chunk.subarray(from, at + 1));
      from = at + 1;
    }
    if (from === chunk.length) return;
    this.#carry.push(chunk.subarray(from));
    this.#carried += chunk.length - from;
  }

  finish(): void {
    if (this.#carried === 0) return;
    const raw = Buffer.concat(this.#carry);
    this.#clear();
    const text = raw.toString('utf8');
    const blank = text.trim() === '';
    this.#add({ raw, data: blank ? undefined : text, event: undefined, unclear: !blank });
  }

  next(): Frame | undefined {
    const frame = this.#ready[this.#taken++];
    if (frame) {
      this.#readyBytes -= frame.raw.length;
      return frame;
    }
    this.#ready = [];
    this.#taken = 0;
    return undefined;
  }

  split(bytes: Buffer): Frame[] {
    const framing = new JsonArrayFraming();
    framing.push(bytes);
    framing.finish();
    return framing.#ready;
  }

  write(piece: Piece): Buffer {
    if (!isFrame(piece)) {
      const separator = this.#written === 'nothing' ? '[' : ',\r\n';
      this.#written = 'open';
      return Buffer.from(separator + piece.data);
    }
    const { raw, separator }: ArrayFrame = piece;
    if (!separator) return raw;
    if (separator.byte === ']') {
      const opens = raw.subarray(0, separator.at).includes('[');
      const begun = this.#written !== 'nothing';
      this.#written = 'closed';
      if (opens !== begun) return raw;
      return opens ? raw.subarray(separator.at) : Buffer.concat([Buffer.from('['), raw]);
    }
    const wanted = this.#written === 'nothing' ? '[' : ',';
    this.#written = 'open';
    if (separator.byte === wanted) return raw;
    return Buffer.concat([Buffer.from(wanted), raw.subarray(separator.at + 1)]);
  }

  close(): Buffer | undefined {
    const closing = this.#written === 'closed' ? undefined : Buffer.from(this.#written === 'open' ? ']' : '[]');
    this.#written = 'closed';
    return closing;
  }

  /** Continues a reply that the framing of an earlier reply began. */
  follow(before: Framing): void {
    if (before instanceof JsonArrayFraming) this.#written = before.#written;
  }

  /** Processes one byte. Returns whether a frame ends with it. `at`: its position in the frame. */
  #step(byte: number, at: number): boolean {
    if (this.#place === 'between') return this.#between(byte, at);
    if (this.#place !== 'element') return false;
    if (this.#inString) {
      if (this.#escaped) this.#escaped = false;
      else if (byte === 0x5c) this.#escaped = true;
      else if (byte === 0x22) this.#inString = false;
      return false;
    }
    if (byte === 0x22) this.#inString = true;
    else if (byte === 0x7b || byte === 0x5b) this.#depth++;
    else if (byte === 0x7d || byte === 0x5d) return --this.#depth === 0;
    return false;
  }

  #between(byte: number, at: number): boolean {
    if (byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09) return false;
    if (!this.#begun && byte === BOM[at]) return false;
    if (byte === 0x5b && !this.#begun) this.#separator = { byte: '[', at };
    else if (byte === 0x2c && this.#begun && !this.#separator) this.#separator = { byte: ',', at };
    else if (byte === 0x7b && this.#separator) {
      this.#place = 'element';
      this.#elementAt = at;
      this.#depth = 1;
    } else if (byte === 0x5d && this.#begun && this.#separator?.byte !== ',') {
      this.#separator = { byte: ']', at };
      return true;
    } else this.#place = 'strange';
    this.#begun = true;
    return false;
  }

  #cut(tail: Buffer): void {
    const raw = this.#carried === 0 ? tail : Buffer.concat([...this.#carry, tail]);
    const separator = this.#separator;
    const closed = separator?.byte === ']';
    const data = closed ? undefined : raw.subarray(this.#elementAt).toString('utf8');
    this.#clear();
    this.#place = closed ? 'after' : 'between';
    this.#add({ raw, data, event: undefined, unclear: false, ...(separator && { separator }) });
  }

  #clear(): void {
    this.#carry = [];
    this.#carried = 0;
    this.#separator = undefined;
  }

  #add(frame: ArrayFrame): void {
    this.#ready.push(frame);
    this.#readyBytes += frame.raw.length;
  }
}
