import type { PackedTree } from './pack-tree.ts';

/** About what one kept tree costs beside its bytes. */
const OVERHEAD_BYTES = 400;

/**
 * The trees of all machines, in bounded memory. The least used leave first; who needs one that left asks the machine.
 */
export class TreeStore {
  readonly #maxBytes: number;
  /** Oldest use first. */
  readonly #trees = new Map<object, PackedTree>();
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** What is held now, overhead included. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Keeps the tree of `owner` in place of its older one. One that alone is too large is not kept. */
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

  /** The tree of `owner`, which counts as used; `undefined` when it was evicted or never came. */
  get(owner: object): PackedTree | undefined {
    const tree = this.#trees.get(owner);
    if (!tree) return undefined;
    this.#trees.delete(owner);
    this.#trees.set(owner, tree);
    return tree;
  }

  /** Forgets the tree of `owner`. */
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
