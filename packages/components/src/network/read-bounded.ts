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

/** The text of a body, in the charset that the response names, else UTF-8. */
export function decodeBody(body: Buffer, contentType: string | null): string {
  const charset = /charset\s*=\s*"?([^\s;"]+)/i.exec(contentType ?? '')?.[1] ?? 'utf-8';
  try {
    return new TextDecoder(charset).decode(body);
  } catch {
    return new TextDecoder().decode(body);
  }
}
