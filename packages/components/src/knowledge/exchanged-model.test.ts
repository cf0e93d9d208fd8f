import { describe, expect, it } from 'vitest';
import { drain } from '../testing.ts';
import { embedCompared, exchangedModel } from './exchanged-model.ts';
import { chunkOf, testEmbedder, uncomparedStore } from './testing-embedder.ts';

const { signal } = new AbortController();
async function open(name?: string) {
  const { embedder, asked } = testEmbedder(name);
  const store = uncomparedStore();
  await store.write('c', embedder.name, [await chunkOf('first', embedder), await chunkOf('second', embedder)], {
    replace: true,
    signal,
    stepKey: 's',
  });
  asked.length = 0;
  const own = { store, collection: 'c', embedder };
  const compare = (texts: readonly string[], known: ReadonlyMap<string, Float32Array> = new Map()) =>
    drain(embedCompared(own, texts, known, signal));
  return { embedder, asked, store, own, compare };
}

describe('a comparison with the model', () => {
  it('embeds the first chunk and one known vector again, and notes that they are the same', async () => {
    const { compare, asked, store, embedder } = await open();
    const { vector } = await chunkOf('known', embedder);
    asked.length = 0;
    const { outputs, progress } = await compare(
      ['a', 'b'],
      new Map([
        ['known', vector],
        ['other', vector],
      ]),
    );
    expect(asked).toEqual([['a', 'b', 'first', 'known']]);
    expect(outputs).toMatchObject({ isChunkSame: true, isKnownSame: true });
    expect(outputs.vectors).toHaveLength(2);
    expect(store.notes).toEqual(['c test/model']);
    expect(progress).toEqual([{ kind: 'usage', model: 'test/model', inputTokens: 5, outputTokens: 0 }]);
  });

  it('is not repeated for a while, and not for the embedder that is part of this program', async () => {
    const { compare, asked } = await open();
    await compare(['a']);
    await compare(['b']);
    expect(asked).toEqual([['a', 'first'], ['b']]);
    const lexical = await open('croft/lexical');
    await lexical.compare(['a']);
    expect([lexical.asked, lexical.store.notes]).toEqual([[['a']], []]);
  });

  it('asks nothing without texts', async () => {
    const { compare, asked, store } = await open('other/model');
    store.notes.push('compared');
    expect(await compare([])).toEqual({ outputs: { vectors: [], isChunkSame: true, isKnownSame: true }, progress: [] });
    expect(asked).toEqual([]);
  });

  it('reports no tokens where there are none', async () => {
    const { compare, embedder } = await open();
    embedder.tokens = 0;
    expect((await compare(['a'])).progress).toEqual([]);
  });
});

describe('another model', () => {
  const of = async (model: (text: string) => readonly number[]) => {
    const { compare, embedder, store } = await open();
    const { vector } = await chunkOf('known', embedder);
    embedder.model = model;
    const { isChunkSame, isKnownSame } = (await compare(['a'], new Map([['known', vector]]))).outputs;
    return [isChunkSame, isKnownSame, store.notes.length];
  };

  it('is known by its vectors, unless they are nearly the same', async () => {
    expect(await of((text) => [text.length + 0.1, 1])).toEqual([true, true, 1]);
    expect(await of((text) => [1, text.length])).toEqual([false, false, 0]);
    expect(await of((text) => [text.length, 1, 0])).toEqual([false, false, 0]);
    expect(await of((text) => (text === 'first' ? [5, 1] : [1, 5]))).toEqual([true, false, 0]);
    expect(await of((text) => (text === 'first' ? [1, 5] : [5, 1]))).toEqual([false, true, 0]);
  });

  it('has an error with advice', () => {
    const { embedder } = testEmbedder();
    expect(exchangedModel({ collection: 'c', embedder }, 'Write again.')).toMatchObject({
      message:
        "test/model gives other vectors now than those in the collection 'c': the model behind this name was exchanged.",
      fix: 'Write again.',
    });
  });
});
