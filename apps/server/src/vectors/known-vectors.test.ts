import { createHash } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, it } from 'vitest';
import { useSharedDatabase } from '../../../../tests/store/use-shared-database.ts';
import type { Db } from '../store/database.ts';
import { vectorBlock, vectorCollection, vectorDraft } from '../store/vector-schema.ts';
import { draftsOf, dropOldDrafts, hashesOf, keepDraft, knownVectors } from './known-vectors.ts';
import { packed } from './pack-vectors.ts';
import { VECTOR_LIMITS } from './vector-limits.ts';

let db: Db;
const userId = 'kv-ann';
useSharedDatabase((database) => void (db = database.db), [userId, 'kv-bob']);
const owner = { userId, name: 'c', embedder: 'e' };
const { signal } = new AbortController();
beforeEach(async () => {
  await db.delete(vectorDraft).where(eq(vectorDraft.userId, userId));
  await db.delete(vectorCollection).where(eq(vectorCollection.userId, userId));
});

const vector = (...numbers: number[]) => Float32Array.from(numbers);
const keep = (vectors: Readonly<Record<string, Float32Array>>, of = owner, limits = VECTOR_LIMITS as never) =>
  keepDraft(db, of, new Map(Object.entries(vectors)), limits);
const known = async (texts: readonly string[], of = owner) =>
  Object.fromEntries([...(await knownVectors(db, of, texts, signal))].map(([text, found]) => [text, [...found]]));
const drafts = () => db.select().from(vectorDraft).where(draftsOf(owner));

describe('hashes of texts', () => {
  it('are SHA-256 of UTF-16, one after the other', async () => {
    const sha = (text: string) => createHash('sha256').update(text, 'utf16le').digest();
    expect(await hashesOf(['a', 'ü', ''])).toEqual(Buffer.concat([sha('a'), sha('ü'), sha('')]));
    const [high, low] = [await hashesOf(['\ud800']), await hashesOf(['\udc00'])];
    expect(high.equals(low)).toBe(false);
    expect(await hashesOf([])).toHaveLength(0);
  });

  it('end with the signal', async () => {
    await expect(hashesOf(['a'], AbortSignal.abort(new Error('stopped')))).rejects.toThrow('stopped');
  });
});

describe('the vectors of an earlier attempt', () => {
  it('are known by their text', async () => {
    await keep({ one: vector(1, 2), two: vector(3, 4) });
    await keep({ three: vector(5, 6) });
    expect(await known(['two', 'three', 'none'])).toEqual({ two: [3, 4], three: [5, 6] });
  });

  it('are those of the user, the collection and the model', async () => {
    await keep({ one: vector(1) });
    expect(await known(['one'], { ...owner, userId: 'kv-bob' })).toEqual({});
    expect(await known(['one'], { ...owner, name: 'd' })).toEqual({});
    expect(await known(['one'], { ...owner, embedder: 'f' })).toEqual({});
  });

  it('include those of the collection, found in its blocks', async () => {
    const collection = { id: 'kv-1', userId, name: 'c', embedder: 'e', dimensions: 2, chunks: 2, words: 0, bytes: 0 };
    await db.insert(vectorCollection).values(collection);
    const hashes = await hashesOf(['a', 'b']);
    await db
      .insert(vectorBlock)
      .values({ collectionId: 'kv-1', first: 0, count: 2, vectors: packed([vector(1, 2), vector(3, 4)]), hashes });
    await keep({ b: vector(9, 9) });
    expect(await known(['a', 'b', 'c'])).toEqual({ a: [1, 2], b: [9, 9] });
    expect(await known(['a'], { ...owner, embedder: 'f' })).toEqual({});
  });

  it('are read in more than one statement', async () => {
    const texts = Array.from({ length: 9 }, (_, at) => `t${at}`);
    for (const [at, text] of texts.entries()) await keep({ [text]: vector(at) });
    expect(Object.keys(await known(texts)).sort()).toEqual(texts);
  });

  it('are not read after the signal', async () => {
    await keep({ one: vector(1) });
    const stopped = knownVectors(db, owner, ['one'], AbortSignal.abort(new Error('stopped')));
    await expect(stopped).rejects.toThrow('stopped');
  });
});

describe('the vectors of a write', () => {
  it('are kept with their count', async () => {
    await keep({ one: vector(1, 2), two: vector(3, 4) });
    expect(await drafts()).toMatchObject([{ ...owner, count: 2, vectors: packed([vector(1, 2), vector(3, 4)]) }]);
    await keep({});
    expect(await drafts()).toHaveLength(1);
  });

  it('replace those of another length that the same model gave', async () => {
    await keep({ one: vector(1, 2) });
    await keep({ one: vector(1, 2, 3) }, { ...owner, embedder: 'other' });
    await keep({ two: vector(1, 2, 3) });
    expect((await drafts()).map(({ embedder, vectors }) => [embedder, vectors.length]).sort()).toEqual([
      ['e', 12],
      ['other', 12],
    ]);
  });

  it('are not kept above the limit of the user', async () => {
    // 8 bytes of two numbers and 32 of the hash, for each text.
    const limits = { ...VECTOR_LIMITS, draftBytesOfUser: 80 } as never;
    await keep({ one: vector(1, 2) }, owner, limits);
    await keep({ two: vector(1, 2) }, owner, limits);
    await keep({ three: vector(1, 2) }, owner, limits);
    expect(await drafts()).toHaveLength(2);
  });

  it('are dropped after seven days', async () => {
    await keep({ one: vector(1) });
    const [{ createdAt } = { createdAt: new Date() }] = await drafts();
    const week = 7 * 86_400_000;
    await dropOldDrafts(db, new Date(createdAt.getTime() + week - 1_000));
    expect(await drafts()).toHaveLength(1);
    await dropOldDrafts(db, new Date(createdAt.getTime() + week + 1_000));
    expect(await drafts()).toHaveLength(0);
  });
});
