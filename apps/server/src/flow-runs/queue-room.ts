import type { RunReader } from '@croft/runs';
import { problem } from '../routes/route.ts';

const MIB = 1024 * 1024;
/** Runs of one user that have not ended, and the bytes of their flows and inputs. */
const LIMITS = { runs: 2_000, bytes: 256 * MIB };

/** Checks that a user may queue another run of this size. @throws Problem `busy` */
export async function requireRoom(
  reader: Pick<RunReader, 'openOf'>,
  userId: string,
  bytes: number,
  limits: typeof LIMITS = LIMITS,
): Promise<void> {
  const open = await reader.openOf(userId);
  const refuse = (what: string) => problem('busy', `${what} Try again when some have.`, { 'Retry-After': '60' });
  if (open.count >= limits.runs) throw refuse(`${limits.runs} of your runs have not ended.`);
  if (open.count > 0 && open.bytes + bytes > limits.bytes)
    throw refuse(
      `Your ${open.count} runs that have not ended keep flows of ${Math.ceil(open.bytes / MIB)} MiB, and at most ${limits.bytes / MIB} MiB are kept.`,
    );
}

/** Queues runs of users while they have room. Runs that this process is about to store count, too. */
export function createQueueRoom(limits: typeof LIMITS = LIMITS) {
  const entering = new Map<string, { count: number; bytes: number }>();
  const enter = (userId: string, by: { count: number; bytes: number }) => {
    const { count, bytes } = entering.get(userId) ?? { count: 0, bytes: 0 };
    const sum = { count: count + by.count, bytes: bytes + by.bytes };
    if (sum.count === 0) entering.delete(userId);
    else entering.set(userId, sum);
  };
  return {
    /** @throws Problem `busy` */
    async take<Result>(
      reader: Pick<RunReader, 'openOf'>,
      { userId, bytes }: { readonly userId: string; readonly bytes: number },
      queue: () => Promise<Result>,
    ): Promise<Result> {
      const before = entering.get(userId) ?? { count: 0, bytes: 0 };
      const openOf = async (id: string) => {
        const stored = await reader.openOf(id);
        return { count: stored.count + before.count, bytes: stored.bytes + before.bytes };
      };
      enter(userId, { count: 1, bytes });
      try {
        await requireRoom({ openOf }, userId, bytes, limits);
        return await queue();
      } finally {
        enter(userId, { count: -1, bytes: -bytes });
      }
    },
  };
}
