import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { announceChange } from './store/changes.ts';
import type { Db } from './store/database.ts';
import { readSetting, writeSetting } from './store/settings.ts';
import { LOCAL_USER_ID } from './local-user.ts';

export interface EndedSessionOptions {
  /** The lifetime of a cookie. */
  readonly lastsMs: number;
  /** Whether changes by other processes arrive. While they do not, every check reads the database. */
  readonly isFresh: () => boolean;
  readonly now?: () => number;
}

/** Cookies of the local user that were signed out before they expired. They stay invalid after a restart. */
export interface EndedSessions {
  has(value: string): Promise<boolean>;
  add(value: string): Promise<void>;
  /** Drops the cached sessions, because another process changed them. */
  reload(): void;
}

const SETTING = 'ended local sessions';
const LOCK_ID = 7_860_018_007;
/** More sign-outs than one person makes in 30 days. Beyond it, the oldest is forgotten. */
const MAX_KEPT = 1_000;
const stored = z.array(z.tuple([z.string(), z.number()]));

/**
 * Records ended sessions of the local user. A cookie is valid by its signature alone, so ending one means remembering
 * it until it expires. Stores its issue mark, without the signature.
 */
export function createEndedSessions(
  storage: () => Promise<Db>,
  { lastsMs, isFresh, now = Date.now }: EndedSessionOptions,
): EndedSessions {
  let loading: Promise<Map<string, number>> | undefined;
  const load = (): Promise<Map<string, number>> => {
    if (!isFresh()) loading = undefined;
    loading ??= storage()
      .then(readEnded)
      // Do not cache a failure: the database may come up later.
      .catch((error: unknown) => {
        loading = undefined;
        throw error;
      });
    return loading;
  };
  return {
    has: async (value) => (await load()).has(markOf(value)),
    async add(value) {
      const db = await storage();
      await db.transaction(async (tx) => {
        // Two processes that sign out at once would each write a list without the other's cookie.
        await tx.execute(sql`SELECT pg_advisory_xact_lock(${LOCK_ID})`);
        const ended = await readEnded(tx);
        ended.set(markOf(value), now() + lastsMs);
        for (const [mark, until] of ended) if (until <= now() || ended.size > MAX_KEPT) ended.delete(mark);
        await writeSetting(tx, SETTING, [...ended]);
        await announceChange(tx, { kind: 'sessions', userId: LOCAL_USER_ID });
      });
      loading = undefined;
    },
    reload() {
      loading = undefined;
    },
  };
}

async function readEnded(db: Db): Promise<Map<string, number>> {
  return new Map(stored.safeParse(await readSetting(db, SETTING)).data ?? []);
}

function markOf(value: string): string {
  return value.split('.', 1)[0] as string;
}
