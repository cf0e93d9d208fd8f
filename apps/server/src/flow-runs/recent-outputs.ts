import { isLongJson, type StoredOutputs } from '@croft/flow';
import { textOf } from './frozen-outputs.ts';

/** The outputs of the newest run of each component, so that a run can start in the middle of a flow. */
export interface RecentOutputs {
  /** Those of one run. Frozen components use `frozen` instead. */
  of(
    run: { readonly id: string; readonly userId: string; readonly flowId: string },
    frozen: StoredOutputs | undefined,
  ): StoredOutputs;
}

/** Of the outputs of one component. More would hold the server while they are written as JSON. */
const MAX_CHARACTERS = 2 * 1024 * 1024;

interface Kept {
  readonly userId: string;
  readonly runId: string;
  /** JSON by the hash of the inputs: a component in a loop has several. */
  readonly texts: Map<string, string>;
  characters: number;
}

/**
 * Keeps them in memory only, because outputs can contain secrets. Components that were used least recently make room; they
 * run again.
 *
 * @param maxCharacters of one user, and of all
 */
export function createRecentOutputs(maxCharacters: {
  readonly ofUser: number;
  readonly ofServer: number;
}): RecentOutputs {
  /** Least recently used first. */
  const kept = new Map<string, Kept>();
  let total = 0;
  const ofUser = new Map<string, number>();
  const count = (userId: string, characters: number) => {
    total += characters;
    const own = (ofUser.get(userId) ?? 0) + characters;
    if (own === 0) ofUser.delete(userId);
    else ofUser.set(userId, own);
  };
  const remove = (key: string) => {
    const found = kept.get(key);
    if (found === undefined) return;
    kept.delete(key);
    count(found.userId, -found.characters);
  };
  const makeRoom = (userId: string) => {
    for (const [key, each] of kept) {
      const isOver = total > maxCharacters.ofServer;
      const isUserOver = (ofUser.get(userId) ?? 0) > maxCharacters.ofUser;
      if (!isOver && !isUserOver) return;
      if (isOver || each.userId === userId) remove(key);
    }
  };
  return {
    of({ id, userId, flowId }, frozen) {
      const keyOf = (node: string) => JSON.stringify([userId, flowId, node]);
      const isFrozen = (node: string) => frozen?.keeps?.(node) === true;
      return {
        find(node, hash) {
          if (isFrozen(node)) return frozen?.find(node, hash);
          const key = keyOf(node);
          const found = kept.get(key);
          const text = found?.texts.get(hash);
          if (found === undefined || text === undefined) return undefined;
          kept.delete(key);
          kept.set(key, found);
          return JSON.parse(text) as Record<string, unknown>;
        },
        keep(node, hash, outputs) {
          if (isFrozen(node)) return frozen?.keep(node, hash, outputs);
          const key = keyOf(node);
          if (kept.get(key)?.runId !== id) remove(key);
          if (isLongJson(outputs, Math.min(MAX_CHARACTERS, maxCharacters.ofUser))) return undefined;
          const text = textOf(outputs);
          if (text === undefined) return undefined;
          const entry: Kept = kept.get(key) ?? { userId, runId: id, texts: new Map(), characters: 0 };
          const before = entry.texts.get(hash);
          const characters = text.length - (before === undefined ? -hash.length : before.length);
          entry.texts.set(hash, text);
          entry.characters += characters;
          kept.set(key, entry);
          count(userId, characters);
          makeRoom(userId);
          return undefined;
        },
      };
    },
  };
}
