import { describe, expect, it } from 'vitest';
import type { PackedTree } from './pack-tree.ts';
import { TreeStore } from './tree-store.ts';

const tree = (bytes: number) => ({ bytes: Buffer.alloc(bytes), isAscii: true }) as PackedTree;
const owners = Array.from({ length: 4 }, (_, i) => ({ i }));
const [a, b, c, d] = owners as [object, object, object, object];
/** A kept tree costs its bytes and 400 more. */
const kept = (store: TreeStore) => owners.filter((owner) => store.get(owner) !== undefined).map(({ i }) => i);

describe('the trees of machines', () => {
  it('are kept up to the limit, and the least recently used goes first', () => {
    const store = new TreeStore(1_500);
    for (const owner of [a, b, c]) store.put(owner, tree(100));
    expect(store.bytes).toBe(1_500);
    expect(kept(store)).toEqual([0, 1, 2]);
    store.get(a);
    store.put(d, tree(100));
    expect(store.bytes).toBe(1_500);
    expect(kept(store)).toEqual([0, 2, 3]);
  });

  it('are one for each machine', () => {
    const store = new TreeStore(10_000);
    store.put(a, tree(100));
    const newer = tree(50);
    store.put(a, newer);
    expect([store.get(a), store.bytes]).toEqual([newer, 450]);
    store.remove(a);
    store.remove(a);
    expect([store.get(a), store.bytes]).toEqual([undefined, 0]);
  });

  it('are not kept where one alone is too large', () => {
    const store = new TreeStore(1_000);
    store.put(a, tree(600));
    expect(kept(store)).toEqual([0]);
    store.put(a, tree(601));
    expect([kept(store), store.bytes]).toEqual([[], 0]);
  });
});
