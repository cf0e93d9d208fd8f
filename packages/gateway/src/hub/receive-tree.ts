import { type TreeEntryFrame, treeEntrySchema } from '../frames.ts';
import { GatewayError } from './gateway-error.ts';
import { inTurns } from './in-turns.ts';
import { type PackedTree, packing } from './tree/pack-tree.ts';

/** The directory in `init` and `tree`, with its entries unchecked. */
export interface UploadedTree {
  readonly rootPath: string;
  readonly tree?: readonly unknown[] | undefined;
  readonly treeText?: string | undefined;
  readonly treeTruncated?: boolean | undefined;
}

/**
 * Packs an uploaded tree, yielding to other work. `undefined` if there is none.
 *
 * @throws GatewayError `bad_request` for an invalid entry; entries beyond the limit are not checked
 */
export async function receiveTree(body: UploadedTree): Promise<PackedTree | undefined> {
  if (!body.tree) return undefined;
  return inTurns(packing(checked(body.tree), body.treeTruncated ?? isCut(body.treeText), body.rootPath));
}

function* checked(entries: readonly unknown[]): Generator<TreeEntryFrame> {
  for (const [n, entry] of entries.entries()) {
    const parsed = treeEntrySchema.safeParse(entry);
    if (!parsed.success) {
      const { path, message } = parsed.error.issues[0] ?? { path: [], message: 'no entry' };
      throw new GatewayError('bad_request', `The body does not fit: ${['tree', n, ...path].join('.')}: ${message}`);
    }
    yield parsed.data;
  }
}

/** Clients of the first dialect say in their drawing that it was cut. */
function isCut(treeText: string | undefined): boolean {
  return treeText !== undefined && /\btruncated\b/i.test(treeText.slice(-200));
}
