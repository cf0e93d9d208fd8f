import { expect, it } from 'vitest';
import type { Services } from '../services.ts';
import { embedderIn, usageOf } from './embedder.ts';
import { LEXICAL_EMBEDDER } from './lexical-embedder.ts';

const signal = new AbortController().signal;

it('is the offline one where none is chosen, which costs nothing', async () => {
  for (const value of [undefined, null, '', LEXICAL_EMBEDDER, { embedder: LEXICAL_EMBEDDER }, { embedder: '' }])
    expect(embedderIn(value, {} as Services).name).toBe(LEXICAL_EMBEDDER);
  const { vectors, inputTokens } = await embedderIn('', {} as Services).embed(['apple', 'apple'], signal);
  expect([vectors.length, inputTokens, vectors[0]]).toEqual([2, 0, vectors[1]]);
});

it('gives vectors of unit length from a model', async () => {
  const asked: unknown[] = [];
  const models = {
    embed: async (request: object) => {
      asked.push(request);
      return { vectors: [[3, 4]].map((each) => Float32Array.from(each)), inputTokens: 5 };
    },
  };
  const embedder = embedderIn({ provider: 'OpenAI', name: 'small' }, { models } as unknown as Services);
  const { vectors, inputTokens } = await embedder.embed(['x'], signal);
  expect([embedder.name, inputTokens]).toEqual(['OpenAI/small', 5]);
  expect([...(vectors[0] as Float32Array)].map((each) => each.toFixed(2))).toEqual(['0.60', '0.80']);
  expect(asked).toEqual([
    { model: expect.objectContaining({ provider: 'OpenAI', name: 'small' }), texts: ['x'], signal },
  ]);
  expect(usageOf(embedder, 5)).toEqual({ kind: 'usage', model: 'OpenAI/small', inputTokens: 5, outputTokens: 0 });
});
