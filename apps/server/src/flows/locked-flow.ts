import { createOneAtATime } from '../one-at-a-time.ts';
import type { Db, Transaction } from '../store/database.ts';
import { type LockedFlow, lockFlow } from './get-flow.ts';

const turns = createOneAtATime();

/**
 * Does something with a flow in a transaction that holds its row. A user changes one flow at a time in this process: a change of a
 * large flow computes for seconds, and each would hold one of the few connections to the database meanwhile.
 *
 * @throws Problem `not_found`; `read_only` where the user may only read it; what `act` throws
 */
export const withLockedFlow = <Result>(
  db: Db,
  { userId, flowId }: { readonly userId: string; readonly flowId: string },
  act: (tx: Transaction, locked: LockedFlow) => Promise<Result>,
): Promise<Result> =>
  turns.take(userId, () => db.transaction(async (tx) => act(tx, await lockFlow(tx, userId, flowId))));
