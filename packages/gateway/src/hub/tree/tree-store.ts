import type { PackedTree } from './pack-tree.ts';

/** Approximate cost of one kept tree besides its bytes. */
const OVERHEAD_BYTES = 400;

/**
 * The trees of all machines, in bounded memory. Evicts the least recently used; for an evicted tree the machine is
 * asked.
 */
export class TreeStore {
  readonly #maxBytes: number;
  /** Least recently used first. */
  readonly #trees = new Map<object, PackedTree>();
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Bytes in use, including overhead. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Stores the tree of `owner` and replaces its older one. A single tree that is too large is not stored. */
  put(owner: object, tree: PackedTree): void {
    this.remove(owner);
    this.#trees.set(owner, tree);
    this.#bytes += cost(tree);
    for (const [other, old] of this.#trees) {
      if (this.#bytes <= this.#maxBytes) break;
      this.#trees.delete(other);
      this.#bytes -= cost(old);
    }
  }

  /** The tree of `owner`, and marks it as used; `undefined` if it was evicted or never stored. */
  get(owner: object): PackedTree | undefined {
    const tree = this.#trees.get(owner);
    if (!tree) return undefined;
    this.#trees.delete(owner);
    this.#trees.set(owner, tree);
    return tree;
  }

  /** Removes the tree of `owner`. */
  remove(owner: object): void {
    const tree = this.#trees.get(owner);
    if (!tree) return;
    this.#trees.delete(owner);
    this.#bytes -= cost(tree);
  }
}

function cost(tree: PackedTree): number {
  return tree.bytes.length + OVERHEAD_BYTES;
}
