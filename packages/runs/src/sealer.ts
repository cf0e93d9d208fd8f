import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { RunError } from './errors.ts';

/** Encrypts texts that a database stores: flow, inputs, results and events of a run; variables of a user. */
export interface Sealer {
  /** The id of the key that seals. */
  readonly keyId: string;
  /** @param place where the text is stored, such as user and name: it opens for the same place only */
  seal(text: string, place?: string): string;
  /** @throws RunError `unreadable` */
  open(sealed: string, place?: string): string;
}

/** A key of 32 bytes with a short id that is stored beside each text. */
export interface SealingKey {
  readonly id: string;
  readonly key: Uint8Array;
}

const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const ID = /^[A-Za-z0-9_-]{1,32}$/;

/**
 * Encrypts with AES-256-GCM and the first key; opens what any of the keys sealed. To rotate, put the new key first and keep
 * the old one until retention has removed what it sealed.
 */
export function createSealer(keys: readonly [SealingKey, ...SealingKey[]]): Sealer {
  const byId = new Map(keys.map(({ id, key }) => [id, key]));
  for (const { id, key } of keys)
    if (!ID.test(id) || key.byteLength !== 32)
      throw new RunError('invalid_request', 'A sealing key needs 32 bytes and an id of letters and digits.');
  const [{ id, key }] = keys;
  return {
    keyId: id,
    seal(text, place = '') {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(id + place));
      const parts = [cipher.update(text, 'utf8'), cipher.final()];
      return `${id}.${Buffer.concat([nonce, cipher.getAuthTag(), ...parts]).toString('base64')}`;
    },
    open(sealed, place = '') {
      const dot = sealed.indexOf('.');
      const own = byId.get(sealed.slice(0, dot));
      if (own === undefined)
        throw new RunError(
          'unreadable',
          `It was stored with the key '${sealed.slice(0, dot)}', which this server does not have. Add the old key to read it.`,
        );
      const bytes = Buffer.from(sealed.slice(dot + 1), 'base64');
      try {
        const nonce = bytes.subarray(0, NONCE_BYTES);
        const decipher = createDecipheriv('aes-256-gcm', own, nonce)
          .setAAD(Buffer.from(sealed.slice(0, dot) + place))
          .setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
        const body = decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES));
        // Checks the tag. GCM has no padding: nothing follows.
        decipher.final();
        return body.toString('utf8');
      } catch {
        throw new RunError('unreadable', 'The stored data was changed, moved or is incomplete.');
      }
    },
  };
}
