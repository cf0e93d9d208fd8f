import { openSse } from '../framing/sse.ts';

/** The parts of a JSON-RPC message that its transport reads. */
export interface Message {
  readonly id?: unknown;
  readonly method?: unknown;
  readonly params?: { readonly [key: string]: unknown; readonly _meta?: { readonly [key: string]: unknown } };
}

/** The message in a text; empty if the text is not a JSON object. */
export function messageOf(text: string): Message {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}

/** The messages of a body, which may be a list. */
export function listOf(body: string): readonly string[] {
  const value: unknown = JSON.parse(body);
  return Array.isArray(value) ? value.map((one) => JSON.stringify(one)) : [body];
}

/** A header value, encoded as protocol revision 2026-07-28 requires for other than plain text. */
export function asHeader(text: string): string {
  return /^[\x21-\x7e](?:[\t\x20-\x7e]*[\x21-\x7e])?$/.test(text) && !/^=\?base64\?.*\?=$/.test(text)
    ? text
    : `=?base64?${Buffer.from(text).toString('base64')}?=`;
}

/** The protocol version in the result of `initialize`, as a header value. */
export function versionIn(body: string): string | undefined {
  const { result } = messageOf(body) as { result?: { protocolVersion?: unknown } };
  return typeof result?.protocolVersion === 'string' ? asHeader(result.protocolVersion) : undefined;
}

/** The reason in a JSON-RPC error; `undefined` for any other message. */
export function refusalIn(body: string): string | undefined {
  const { error } = messageOf(body) as { error?: { message?: unknown } | null };
  if (error === undefined) return undefined;
  return typeof error?.message === 'string' ? error.message : 'it gives no reason';
}

const TOO_MUCH = 'The server said more at once than is kept';

/** Calls `pass` for each message of a stream, one after the other. @throws Error for a message above `maxBytes` */
export async function eachEvent(
  response: Response,
  maxBytes: number,
  pass: (body: string) => Promise<void>,
): Promise<void> {
  const sse = openSse();
  const drain = async (): Promise<void> => {
    for (let next = sse.next(undefined); next !== undefined; next = sse.next(undefined)) {
      for (const { data, event } of Buffer.isBuffer(next) ? sse.split(next) : [next])
        if (data !== undefined && data.trim() !== '' && (event ?? 'message') === 'message') await pass(data);
    }
  };
  for await (const chunk of response.body ?? []) {
    sse.push(Buffer.from(chunk as Uint8Array));
    await drain();
    if (sse.pending > maxBytes) throw new Error(TOO_MUCH);
  }
  sse.finish();
  await drain();
}

/** The body of a response. @throws Error for more than `maxBytes` */
export async function textOf(response: Response, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += (chunk as Uint8Array).length;
    if (size > maxBytes) throw new Error(TOO_MUCH);
    chunks.push(Buffer.from(chunk as Uint8Array));
  }
  return Buffer.concat(chunks).toString('utf8');
}
