import { type FlowDocument, isPlain, type StoredOutputs } from '@croft/flow';

/** The last outputs of frozen components. */
export interface FrozenOutputs {
  /** Those of a flow that this user runs; undefined where no component of it is frozen. */
  of(run: { readonly userId: string; readonly flowId: string; readonly flow: FlowDocument }): StoredOutputs | undefined;
}

interface Kept {
  readonly userId: string;
  readonly hash: string;
  /** JSON. */
  readonly text: string;
}

/** Undefined for outputs that JSON does not keep, such as tools, which are functions. */
function textOf(outputs: unknown): string | undefined {
  try {
    return isPlain(outputs) ? JSON.stringify(outputs) : undefined;
  } catch {
    // A circle.
    return undefined;
  }
}

/**
 * Keeps them in memory, so that no output of a user is stored with its secrets. Those that were used least recently make room;
 * their component runs again.
 *
 * @param maxCharacters of one user, and of all
 */
export function createFrozenOutputs(maxCharacters: {
  readonly ofUser: number;
  readonly ofServer: number;
}): FrozenOutputs {
  /** Least recently used first. */
  const kept = new Map<string, Kept>();
  let total = 0;
  const ofUser = new Map<string, number>();
  const count = ({ userId, text }: Kept, sign: 1 | -1) => {
    total += sign * text.length;
    const own = (ofUser.get(userId) ?? 0) + sign * text.length;
    if (own === 0) ofUser.delete(userId);
    else ofUser.set(userId, own);
  };
  const remove = (key: string) => {
    const found = kept.get(key);
    if (found === undefined) return;
    kept.delete(key);
    count(found, -1);
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
    of({ userId, flowId, flow }) {
      const frozen = new Set(flow.nodes.flatMap(({ id, run }) => (run?.frozen === true ? [id] : [])));
      if (frozen.size === 0) return undefined;
      const keyOf = (node: string) => JSON.stringify([userId, flowId, node]);
      return {
        keeps: (node) => frozen.has(node),
        find(node, hash) {
          const key = keyOf(node);
          const found = kept.get(key);
          if (found?.hash !== hash) return undefined;
          kept.delete(key);
          kept.set(key, found);
          return JSON.parse(found.text) as Record<string, unknown>;
        },
        keep(node, hash, outputs) {
          const key = keyOf(node);
          remove(key);
          const text = textOf(outputs);
          if (text === undefined) return;
          const entry = { userId, hash, text };
          kept.set(key, entry);
          count(entry, 1);
          makeRoom(userId);
        },
      };
    },
  };
}
