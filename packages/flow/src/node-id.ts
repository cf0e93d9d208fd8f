const ALPHABET = 'abcdefghijklmnopqrstuvwxyz0123456789';

/** A new node id: the type and five random characters, `ChatInput-x7k2m`. Unique enough within one flow; not a secret. */
export function newNodeId(type: string, length = 5): string {
  const bytes = crypto.getRandomValues(new Uint8Array(length));
  return `${type}-${Array.from(bytes, (byte) => ALPHABET[byte % ALPHABET.length]).join('')}`;
}
