import { wordsIn } from './lexical-embedder.ts';

const K1 = 1.2;
const B = 0.75;

/** The weight of a word that `having` of `documents` texts have. */
export const bm25Weight = (documents: number, having: number): number =>
  Math.log(1 + (documents - having + 0.5) / (having + 0.5));

/** The share of a word that occurs `count` times in a text of `length` words. */
export const bm25Share = (count: number, length: number, average: number): number =>
  (count * (K1 + 1)) / (count + K1 * (1 - B + (B * length) / average));

/** Scores of texts for a query by BM25 (Robertson and Zaragoza, 2009), in the order of the texts. 0: no word in common. */
export function bm25(query: string, texts: readonly string[]): readonly number[] {
  const terms = [...new Set(wordsIn(query))];
  const documents = texts.map(wordsIn);
  const average = documents.reduce((total, words) => total + words.length, 0) / Math.max(documents.length, 1);
  const counts = documents.map((words) => {
    const found = new Map<string, number>();
    for (const word of words) found.set(word, (found.get(word) ?? 0) + 1);
    return found;
  });
  const weights = terms.map((term) => {
    const having = counts.filter((each) => each.has(term)).length;
    return bm25Weight(documents.length, having);
  });
  return counts.map((found, at) => {
    const length = (documents[at] as readonly string[]).length;
    return terms.reduce((score, term, index) => {
      const count = found.get(term) ?? 0;
      return score + (count === 0 ? 0 : (weights[index] as number) * bm25Share(count, length, average));
    }, 0);
  });
}
