import type { EndpointParts } from './endpoint.ts';

/**
 * Re-reads the store for a user after another process changed it. Ends the connection here if its key is gone: the user
 * disconnected it, or paired another machine.
 *
 * @param endsStatic whether to end a connection with the static key too, which has no key in the store
 * @throws the store's errors
 */
export async function refresh(parts: EndpointParts, userId: string, endsStatic: boolean): Promise<void> {
  const { machines, keys, switches, statuses, perUser } = parts;
  if (!(await switches.reload(userId))) machines.ofUser(userId)?.endCalls();
  await perUser.run(userId, async () => {
    const keyHash = machines.ofUser(userId)?.machine.keyHash;
    if (keyHash === undefined) return;
    const isGone = keys.isStatic(keyHash) ? endsStatic : !(await keys.isOfUser(keyHash, userId));
    if (isGone) machines.end(userId, 'disconnected', 'disconnected');
  });
  statuses.changed(userId);
}
