import { type TreeEntryFrame, treeEntrySchema } from '../frames.ts';
import { GatewayError } from './gateway-error.ts';
import { inTurns } from './in-turns.ts';
import { type PackedTree, packing } from './tree/pack-tree.ts';

/** What `init` and `tree` say of a directory, its entries not yet looked at. */
export interface UploadedTree {
  readonly rootPath: string;
  readonly tree?: readonly unknown[] | undefined;
  readonly treeText?: string | undefined;
  readonly treeTruncated?: boolean | undefined;
}

/**
 * Packs an uploaded tree, giving way to others in between. `undefined` where none came.
 *
 * @throws GatewayError `bad_request` for an entry that is none; those beyond what is kept are not looked at
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

/** Clients of the seed's time say in their drawing that it was cut. */
function isCut(treeText: string | undefined): boolean {
  return treeText !== undefined && /\btruncated\b/i.test(treeText.slice(-200));
}
