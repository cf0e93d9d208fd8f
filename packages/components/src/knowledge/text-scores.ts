import { bm25 } from './bm25.ts';
import { embedLexically } from './lexical-embedder.ts';

/** How well texts fit a query, from 0 to 1, in the order of the texts: by their words and by word stems. */
export function textScores(query: string, texts: readonly string[]): readonly number[] {
  const words = bm25(query, texts);
  const most = Math.max(...words, Number.MIN_VALUE);
  const asked = embedLexically(query);
  return texts.map((text, at) => {
    const near = embedLexically(text).reduce((sum, each, index) => sum + each * (asked[index] as number), 0);
    // Both parts lie between 0 and 1; word stems decide between rows with the same words.
    return ((words[at] as number) / most + Math.max(near, 0)) / 2;
  });
}
