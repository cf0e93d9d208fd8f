import { join } from 'node:path';
import { afterEach } from 'vitest';
import type { Enclosure } from './enclosure.ts';
import { DEFAULT_LIMITS } from './limits.ts';
import { openRoot, type ResolverKind } from './resolve/root.ts';
import { makeScratch, type Scratch } from './testing.ts';
import { openTrash, type Trash } from './trash.ts';

/** The parts of an operation on a scratch tree, without the workspace that puts them together. */
export interface ScratchEnclosure {
  readonly enclosure: Enclosure;
  readonly scratch: Scratch;
  /** The host path of a name in the workspace. */
  at(name: string): string;
}

/** Gives enclosures on trees of {@link makeScratch}; closes and removes them after each test. */
export function useEnclosures() {
  const opened: ScratchEnclosure[] = [];
  afterEach(async () => {
    for (const { enclosure, scratch } of opened.splice(0)) {
      await enclosure.trash?.settled();
      enclosure.root.close();
      enclosure.ambient?.close();
      scratch.remove();
    }
  });
  return (
    lines: readonly string[] = [],
    parts: Partial<Enclosure> | ((scratch: Scratch) => Partial<Enclosure>) = {},
    resolver?: ResolverKind,
  ): ScratchEnclosure => {
    const scratch = makeScratch(lines);
    const enclosure: Enclosure = {
      root: openRoot(scratch.workspace, resolver),
      ambient: undefined,
      readOnly: false,
      denyList: true,
      durable: false,
      base: undefined,
      masks: [],
      ignoreNames: new Set(),
      limits: DEFAULT_LIMITS,
      quota: undefined,
      trash: undefined,
      closing: new AbortController().signal,
      ...(typeof parts === 'function' ? parts(scratch) : parts),
    };
    const made = { enclosure, scratch, at: (name: string) => join(scratch.workspace, name) };
    opened.push(made);
    return made;
  };
}

/** A trash beside the workspace. */
export const trashBeside =
  (maxBytes = 1_000) =>
  ({ base }: Scratch): { readonly trash: Trash } => ({
    trash: openTrash(join(base, 'trash'), { maxBytes }, 'descriptor'),
  });
