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
