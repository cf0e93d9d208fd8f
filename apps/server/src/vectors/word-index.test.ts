import { bm25 } from '../../../../packages/components/src/knowledge/bm25.ts';
import { expect, it } from 'vitest';
import { addScores, indexWords, termsOf } from './word-index.ts';

const signal = new AbortController().signal;

it('has position, count and length of every text that has a word', async () => {
  const { terms, words } = await indexWords(['Green cheese, green', 'cheese', ''], 10, signal);
  expect(Object.fromEntries(terms)).toEqual({ green: [10, 2, 3], cheese: [10, 1, 3, 11, 1, 1] });
  expect(words).toBe(4);
});

it('stores long words as their digest, as queries look for them', async () => {
  const long = 'x'.repeat(101);
  const { terms } = await indexWords([`${long} ${'y'.repeat(100)}`], 0, signal);
  expect([...terms.keys()]).toEqual([expect.stringMatching(/^#[\w-]{43}$/), 'y'.repeat(100)]);
  expect(termsOf(long)).toEqual([[...terms.keys()][0]]);
});

it('has each word of a query once, and a bounded number of them', () => {
  expect(termsOf('Cheese green CHEESE')).toEqual(['cheese', 'green']);
  expect(termsOf(Array.from({ length: 1_500 }, (_, at) => `w${at}`).join(' '))).toHaveLength(1_000);
  expect(termsOf(`${'a '.repeat(50_000)}late`)).toEqual(['a']);
});

it('scores as a search over the texts themselves does', async () => {
  const texts = ['green cheese', 'cheese cheese and more words than the others', 'red wine', 'green green green'];
  const { terms, words } = await indexWords(texts, 0, signal);
  const scores = new Map<number, number>();
  for (const term of termsOf('green cheese'))
    addScores(scores, new Uint32Array(terms.get(term) ?? []), { chunks: texts.length, words });
  const expected = bm25('green cheese', texts);
  for (const [at, score] of expected.entries()) expect(scores.get(at) ?? 0).toBeCloseTo(score, 10);
});

it('lets other requests run between many texts, and stops', async () => {
  let turns = 0;
  let isOver = false;
  const count = () => {
    turns++;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  await indexWords(
    Array.from({ length: 200 }, () => 'a'),
    0,
    signal,
  );
  isOver = true;
  expect(turns).toBeGreaterThanOrEqual(3);
  await expect(indexWords(['a'], 0, AbortSignal.abort())).rejects.toThrow();
});

it('reads the first 100,000 characters of a query and its first 1,000 words', () => {
  const words = Array.from({ length: 1_001 }, (_, at) => `w${at}`);
  expect(termsOf(words.join(' '))).toEqual(words.slice(0, 1_000));
  expect(termsOf(`${'a '.repeat(49_997)}a last`)).toEqual(['a', 'last']);
  expect(termsOf(`${'a '.repeat(49_998)}a last`)).toEqual(['a', 'la']);
});

it('adds to scores that are there, and takes no chunks for one', () => {
  const scores = new Map([[4, 1]]);
  addScores(scores, Uint32Array.of(4, 1, 2, 6, 1, 2), { chunks: 10, words: 20 });
  const [known, other] = [scores.get(4) ?? 0, scores.get(6) ?? 0];
  expect(other).toBeGreaterThan(0);
  expect(known).toBeCloseTo(1 + other, 10);
  const none = new Map<number, number>();
  addScores(none, Uint32Array.of(0, 1, 2), { chunks: 0, words: 2 });
  expect(none.get(0)).not.toBeNaN();
});

it('looks at the signal before every 64 texts', async () => {
  const stop = new AbortController();
  const texts = Array.from({ length: 65 }, () => 'a');
  setImmediate(() => setImmediate(() => stop.abort()));
  await expect(indexWords(texts, 0, stop.signal)).rejects.toThrow();
});
