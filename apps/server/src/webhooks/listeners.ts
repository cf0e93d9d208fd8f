import { setTimeout as sleep } from 'node:timers/promises';
import type { Sealer } from '@croft/runs/sealer';
import { and, eq, gt, isNull, lt } from 'drizzle-orm';
import type { HookRequest } from '../flow-runs/trigger-inputs.ts';
import { problem } from '../routes/route.ts';
import type { Db } from '../store/database.ts';
import { webhookListener } from '../store/flow-schema.ts';

/** A request as a run would get it, with the time at which it came. */
export interface Capture extends HookRequest {
  readonly receivedAt: string;
}

export interface ListenerState {
  readonly status: 'waiting' | 'captured' | 'expired';
  readonly expiresAt: Date;
  readonly request: Capture | null;
}

/**
 * Test listeners: the next request to a webhook is kept for its owner and starts no run. They are in the database, so
 * the request may reach another process than the one that the owner asks, and survives a restart. The caller checks
 * whose webhook it is.
 */
export interface WebhookListeners {
  /** Begins to wait. Replaces the earlier listener of the webhook, with what it captured. */
  open(webhookId: string, lastsMs: number): Promise<Date>;
  /** Takes a request if a listener waits. Of several requests at once, one is taken. */
  capture(webhookId: string, request: HookRequest): Promise<boolean>;
  /** Waits until a request is captured, the listener expires, the time is up or a signal comes. */
  read(webhookId: string, waitMs: number, signal: AbortSignal): Promise<ListenerState | undefined>;
  close(webhookId: string): Promise<boolean>;
}

/** A captured request is deleted this long after its listener expired, when the next listener opens. */
const KEPT_MS = 3_600_000;
const LOOK_MS = 250;

/** @param storage waits for the database */
export function createListeners(storage: () => Promise<Db>, sealer: Sealer): WebhookListeners {
  const place = (webhookId: string) => JSON.stringify(['listener', webhookId]);
  const look = async (webhookId: string): Promise<ListenerState | undefined> => {
    const [row] = await (await storage())
      .select()
      .from(webhookListener)
      .where(
        and(eq(webhookListener.webhookId, webhookId), gt(webhookListener.expiresAt, new Date(Date.now() - KEPT_MS))),
      );
    if (row === undefined) return undefined;
    const { expiresAt, captured } = row;
    if (captured !== null) return { status: 'captured', expiresAt, request: openCapture(captured, webhookId) };
    return { status: expiresAt.getTime() > Date.now() ? 'waiting' : 'expired', expiresAt, request: null };
  };
  const openCapture = (captured: string, webhookId: string): Capture => {
    try {
      return JSON.parse(sealer.open(captured, place(webhookId))) as Capture;
    } catch (error) {
      throw problem('unavailable', 'The captured request cannot be read. Listen again.', {}, error);
    }
  };
  return {
    async open(webhookId, lastsMs) {
      const db = await storage();
      await db.delete(webhookListener).where(lt(webhookListener.expiresAt, new Date(Date.now() - KEPT_MS)));
      const fields = { expiresAt: new Date(Date.now() + lastsMs), captured: null };
      await db
        .insert(webhookListener)
        .values({ webhookId, ...fields })
        .onConflictDoUpdate({ target: webhookListener.webhookId, set: fields });
      return fields.expiresAt;
    },
    async capture(webhookId, request) {
      const waits = and(
        eq(webhookListener.webhookId, webhookId),
        isNull(webhookListener.captured),
        gt(webhookListener.expiresAt, new Date()),
      );
      const capture: Capture = { ...request, receivedAt: new Date().toISOString() };
      const taken = await (await storage())
        .update(webhookListener)
        .set({ captured: sealer.seal(JSON.stringify(capture), place(webhookId)) })
        .where(waits)
        .returning({ webhookId: webhookListener.webhookId });
      return taken.length > 0;
    },
    async read(webhookId, waitMs, signal) {
      const until = Date.now() + waitMs;
      for (;;) {
        const state = await look(webhookId);
        if (state?.status !== 'waiting' || signal.aborted || Date.now() >= until) return state;
        await sleep(LOOK_MS, undefined, { signal }).catch(() => {});
      }
    },
    async close(webhookId) {
      const gone = await (await storage())
        .delete(webhookListener)
        .where(eq(webhookListener.webhookId, webhookId))
        .returning({ webhookId: webhookListener.webhookId });
      return gone.length > 0;
    },
  };
}
