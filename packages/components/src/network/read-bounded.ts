import { NetworkError } from './network-error.ts';

/**
 * Reads a body of at most `maxBytes`, counted after decompression. Cancels the rest.
 *
 * @throws NetworkError `too_large`; the reason of the request's signal
 */
export async function readBounded(response: Response, maxBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  if (response.body === null) return Buffer.alloc(0);
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    bytes += chunk.byteLength;
    // Leaving the loop cancels the body, which closes the connection.
    if (bytes > maxBytes)
      throw new NetworkError(
        'too_large',
        `The response has more than ${maxBytes} bytes.`,
        'Ask for less, such as one page of a list.',
      );
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, bytes);
}

/** The text of a body, in the charset that the response names, else in that which XML or HTML names, else UTF-8. */
export function decodeBody(body: Buffer, contentType: string | null): string {
  const charset = /charset\s*=\s*"?([^\s;"]+)/i.exec(contentType ?? '')?.[1] ?? charsetIn(body) ?? 'utf-8';
  try {
    return new TextDecoder(charset).decode(body);
  } catch {
    return new TextDecoder().decode(body);
  }
}

/** Bytes of a page in which its charset must be (HTML, section 4.2.5.4). */
const MAX_HEAD = 1_024;

/** The charset in the declaration of XML or in a `meta` element of HTML. A byte order mark of UTF-8 goes before it. */
function charsetIn(body: Buffer): string | undefined {
  const head = body.subarray(0, MAX_HEAD).toString('latin1').trimStart();
  // Other texts, such as JSON, may quote a page.
  if (!head.startsWith('<')) return undefined;
  const metas = head.match(/<meta\s[^>]*/gi) ?? [];
  const named = [
    /^<\?xml\s[^>]*?\bencoding\s*=\s*["']([\w.:-]+)/i.exec(head),
    ...metas
      .filter((each) => /^<meta\s+charset\b|\bhttp-equiv\b/i.test(each))
      .map((each) => /\bcharset\s*=\s*["']?\s*([\w.:-]+)/i.exec(each)),
  ];
  const charset = named.find((each) => each !== null)?.[1];
  // The name was read byte by byte, so it is not true.
  return /^utf-?16/i.test(charset ?? '') ? undefined : charset;
}
