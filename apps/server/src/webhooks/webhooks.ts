import { randomBytes } from 'node:crypto';
import type { Sealer } from '@croft/runs/sealer';
import { newWebhookSecret } from '@croft/runs/webhook';
import { and, asc, eq, gt, ne } from 'drizzle-orm';
import { approveSeen } from '../flows/approve-flow.ts';
import { requireFlow } from '../flows/get-flow.ts';
import type { Caller } from '../identity.ts';
import { isOfThisMode } from '../local-user.ts';
import type { Db } from '../store/database.ts';
import { webhook } from '../store/flow-schema.ts';
import { user } from '../store/schema.ts';
import { isReachable, requireWebhookRoom } from './webhook-room.ts';

/** A webhook as its owner sees it, without its secret. */
export interface WebhookInfo {
  readonly id: string;
  readonly flowId: string;
  readonly name: string;
  readonly isOn: boolean;
  readonly createdAt: Date;
  readonly lastAt: Date | null;
  readonly lastRun: string | null;
  /** Why the last delivery started no run, or why no delivery can. */
  readonly failure: string | null;
}

/** A webhook that takes deliveries. */
export interface OpenWebhook {
  readonly id: string;
  readonly userId: string;
  readonly flowId: string;
  readonly secret: string;
}

/** Absent fields stay as they are. */
export interface WebhookChange {
  readonly name?: string | undefined;
  readonly isOn?: boolean | undefined;
  /** The version of the flow that the caller has seen. */
  readonly version?: number | undefined;
}

type Approver = Pick<Caller, 'userId' | 'via'>;

/** The outcome of a delivery, for the owner of the webhook. */
export type DeliveryOutcome = { readonly runId: string } | { readonly failure: string };

/** Webhooks of users. Functions with a `userId` reach this user's webhooks only. */
export interface Webhooks {
  /** The oldest first. */
  list(userId: string, flowId?: string): Promise<readonly WebhookInfo[]>;
  find(userId: string, id: string): Promise<WebhookInfo | undefined>;
  /**
   * Gives the secret, which cannot be read again. Approves the version that the caller has seen; see `approveSeen`.
   *
   * @throws Problem `not_found` for the flow, `changed`, `quota_exceeded`
   */
  add(
    caller: Approver,
    flowId: string,
    webhook: { readonly name: string; readonly version?: number | undefined },
  ): Promise<{ webhook: WebhookInfo; secret: string }>;
  /**
   * Turning it on approves the version that the caller has seen; see `approveSeen`. Returns undefined if the user has no such
   * webhook; so does `rotate`.
   *
   * @throws Problem `not_found` for the flow, `changed`
   */
  change(caller: Approver, id: string, changed: WebhookChange): Promise<WebhookInfo | undefined>;
  /** Replaces the secret. The old one stops working at once. */
  rotate(userId: string, id: string): Promise<string | undefined>;
  remove(userId: string, id: string): Promise<boolean>;
  /** A webhook that is on, of a user who may sign in, with a secret that can be read. */
  open(id: string): Promise<OpenWebhook | undefined>;
  /** Stores the outcome of a delivery. */
  note(id: string, outcome: DeliveryOutcome): Promise<void>;
  /** Encrypts with the current key what an earlier key encrypted. Returns the number of secrets that no key opens. */
  reseal(): Promise<{ readonly resealed: number; readonly lost: number }>;
}

const ID_BYTES = 16;
const MAX_FAILURE_CHARS = 500;
const PAGE = 200;

type Row = typeof webhook.$inferSelect;

/** @param storage waits for the database */
export function createWebhooks(
  storage: () => Promise<Db>,
  sealer: Sealer,
  { autoLogin }: { readonly autoLogin: boolean },
): Webhooks {
  const own = (userId: string, id: string) => and(eq(webhook.userId, userId), eq(webhook.id, id));
  const seal = (of: Pick<Row, 'id' | 'userId'>, secret: string) => ({
    sealed: sealer.seal(secret, placeOf(of)),
    keyId: sealer.keyId,
  });
  const update = async (
    userId: string,
    id: string,
    fields: Partial<Omit<Row, 'id'>>,
  ): Promise<WebhookInfo | undefined> => {
    const [row] = await (await storage()).update(webhook).set(fields).where(own(userId, id)).returning();
    return row && infoOf(row, sealer);
  };
  const find = async (userId: string, id: string): Promise<WebhookInfo | undefined> => {
    const [row] = await (await storage()).select().from(webhook).where(own(userId, id));
    return row && infoOf(row, sealer);
  };
  return {
    async list(userId, flowId) {
      const rows = await (await storage())
        .select()
        .from(webhook)
        .where(
          and(eq(webhook.userId, userId), flowId === undefined ? undefined : eq(webhook.flowId, flowId), isReachable),
        )
        .orderBy(asc(webhook.createdAt), asc(webhook.id));
      return rows.map((row) => infoOf(row, sealer));
    },
    find,
    async add(caller, flowId, { name, version }) {
      const { userId } = caller;
      const db = await storage();
      await requireFlow(db, userId, flowId);
      const id = randomBytes(ID_BYTES).toString('base64url');
      const secret = newWebhookSecret();
      const row = { id, userId, flowId, name, isOn: true, ...seal({ id, userId }, secret) };
      return db.transaction(async (tx) => {
        await requireWebhookRoom(tx, userId);
        await approveSeen(tx, caller, flowId, version);
        const [added] = await tx.insert(webhook).values(row).returning();
        return { webhook: infoOf(added as Row, sealer), secret };
      });
    },
    async change(caller, id, { name, isOn, version }) {
      const { userId } = caller;
      const found = isOn === true ? await find(userId, id) : undefined;
      if (found) await approveSeen(await storage(), caller, found.flowId, version);
      const fields = { ...(name !== undefined && { name }), ...(isOn !== undefined && { isOn }) };
      return update(userId, id, { userId, ...fields, ...(isOn === true && { failure: null }) });
    },
    async rotate(userId, id) {
      const secret = newWebhookSecret();
      const changed = await update(userId, id, { ...seal({ id, userId }, secret), failure: null });
      return changed && secret;
    },
    async remove(userId, id) {
      const gone = await (await storage()).delete(webhook).where(own(userId, id)).returning({ id: webhook.id });
      return gone.length > 0;
    },
    async open(id) {
      const [found] = await (await storage())
        .select({ row: webhook })
        .from(webhook)
        .innerJoin(user, eq(user.id, webhook.userId))
        .where(and(eq(webhook.id, id), eq(webhook.isOn, true), eq(user.banned, false), isReachable));
      if (found === undefined || !isOfThisMode(found.row.userId, { autoLogin })) return undefined;
      const { userId, flowId } = found.row;
      const opened = tryOpen(found.row, sealer);
      return 'secret' in opened ? { id, userId, flowId, secret: opened.secret } : undefined;
    },
    async note(id, outcome) {
      const fields =
        'runId' in outcome
          ? { lastRun: outcome.runId, failure: null }
          : { failure: outcome.failure.slice(0, MAX_FAILURE_CHARS) };
      await (await storage())
        .update(webhook)
        .set({ ...fields, lastAt: new Date() })
        .where(eq(webhook.id, id));
    },
    async reseal() {
      const db = await storage();
      let resealed = 0;
      let lost = 0;
      for (let last = ''; ; ) {
        const rows = await db
          .select()
          .from(webhook)
          .where(and(ne(webhook.keyId, sealer.keyId), gt(webhook.id, last)))
          .orderBy(asc(webhook.id))
          .limit(PAGE);
        for (const row of rows) {
          const opened = tryOpen(row, sealer);
          if ('failure' in opened) lost++;
          else {
            // Unless it was rotated meanwhile.
            const isSame = and(eq(webhook.id, row.id), eq(webhook.sealed, row.sealed));
            await db.update(webhook).set(seal(row, opened.secret)).where(isSame);
            resealed++;
          }
        }
        const end = rows.at(-1);
        if (end === undefined || rows.length < PAGE) return { resealed, lost };
        last = end.id;
      }
    },
  };
}

/** A secret that was copied to another webhook or user does not open. */
const placeOf = ({ id, userId }: Pick<Row, 'id' | 'userId'>): string => JSON.stringify([userId, id]);

function tryOpen(row: Row, sealer: Sealer): { readonly secret: string } | { readonly failure: string } {
  try {
    return { secret: sealer.open(row.sealed, placeOf(row)) };
  } catch (error) {
    const reason = error instanceof Error ? error.message : '';
    return { failure: `The secret cannot be read. ${reason} Or make a new secret.` };
  }
}

function infoOf(row: Row, sealer: Sealer): WebhookInfo {
  const { id, flowId, name, isOn, createdAt, lastAt, lastRun } = row;
  const opened = tryOpen(row, sealer);
  const failure = 'failure' in opened ? opened.failure : row.failure;
  return { id, flowId, name, isOn, createdAt, lastAt, lastRun, failure };
}
