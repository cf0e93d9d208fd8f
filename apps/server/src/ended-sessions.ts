import { z } from 'zod';
import type { Db } from './store/database.ts';
import { readSetting, writeSetting } from './store/settings.ts';

/** Cookies of the local user that were signed out before their time; they stay worthless over a restart. */
export interface EndedSessions {
  has(value: string): Promise<boolean>;
  add(value: string): Promise<void>;
}

const SETTING = 'ended local sessions';
/** More than one person signs out of in 30 days; then the oldest is forgotten. */
const MAX_KEPT = 1_000;
const stored = z.array(z.tuple([z.string(), z.number()]));

/**
 * A cookie of the local user proves itself by its signature, so ending one takes remembering it: its issue mark, without
 * the signature, until it would have expired anyway.
 *
 * @param lastsMs how long a cookie is good
 */
export function createEndedSessions(
  storage: () => Promise<Db>,
  lastsMs: number,
  now: () => number = Date.now,
): EndedSessions {
  let loading: Promise<Map<string, number>> | undefined;
  const load = (): Promise<Map<string, number>> => {
    loading ??= storage()
      .then(async (db) => new Map(stored.safeParse(await readSetting(db, SETTING)).data ?? []))
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
      const ended = await load();
      ended.set(markOf(value), now() + lastsMs);
      for (const [mark, until] of ended) if (until <= now() || ended.size > MAX_KEPT) ended.delete(mark);
      await writeSetting(await storage(), SETTING, [...ended]);
    },
  };
}

function markOf(value: string): string {
  return value.split('.', 1)[0] as string;
}
