import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { bm25Share, bm25Weight, wordsIn } from '@croft/components';

/** Longer words are stored as their digest: an index of PostgreSQL takes no long texts. */
const MAX_TERM_CHARS = 100;
const TEXTS_OF_TURN = 64;
const MAX_QUERY_CHARS = 100_000;
const MAX_QUERY_TERMS = 1_000;

/** The words of texts: for each word, position, count and length of every text that has it. */
export interface WordIndex {
  readonly terms: ReadonlyMap<string, readonly number[]>;
  /** Of all texts together. */
  readonly words: number;
}

/** Indexes texts, the first of them at a position. Other requests run in between. */
export async function indexWords(texts: readonly string[], first: number, signal: AbortSignal): Promise<WordIndex> {
  const terms = new Map<string, number[]>();
  let words = 0;
  for (const [at, text] of texts.entries()) {
    if (at % TEXTS_OF_TURN === 0) {
      await nextTurn();
      signal.throwIfAborted();
    }
    const found = wordsIn(text);
    words += found.length;
    const counts = new Map<string, number>();
    for (const word of found) counts.set(word, (counts.get(word) ?? 0) + 1);
    for (const [word, count] of counts) {
      const term = termOf(word);
      const postings = terms.get(term) ?? [];
      postings.push(first + at, count, found.length);
      terms.set(term, postings);
    }
  }
  return { terms, words };
}

/** The words of a query, in their order, as the index has them: of a long one, the first. */
export const termsOf = (query: string): string[] =>
  [...new Set(wordsIn(query.slice(0, MAX_QUERY_CHARS)))].slice(0, MAX_QUERY_TERMS).map(termOf);

const termOf = (word: string): string =>
  word.length <= MAX_TERM_CHARS ? word : `#${createHash('sha256').update(word).digest('base64url')}`;

/**
 * Adds the scores of the texts that have one word of a query, by position. For all its words in their order, the sums are
 * those of `bm25`.
 */
export function addScores(
  scores: Map<number, number>,
  postings: Uint32Array,
  { chunks, words }: { readonly chunks: number; readonly words: number },
): void {
  const average = words / Math.max(chunks, 1);
  const weight = bm25Weight(chunks, postings.length / 3);
  for (let at = 0; at < postings.length; at += 3) {
    const [position, count, length] = [postings[at] as number, postings[at + 1] as number, postings[at + 2] as number];
    scores.set(position, (scores.get(position) ?? 0) + weight * bm25Share(count, length, average));
  }
}
