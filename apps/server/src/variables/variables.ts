import { and, asc, eq, ne, sql } from 'drizzle-orm';
import type { Sealer } from '@croft/runs/sealer';
import { problem } from '../routes/route.ts';
import type { Db, Transaction } from '../store/database.ts';
import { variable } from '../store/schema.ts';

/** `credential`: a secret, which no event, log or response shows. `text`: any other value. */
export type VariableKind = 'credential' | 'text';

/** A variable as listed for its owner, without the value. */
export interface VariableInfo {
  readonly name: string;
  readonly kind: VariableKind;
  /** The hosts to which a flow may send a credential: `host` or `host:port` over https, `http://host:port`. */
  readonly hosts: readonly string[];
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** Why the value cannot be read. */
  readonly failure: string | null;
}

export interface NewVariable {
  readonly name: string;
  readonly kind: VariableKind;
  readonly value: string;
  readonly hosts: readonly string[];
}

/** A variable with its value. For a run of its owner, never for a response. */
export type OpenVariable = Pick<NewVariable, 'name' | 'kind' | 'value' | 'hosts'>;

/** Variables and provider keys of users. Values are encrypted for their user, name and hosts. */
export interface Variables {
  list(userId: string): Promise<readonly VariableInfo[]>;
  /** Sets a variable; replaces one of the same name. @throws Problem `quota_exceeded` */
  set(userId: string, given: NewVariable): Promise<VariableInfo>;
  /** Returns false if the user has no such variable. */
  remove(userId: string, name: string): Promise<boolean>;
  /** All readable variables of a user. */
  open(userId: string): Promise<readonly OpenVariable[]>;
  /** Encrypts with the current key what an earlier key encrypted. Returns the number of values that no key opens. */
  reseal(): Promise<{ readonly resealed: number; readonly lost: number }>;
}

export const MAX_VARIABLES = 200;
/** Of an advisory lock, with the user's id: requests at once would each find room for one more. */
const SET_LOCK_ID = 7_860_018_016;
const PAGE = 200;

type Row = typeof variable.$inferSelect;

/** @param storage waits for the database */
export function createVariables(storage: () => Promise<Db>, sealer: Sealer): Variables {
  const rowsOf = async (userId: string) =>
    (await storage()).select().from(variable).where(eq(variable.userId, userId)).orderBy(asc(variable.name));
  return {
    async list(userId) {
      return (await rowsOf(userId)).map((row) => infoOf(row, sealer));
    },
    async set(userId, { name, kind, value, hosts }) {
      const db = await storage();
      const place = placeOf({ userId, name, hosts });
      const fields = { kind, hosts: [...hosts], sealed: sealer.seal(value, place), keyId: sealer.keyId };
      const now = new Date();
      const [row] = await db.transaction(async (tx) => {
        await requireVariableRoom(tx, userId, name);
        return tx
          .insert(variable)
          .values({ userId, name, createdAt: now, updatedAt: now, ...fields })
          .onConflictDoUpdate({ target: [variable.userId, variable.name], set: { ...fields, updatedAt: now } })
          .returning();
      });
      return infoOf(row as Row, sealer);
    },
    async remove(userId, name) {
      const db = await storage();
      const gone = await db
        .delete(variable)
        .where(and(eq(variable.userId, userId), eq(variable.name, name)))
        .returning({ name: variable.name });
      return gone.length > 0;
    },
    async open(userId) {
      return (await rowsOf(userId)).flatMap((row) => {
        const { name, hosts } = row;
        const opened = tryOpen(row, sealer);
        return 'value' in opened ? [{ name, kind: kindOf(row), hosts, value: opened.value }] : [];
      });
    },
    async reseal() {
      const db = await storage();
      let resealed = 0;
      let lost = 0;
      for (let last = { userId: '', name: '' }; ; ) {
        const rows = await nextForeignRows(db, sealer.keyId, last);
        for (const row of rows) {
          const opened = tryOpen(row, sealer);
          if ('failure' in opened) lost++;
          else if (await replaceSealed(db, row, sealer.seal(opened.value, placeOf(row)), sealer.keyId)) resealed++;
        }
        const end = rows.at(-1);
        if (end === undefined || rows.length < PAGE) return { resealed, lost };
        last = end;
      }
    },
  };
}

/** Adds no variable of the user elsewhere until the transaction ends. @throws Problem `quota_exceeded` */
async function requireVariableRoom(tx: Transaction, userId: string, name: string): Promise<void> {
  await tx.execute(sql`SELECT pg_advisory_xact_lock(hashtextextended(${userId}, ${SET_LOCK_ID}::bigint))`);
  const others = await tx.$count(variable, and(eq(variable.userId, userId), ne(variable.name, name)));
  if (others >= MAX_VARIABLES)
    throw problem('quota_exceeded', `You have ${MAX_VARIABLES} variables already. Delete one first.`);
}

/** The next rows, by user and name, that another key encrypted. */
function nextForeignRows(db: Db, keyId: string, last: { userId: string; name: string }): Promise<Row[]> {
  return db
    .select()
    .from(variable)
    .where(and(ne(variable.keyId, keyId), sql`(${variable.userId}, ${variable.name}) > (${last.userId}, ${last.name})`))
    .orderBy(asc(variable.userId), asc(variable.name))
    .limit(PAGE);
}

/** Unless the row changed meanwhile. */
async function replaceSealed(db: Db, row: Row, sealed: string, keyId: string): Promise<boolean> {
  const changed = await db
    .update(variable)
    .set({ sealed, keyId })
    .where(and(eq(variable.userId, row.userId), eq(variable.name, row.name), eq(variable.sealed, row.sealed)))
    .returning({ name: variable.name });
  return changed.length > 0;
}

/** A value that was copied to another user, name or list of hosts does not open. */
const placeOf = ({ userId, name, hosts }: Place): string => JSON.stringify([userId, name, hosts]);

interface Place {
  readonly userId: string;
  readonly name: string;
  readonly hosts: readonly string[];
}

const kindOf = ({ kind }: Row): VariableKind => (kind === 'text' ? 'text' : 'credential');

function tryOpen(row: Row, sealer: Sealer): { readonly value: string } | { readonly failure: string } {
  try {
    return { value: sealer.open(row.sealed, placeOf(row)) };
  } catch (error) {
    const reason = error instanceof Error ? error.message : '';
    return { failure: `The value cannot be read. ${reason} Or set the value again.` };
  }
}

function infoOf(row: Row, sealer: Sealer): VariableInfo {
  const opened = tryOpen(row, sealer);
  const { name, hosts, createdAt, updatedAt } = row;
  const failure = 'failure' in opened ? opened.failure : null;
  return { name, kind: kindOf(row), hosts, createdAt, updatedAt, failure };
}
