import { type FlowDocument, isPlain, type StoredOutputs } from '@croft/flow';
import type { Sealer } from '@croft/runs/sealer';
import { and, eq, lt, sql } from 'drizzle-orm';
import type { Log } from '../log.ts';
import type { Db } from '../store/database.ts';
import { errorCode } from '../store/store-error.ts';
import { frozenOutput } from '../store/flow-schema.ts';

/** The last outputs of the frozen components of one run. */
export interface FrozenOutputsOfRun extends StoredOutputs {
  /** Resolves when everything kept is stored. Does not reject. */
  stored(): Promise<void>;
}

/** The last outputs of frozen components. */
export interface FrozenOutputs {
  /** Those of a flow that this user runs; undefined where no component of it is frozen. */
  of(run: {
    readonly userId: string;
    readonly flowId: string;
    readonly flow: FlowDocument;
  }): FrozenOutputsOfRun | undefined;
}

/** Of one user. */
export interface FrozenLimits {
  readonly count: number;
  readonly characters: number;
}

interface Options {
  readonly storage: () => Promise<Db>;
  readonly sealer: Sealer;
  readonly limits: FrozenLimits;
  readonly log: Pick<Log, 'warn'>;
}

interface Place {
  readonly userId: string;
  readonly flowId: string;
  readonly node: string;
}

interface Kept {
  readonly hash: string;
  /** JSON. Undefined for outputs that JSON does not keep. */
  readonly text: string | undefined;
}

/** Undefined for outputs that JSON does not keep, such as tools, which are functions. */
export function textOf(outputs: unknown): string | undefined {
  try {
    return isPlain(outputs) ? JSON.stringify(outputs) : undefined;
  } catch {
    // A circle.
    return undefined;
  }
}

/**
 * Stores them encrypted, for one user, flow, component and hash of its inputs, so that they survive a restart. Those that
 * were used least recently make room; their component runs again. So does one whose outputs cannot be read.
 */
export function createFrozenOutputs({ storage, sealer, limits, log }: Options): FrozenOutputs {
  const tryStore = async <Value>(action: (db: Db) => Promise<Value>): Promise<Value | undefined> => {
    try {
      return await action(await storage());
    } catch (error) {
      log.warn(
        { code: errorCode((error as Error).cause ?? error) },
        'an output of a frozen component was not stored or read',
      );
      return undefined;
    }
  };
  return {
    of({ userId, flowId, flow }) {
      const frozen = new Set(flow.nodes.flatMap(({ id, run }) => (run?.frozen === true ? [id] : [])));
      if (frozen.size === 0) return undefined;
      /** Outputs that this run has read or computed, so that a loop asks the database once. */
      const known = new Map<string, Kept | undefined>();
      const changed = new Set<string>();
      let storing: Promise<void> | undefined;
      const store = async () => {
        for (const node of changed) {
          changed.delete(node);
          const place = { userId, flowId, node };
          await tryStore((db) => write(db, sealer, place, known.get(node) as Kept, limits));
        }
        storing = undefined;
      };
      return {
        keeps: (node) => frozen.has(node),
        async find(node, hash) {
          if (!known.has(node)) {
            const found = await tryStore((db) => read(db, sealer, { userId, flowId, node }));
            if (!known.has(node)) known.set(node, found);
          }
          const found = known.get(node);
          if (found?.hash !== hash || found.text === undefined) return undefined;
          return JSON.parse(found.text) as Record<string, unknown>;
        },
        keep(node, hash, outputs) {
          known.set(node, { hash, text: textOf(outputs) });
          changed.add(node);
          // Not awaited: rows of a loop follow each other faster, and the last one is stored.
          storing ??= store();
        },
        stored: async () => storing,
      };
    },
  };
}

/** Removes the outputs that no run used since then. */
export async function dropUnusedOutputs(db: Db, before: Date): Promise<void> {
  await db.delete(frozenOutput).where(lt(frozenOutput.usedAt, before));
}

const rowOf = ({ userId, flowId, node }: Place) =>
  and(eq(frozenOutput.userId, userId), eq(frozenOutput.flowId, flowId), eq(frozenOutput.node, node));

/** Sealed outputs open for these inputs of this component only. */
const sealedPlace = ({ userId, flowId, node }: Place, hash: string) =>
  JSON.stringify(['frozen', userId, flowId, node, hash]);

async function read(db: Db, sealer: Sealer, place: Place): Promise<Kept | undefined> {
  const [row] = await db.update(frozenOutput).set({ usedAt: sql`now()` }).where(rowOf(place)).returning();
  return row && { hash: row.hash, text: sealer.open(row.sealed, sealedPlace(place, row.hash)) };
}

/** Nothing is stored for a flow that is deleted, or that is not stored. */
async function write(db: Db, sealer: Sealer, place: Place, { hash, text }: Kept, limits: FrozenLimits): Promise<void> {
  if (text === undefined || text.length > limits.characters) {
    await db.delete(frozenOutput).where(rowOf(place));
    return;
  }
  const sealed = sealer.seal(text, sealedPlace(place, hash));
  await db.transaction(async (tx) => {
    await tx.execute(sql`
      INSERT INTO frozen_output (user_id, flow_id, node, hash, sealed, characters)
      SELECT ${place.userId}, id, ${place.node}, ${hash}, ${sealed}, ${text.length}::int
      FROM flow WHERE id = ${place.flowId} AND deleted_at IS NULL
      ON CONFLICT (user_id, flow_id, node) DO UPDATE
      SET hash = excluded.hash, sealed = excluded.sealed, characters = excluded.characters, used_at = now()`);
    await tx.execute(sql`
      DELETE FROM frozen_output USING (
        SELECT flow_id, node, row_number() OVER newest AS place, sum(characters) OVER newest AS characters
        FROM frozen_output WHERE user_id = ${place.userId}
        WINDOW newest AS (ORDER BY used_at DESC, flow_id, node)
      ) AS each
      WHERE frozen_output.user_id = ${place.userId} AND frozen_output.flow_id = each.flow_id
        AND frozen_output.node = each.node
        AND (each.place > ${limits.count} OR each.characters > ${limits.characters})`);
  });
}
