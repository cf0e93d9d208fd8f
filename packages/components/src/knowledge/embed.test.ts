import { describe, expect, it } from 'vitest';
import { drain } from '../testing.ts';
import { embedForCollection } from './embed.ts';
import { chunkOf, testEmbedder, uncomparedStore } from './testing-embedder.ts';

async function open(texts: readonly string[] = []) {
  const { embedder, asked } = testEmbedder();
  const store = uncomparedStore();
  const abort = new AbortController();
  const { signal } = abort;
  const chunks = await Promise.all(texts.map((text) => chunkOf(text, embedder)));
  if (chunks.length > 0) await store.write('c', embedder.name, chunks, { replace: true, signal, stepKey: 's' });
  asked.length = 0;
  const own = { store, collection: 'c', embedder };
  const embed = (wanted: readonly string[], appends = false) =>
    drain(embedForCollection(own, { texts: wanted, appends }, signal));
  return { embedder, asked, store, own, abort, embed };
}

describe('texts for a collection', () => {
  it('are embedded once, in batches of 128, with progress and tokens', async () => {
    const { embed, asked } = await open();
    const texts = Array.from({ length: 130 }, (_, at) => `text ${at}`);
    const { outputs, progress } = await embed([...texts, ...texts]);
    expect([...outputs.keys()]).toEqual(texts);
    expect(asked.map((batch) => batch.length)).toEqual([128, 2]);
    const usage = { kind: 'usage', model: 'test/model', inputTokens: 5, outputTokens: 0 };
    expect(progress).toEqual([
      { kind: 'progress', done: 0, total: 130 },
      usage,
      { kind: 'progress', done: 128, total: 130 },
      usage,
    ]);
    expect(Math.hypot(...(outputs.get('text 1') as Float32Array))).toBeCloseTo(1, 5);
  });

  it('keep the vectors that the collection has', async () => {
    const { embed, asked, store } = await open(['old']);
    store.notes.push('compared');
    expect([...(await embed(['old', 'new'])).outputs.keys()]).toEqual(['old', 'new']);
    expect(asked).toEqual([['new']]);
  });

  it('are embedded again, at least one, to know the length of the vectors', async () => {
    const { embed, asked, store } = await open(['old']);
    store.notes.push('compared');
    await embed(['old']);
    expect(asked).toEqual([['old']]);
    expect((await embed([])).outputs.size).toBe(0);
  });

  it('are kept batch by batch, so that the next attempt goes on', async () => {
    const { embed, asked, abort, own, store } = await open();
    const texts = Array.from({ length: 129 }, (_, at) => `text ${at}`);
    const running = embedForCollection(own, { texts, appends: false }, abort.signal);
    await running.next();
    await running.next();
    abort.abort(new Error('stop'));
    await expect(drain(running)).rejects.toThrow('stop');
    expect(asked).toHaveLength(1);
    const kept = await store.vectorsOf('c', 'test/model', texts, new AbortController().signal);
    expect(kept.size).toBe(128);
    await expect(embed(texts)).rejects.toThrow('stop');
  });
});

describe('a model that was exchanged', () => {
  it('embeds every text again, or refuses to append', async () => {
    const { embed, asked, embedder } = await open(['old']);
    embedder.model = (text) => [1, text.length];
    await expect(embed(['old', 'new'], true)).rejects.toMatchObject({
      fix: 'Write all texts again with Replace, or into a collection with another name.',
    });
    asked.length = 0;
    const { outputs } = await embed(['old', 'new']);
    expect(asked.at(-1)).toEqual(['old', 'new']);
    expect([...(outputs.get('old') as Float32Array)].map((each) => Math.round(each * 100))).toEqual([32, 95]);
  });

  it('embeds every text again where only a kept vector is another one', async () => {
    const { embed, asked, store, embedder } = await open(['old']);
    await store.keepVectors('c', 'test/model', new Map([['kept', Float32Array.from([0, 1])]]));
    embedder.model = () => [3, 1];
    await embed(['kept']);
    expect(asked.at(-1)).toEqual(['kept']);
  });

  it('embeds known vectors of another length again', async () => {
    const { embed, asked, store, embedder } = await open(['old']);
    store.notes.push('compared');
    embedder.model = (text) => [text.length, 1, 1];
    const { outputs } = await embed(['old', 'new']);
    expect(asked).toEqual([['new'], ['old']]);
    expect([...outputs.values()].map((vector) => vector.length)).toEqual([3, 3]);
  });

  it('may not give vectors of two lengths', async () => {
    const { embed, embedder } = await open();
    embedder.model = (text) => (text === 'a' ? [1, 1] : [1, 1, 1]);
    await expect(embed(['a', 'b'])).rejects.toThrow('The vectors have different lengths: 2 and 3 numbers.');
  });
});
