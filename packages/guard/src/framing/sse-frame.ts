import type { Frame } from './framing.ts';

const BOM = '\uFEFF';

/** A frame of server-sent events; its fields are read on demand. */
export class SseFrame implements Frame {
  readonly raw: Buffer;
  readonly #first: boolean;
  #fields: { data: string | undefined; event: string | undefined; unclear: boolean } | undefined;

  constructor(raw: Buffer, first: boolean) {
    this.raw = raw;
    this.#first = first;
  }

  get data(): string | undefined {
    return this.#read().data;
  }

  get event(): string | undefined {
    return this.#read().event;
  }

  get unclear(): boolean {
    return this.#read().unclear;
  }

  #read() {
    this.#fields ??= readFields(this.raw.toString('utf8'), this.#first);
    return this.#fields;
  }
}

function readFields(text: string, first: boolean) {
  const lines = (first && text.startsWith(BOM) ? text.slice(1) : text).split(/\r\n|\n|\r/);
  const data: string[] = [];
  let event: string | undefined;
  let comment = false;
  let hasQuote = false;
  let stranger = false;
  for (const line of lines) {
    if (line === '') continue;
    const colon = line.indexOf(':');
    if (colon === 0) {
      comment = true;
      hasQuote ||= line.includes('"');
      continue;
    }
    const field = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1);
    if (field === 'data') data.push(value);
    else if (field === 'event') event = value;
    else if (field !== 'id' && field !== 'retry') stranger = true;
  }
  // A parser that ends lines at LF alone treats a bare CR as white space inside the JSON, and our comment as its
  // continuation. A parser that treats every `data:` line as an event sees several objects where we see one text.
  const bareCr = /\r(?!\n)/.test(text);
  // Some also end lines where Python's `str.splitlines` does (httpx, and google-genai with it).
  const hidesData = /[\v\f\x1c-\x1e\x85\u2028\u2029]data:/.test(text);
  // A client that ignores the content type parses the whole reply as JSON, where a line may begin with a colon.
  const unclear =
    stranger || hidesData || hasQuote || (bareCr && comment) || (data.length > 1 && data.some(isObjectText));
  return { data: data.length === 0 ? undefined : data.join('\n'), event, unclear };
}

function isObjectText(line: string): boolean {
  if (!line.trimStart().startsWith('{')) return false;
  try {
    JSON.parse(line);
    return true;
  } catch {
    return false;
  }
}
