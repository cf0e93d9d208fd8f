/** The encodings that the server sends. */
export type ContentEncoding = 'br' | 'gzip';

/**
 * The encoding to send, by the request's `Accept-Encoding` (RFC 9110, 12.5.3): the first of `offered` that it accepts. Browsers
 * accept Brotli only over https and on this machine.
 *
 * @param offered in the order of preference
 */
export function acceptedEncoding(
  header: string | undefined,
  offered: readonly ContentEncoding[],
): ContentEncoding | undefined {
  const weights = new Map<string, number>();
  for (const part of (header ?? '').toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim());
    const weight = parameters.find((text) => text.startsWith('q='))?.slice(2);
    weights.set(name, weight === undefined ? 1 : Number(weight));
  }
  return offered.find((name) => (weights.get(name) ?? weights.get('*') ?? 0) > 0);
}
