import type { EndpointParts } from './endpoint.ts';

/**
 * Reads again what the store says of a user after another process changed it. Ends the connection here when its key is
 * gone: the user disconnected it, or paired another machine.
 *
 * @param endsStatic whether a connection by the static key ends too, which has no key in the store
 * @throws what the store throws
 */
export async function refresh(parts: EndpointParts, userId: string, endsStatic: boolean): Promise<void> {
  const { machines, keys, switches, statuses, perUser } = parts;
  await switches.reload(userId);
  await perUser.run(userId, async () => {
    const keyHash = machines.ofUser(userId)?.machine.keyHash;
    if (keyHash === undefined) return;
    const isGone = keys.isStatic(keyHash) ? endsStatic : !(await keys.isOfUser(keyHash, userId));
    if (isGone) machines.end(userId, 'disconnected', 'disconnected');
  });
  statuses.changed(userId);
}
