import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { announceChange } from './store/changes.ts';
import type { Db } from './store/database.ts';
import { readSetting, writeSetting } from './store/settings.ts';
import { LOCAL_USER_ID } from './store/users.ts';

export interface EndedSessionOptions {
  /** How long a cookie is good. */
  readonly lastsMs: number;
  /** Whether changes by other processes arrive; while they do not, the database is asked every time. */
  readonly isFresh: () => boolean;
  readonly now?: () => number;
}

/** Cookies of the local user that were signed out before their time; they stay worthless over a restart. */
export interface EndedSessions {
  has(value: string): Promise<boolean>;
  add(value: string): Promise<void>;
  /** Forgets what was read, because another process changed it. */
  reload(): void;
}

const SETTING = 'ended local sessions';
const LOCK_ID = 7_860_018_007;
/** More than one person signs out of in 30 days; then the oldest is forgotten. */
const MAX_KEPT = 1_000;
const stored = z.array(z.tuple([z.string(), z.number()]));

/**
 * A cookie of the local user proves itself by its signature, so ending one takes remembering it: its issue mark, without
 * the signature, until it would have expired anyway.
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
      // A database that came late is no reason never to ask it again.
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
