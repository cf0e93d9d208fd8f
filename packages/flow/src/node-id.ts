const ALPHABET = 'abcdefghijklmnopqrstuvwxyz0123456789';

/**
 * A new node id: the type and five random characters, `ChatInput-x7k2m`. Not a secret. Not unique within a flow: of 2,000
 * ids, two are the same in one flow of thirty; see {@link freshNodeId}.
 */
export function newNodeId(type: string, length = 5): string {
  const bytes = crypto.getRandomValues(new Uint8Array(length));
  return `${type}-${Array.from(bytes, (byte) => ALPHABET[byte % ALPHABET.length]).join('')}`;
}

/** A new node id that is not taken. */
export function freshNodeId(type: string, isTaken: (id: string) => boolean): string {
  for (;;) {
    const id = newNodeId(type);
    if (!isTaken(id)) return id;
  }
}
