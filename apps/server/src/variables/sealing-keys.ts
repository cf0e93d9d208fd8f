import { createHash } from 'node:crypto';
import type { SealingKey } from '@croft/runs/sealer';
import { deriveKeys, type SecretKeys } from '../secret-key.ts';

const ID_CHARS = 12;

/** The keys that encrypt stored texts for one purpose; the first one seals. An id reveals nothing about its key. */
export function sealingKeys(secretKeys: SecretKeys, purpose: string): readonly [SealingKey, ...SealingKey[]] {
  const [current, ...previous] = deriveKeys(secretKeys, purpose).map(sealingKey);
  return [current as SealingKey, ...previous];
}

function sealingKey(derived: string): SealingKey {
  const id = createHash('sha256').update(`id ${derived}`).digest('base64url').slice(0, ID_CHARS);
  return { id, key: Buffer.from(derived, 'base64url') };
}
