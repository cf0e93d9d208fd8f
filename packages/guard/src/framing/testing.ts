import type { Framing } from './framing.ts';

/** All that `next` gives while a framing gets these pieces of a stream. Fails where the framing keeps bytes. */
export function readAll<Item>(
  framing: Pick<Framing, 'push' | 'finish' | 'pending'>,
  pieces: readonly Buffer[],
  next: () => Item | undefined,
): Item[] {
  const got: Item[] = [];
  const drain = () => {
    for (let item = next(); item !== undefined; item = next()) got.push(item);
  };
  for (const piece of pieces) {
    framing.push(piece);
    drain();
  }
  framing.finish();
  drain();
  if (framing.pending > 0) throw new Error(`the framing keeps ${framing.pending} bytes`);
  return got;
}
