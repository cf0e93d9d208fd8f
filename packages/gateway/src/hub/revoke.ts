import type { EndpointParts } from './endpoint.ts';

/**
 * Ends the user's connection and invalidates its key.
 *
 * @param keyHash only if this is still the user's session: a late disconnect of a replaced machine must not end another
 * one
 */
export async function revoke(parts: EndpointParts, userId: string, keyHash?: string): Promise<void> {
  await parts.perUser.run(userId, async () => {
    if (keyHash !== undefined) await parts.keys.sessionUser(keyHash);
    await parts.store.removeSessions(userId);
    const connection = parts.machines.ofUser(userId);
    if (keyHash === undefined || connection?.machine.keyHash === keyHash)
      parts.machines.end(userId, 'disconnected', 'disconnected');
  });
  parts.statuses.changed(userId);
}
