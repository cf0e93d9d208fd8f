import { randomUUID } from 'node:crypto';
import { MAX_CONTENT_BYTES } from '@croft/tools';

/** Worst case of JSON escaping: six bytes (`\u0001`) for one byte of content. */
const ESCAPE_FACTOR = 6;
const ENVELOPE_BYTES = 1024 * 1024;
/**
 * Largest message in bytes: content of the tools' own limit in any escaping, plus room for the rest of the message.
 */
export const MAX_MESSAGE_BYTES = ESCAPE_FACTOR * MAX_CONTENT_BYTES + ENVELOPE_BYTES;

/** The `_meta` key with the sizes of omitted arguments. A client that sends it gets a refusal. */
export const OMITTED_META_KEY = 'croft/omitted-bytes';

const QUOTE = 34;
const COMMA = 44;
const COLON = 58;
const BACKSLASH = 92;
const LOWER_U = 117;
const OPEN = new Set([123, 91]);
const CLOSE = new Set([125, 93]);
/** A longer string is replaced by its size. */
const MAX_STRING_BYTES = 32 * 1024;
/** The bound on the copy of the whole message. */
const MAX_KEPT_BYTES = 256 * 1024;
const MAX_ID_CHARS = 1_024;
/** Start of the text that replaces an omitted string. Clients cannot guess it. Made with the first such string. */
let omitted: string | undefined;

function omittedStart(): string {
  return (omitted ??= `${randomUUID()}:`);
}

type JsonObject = Record<string, unknown>;

/** A summary of a message that was too large to keep. */
export interface OversizedMessage {
  readonly id: string | number | null;
  /** `false` for notifications and responses, which get no response. */
  readonly wantsAnswer: boolean;
  /** A tool call without its long arguments, with their sizes in `_meta`. The tool itself refuses it. */
  readonly call: JsonObject | undefined;
}

/**
 * Reads a JSON message that is too large to keep. Copies it without its long strings, and counts the UTF-8 bytes of
 * what those strings decode to. A top-level value that is still too large is left out. Keeps at most 256 KiB.
 */
export class OversizedReader {
  private readonly kept = Buffer.allocUnsafe(MAX_KEPT_BYTES + 128);
  private end = 0;
  private depth = 0;
  /** Start of the current top-level value in `kept`. */
  private valueStart = 0;
  /** Whether the current top-level value did not fit. */
  private isSkipping = false;
  private isLost = false;
  private string: StringSize | undefined;
  private stringStart = 0;
  private isOmitting = false;

  read(bytes: Buffer): void {
    for (let i = 0; i < bytes.length; i++) {
      // Most bytes are plain bytes of an omitted string.
      if (this.isOmitting) i += (this.string as StringSize).skipPlain(bytes, i);
      if (i < bytes.length) this.step(bytes[i] as number);
    }
  }

  result(): OversizedMessage {
    const message = this.parsed();
    if (message === undefined) return { id: null, wantsAnswer: true, call: undefined };
    const { id, method } = message;
    const isId = typeof id === 'number' || (typeof id === 'string' && id.length <= MAX_ID_CHARS);
    return {
      id: isId && !isOmitted(id) ? id : null,
      wantsAnswer: !('result' in message || 'error' in message || (method !== undefined && !('id' in message))),
      call: isId && !isOmitted(id) ? asCall(message) : undefined,
    };
  }

  private parsed(): JsonObject | undefined {
    if (this.isLost) return undefined;
    try {
      const value: unknown = JSON.parse(this.kept.toString('utf8', 0, this.end));
      return isObject(value) ? value : undefined;
    } catch {
      // Not JSON, so there is no request to answer.
      return undefined;
    }
  }

  private step(byte: number): void {
    if (this.string) return this.stepInString(this.string, byte);
    if (byte === QUOTE) {
      this.string = new StringSize();
      this.stringStart = this.end;
    } else if (OPEN.has(byte)) {
      this.depth++;
      if (this.depth === 1) {
        this.keep(byte);
        this.valueStart = this.end;
        return;
      }
    } else if (CLOSE.has(byte)) this.depth--;
    if (this.depth === 0 || (this.depth === 1 && (byte === COMMA || byte === COLON))) {
      this.isSkipping = false;
      this.keep(byte);
      this.valueStart = this.end;
    } else this.keep(byte);
  }

  private stepInString(string: StringSize, byte: number): void {
    const isEnd = string.step(byte);
    if (!this.isOmitting) {
      this.keep(byte);
      if (!isEnd && string.rawBytes > MAX_STRING_BYTES) this.isOmitting = true;
    } else if (isEnd) {
      this.isOmitting = false;
      if (!this.isSkipping) {
        this.end = this.stringStart;
        for (const one of Buffer.from(`"${omittedStart()}${string.bytes}"`)) this.keep(one);
      }
    }
    if (isEnd) this.string = undefined;
  }

  private keep(byte: number): void {
    if (this.isSkipping || this.isLost) return;
    this.kept[this.end++] = byte;
    if (this.end <= MAX_KEPT_BYTES) return;
    this.isSkipping = true;
    this.end = this.valueStart + this.kept.write('null', this.valueStart);
    // Keys and small values alone exceed the bound.
    if (this.end > MAX_KEPT_BYTES - MAX_STRING_BYTES) this.isLost = true;
  }
}

/** Counts the decoded UTF-8 bytes of a JSON string, byte by byte, after its opening quote. */
class StringSize {
  rawBytes = 0;
  bytes = 0;
  private isEscaped = false;
  private digits = '';
  private digitsLeft = 0;
  private isAfterHigh = false;

  /** @returns whether this was the closing quote */
  step(byte: number): boolean {
    this.rawBytes++;
    if (this.digitsLeft > 0) {
      this.digits += String.fromCharCode(byte);
      if (--this.digitsLeft === 0) this.addUnit(Number.parseInt(this.digits, 16));
    } else if (this.isEscaped) {
      this.isEscaped = false;
      if (byte === LOWER_U) {
        this.digits = '';
        this.digitsLeft = 4;
      } else this.add(1);
    } else if (byte === BACKSLASH) this.isEscaped = true;
    else if (byte === QUOTE) return true;
    else this.add(1);
    return false;
  }

  /** Counts bytes from `start` on that are neither the closing quote nor part of an escape. @returns their number */
  skipPlain(bytes: Buffer, start: number): number {
    if (this.isEscaped || this.digitsLeft > 0) return 0;
    let end = start;
    while (end < bytes.length && bytes[end] !== QUOTE && bytes[end] !== BACKSLASH) end++;
    if (end > start) this.add(end - start);
    return end - start;
  }

  private add(bytes: number): void {
    this.bytes += bytes;
    this.isAfterHigh = false;
  }

  /** Adds a UTF-16 code unit. A lone surrogate becomes U+FFFD, three bytes. */
  private addUnit(unit: number): void {
    const isHigh = unit >= 0xd800 && unit <= 0xdbff;
    const isPaired = this.isAfterHigh && unit >= 0xdc00 && unit <= 0xdfff;
    this.add(isPaired ? 1 : unit < 0x80 ? 1 : unit < 0x800 ? 2 : 3);
    this.isAfterHigh = isHigh;
  }
}

function asCall(message: JsonObject): JsonObject | undefined {
  const { method, params } = message;
  if (message.jsonrpc !== '2.0' || method !== 'tools/call' || !isObject(params)) return undefined;
  const { name, arguments: input, _meta: meta } = params;
  if (typeof name !== 'string' || isOmitted(name) || !isObject(input)) return undefined;
  const sizes: Record<string, number> = {};
  const rest: JsonObject = {};
  for (const [key, value] of Object.entries(input)) {
    if (!isOmitted(value)) rest[key] = value;
    else sizes[key] = Number(value.slice(omittedStart().length));
  }
  if (Object.keys(sizes).length === 0) return undefined;
  const marked = { ...(isObject(meta) && meta), [OMITTED_META_KEY]: sizes };
  return { ...message, params: { ...params, arguments: rest, _meta: marked } };
}

/** Reads the sizes of omitted arguments from a call's `_meta`. */
export function omittedBytesOf(meta: unknown): Readonly<Record<string, number>> | undefined {
  const sizes = isObject(meta) ? meta[OMITTED_META_KEY] : undefined;
  if (!isObject(sizes)) return undefined;
  return Object.fromEntries(Object.entries(sizes).map(([key, size]) => [key, Number(size)]));
}

function isOmitted(value: unknown): value is string {
  return typeof value === 'string' && value.startsWith(omittedStart());
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
