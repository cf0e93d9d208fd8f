import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import pg from 'pg';
import { z } from 'zod';
import type { Database, Db, Transaction } from './database.ts';
import { changeRevision } from './schema.ts';

const CHANNEL = 'croft_changes';
const POLL_MS = 500;
const QUERY_MS = 1_000;
/** Without an answer to a poll for this long, changes may be missing. */
const STALE_MS = 1_500;
const FIRST_RETRY_MS = 50;
const MAX_RETRY_MS = 1_000;

const changeSchema = z.object({
  /**
   * `switch`: the filesystem switch. `machine`: the key of the connected machine. `pairing`: the unused token. `cut`: the
   * sessions, machine and token of a user. `sessions`: one session of a user. `flow`: the flow of `flow`.
   */
  kind: z.enum(['switch', 'machine', 'pairing', 'cut', 'sessions', 'flow']),
  userId: z.string(),
  /** The version is null where these users cannot read the flow any more. */
  flow: z
    .object({ id: z.string(), version: z.number().nullable(), userIds: z.array(z.string()).readonly() })
    .optional(),
});
const notification = changeSchema.extend({ origin: z.string(), revision: z.number() });

/** Something that processes keep in memory was changed in the database. */
export type Change = z.infer<typeof changeSchema>;

/** This process, which needs no notice of its own changes. */
const ORIGIN = randomUUID();

/**
 * Tells every process on this database of a change, when the transaction that makes the change commits. Call it last: it
 * locks one row for all processes until then, so that revisions are committed in order.
 */
export async function announceChange(tx: Transaction | Db, change: Change): Promise<void> {
  const { id, value } = changeRevision;
  const [row] = await tx
    .insert(changeRevision)
    .values({ id: 1, value: 1 })
    .onConflictDoUpdate({ target: id, set: { value: sql`${value} + 1` } })
    .returning({ revision: value });
  const text = JSON.stringify({ ...change, origin: ORIGIN, revision: row?.revision });
  await tx.execute(sql`SELECT pg_notify(${CHANNEL}, ${text})`);
}

/** Changes by other processes, as they arrive. */
export interface ChangeListener {
  /** Whether changes arrive: at most about a second old. While false, ask the database instead of memory. */
  isFresh(): boolean;
  /** Finishes a running query and waits until the connection is closed, up to about 2 s. */
  close(): Promise<void>;
}

export interface ChangeHandlers {
  /** Another process made this change. */
  readonly onChange: (change: Change) => Promise<void>;
  /** Changes may have been missed: read everything again that is kept in memory. */
  readonly onMissed: () => Promise<void>;
  readonly onError: (error: unknown) => void;
}

/**
 * Listens on a connection of its own, and reads the revision there twice a second: for poolers, which take `LISTEN` and
 * deliver nothing, and to notice a connection that is dead. Connects again for as long as it is open.
 */
export function listenForChanges(
  database: Pick<Database, 'ready' | 'connection'>,
  { onChange, onMissed, onError }: ChangeHandlers,
): ChangeListener {
  const closing = new AbortController();
  const aborted = new Promise<never>((_, reject) => {
    closing.signal.addEventListener('abort', () => reject(new Error('closing')), { once: true });
  });
  aborted.catch(() => {});
  let freshUntil = 0;
  let current: pg.Client | undefined;
  const pause = (ms: number) => sleep(ms, undefined, { signal: closing.signal }).catch(() => {});
  const follow = async (client: pg.Client): Promise<void> => {
    let known = 0;
    // One at a time, in the order of their commits.
    let handling = Promise.resolve();
    client.on('notification', ({ payload }) => {
      const parsed = notification.safeParse(parseJson(payload));
      if (!parsed.success) return;
      const { origin, revision, ...made } = parsed.data;
      const isNext = revision === known + 1;
      known = Math.max(known, revision);
      if (isNext && origin === ORIGIN) return;
      handling = handling.then(() => (isNext ? onChange(made) : onMissed()));
      // The loop below meets the failure, and starts again.
      handling.catch(() => {});
    });
    await client.query(`LISTEN ${CHANNEL}`);
    known = await readRevision(client);
    await onMissed();
    while (client === current && !closing.signal.aborted) {
      const askedAt = Date.now();
      const revision = await readRevision(client);
      if (revision > known) {
        known = revision;
        await onMissed();
      }
      await handling;
      if (client === current) freshUntil = askedAt + STALE_MS;
      await pause(POLL_MS);
    }
  };
  const run = async () => {
    await database.ready;
    for (let retryMs = FIRST_RETRY_MS; !closing.signal.aborted; retryMs = Math.min(retryMs * 2, MAX_RETRY_MS)) {
      const client = new pg.Client({
        ...database.connection(),
        application_name: 'croft changes',
        connectionTimeoutMillis: 5_000,
        query_timeout: QUERY_MS,
      });
      const broken = new Promise<never>((_, reject) => {
        client.on('error', reject).on('end', () => reject(new Error('the connection ended')));
      });
      broken.catch(() => {});
      current = client;
      try {
        await Promise.race([client.connect(), broken, aborted]);
        await Promise.race([follow(client), broken]);
      } catch (error) {
        if (freshUntil > 0 && !closing.signal.aborted) onError(error);
        if (freshUntil > 0) retryMs = FIRST_RETRY_MS;
      }
      freshUntil = 0;
      current = undefined;
      const ended = client.end().catch(() => {});
      if (closing.signal.aborted) await Promise.race([ended, sleep(QUERY_MS, undefined, { ref: false })]);
      await pause(retryMs);
    }
  };
  const running = run().catch(() => {});
  return {
    isFresh: () => Date.now() < freshUntil,
    async close() {
      closing.abort();
      await running;
    },
  };
}

async function readRevision(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ value: string }>('SELECT value FROM change_revision');
  return Number(rows[0]?.value ?? 0);
}

function parseJson(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '');
  } catch {
    return undefined;
  }
}
