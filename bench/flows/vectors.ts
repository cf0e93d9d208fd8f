/**
 * Measures searches of a stored collection: 20,000 chunks, 512 numbers each, 10 results, over the embedded PostgreSQL.
 *
 *   node --import tsx --conditions=source bench/flows/vectors.ts
 *
 * Cold: no vector is in the memory of the server, and the database was restarted. Warm: the median of 20 searches.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { createComparisons } from '@croft/components';
import { openDatabase } from '../../apps/server/src/store/database.ts';
import { user } from '../../apps/server/src/store/schema.ts';
import { createBlockCache } from '../../apps/server/src/vectors/block-cache.ts';
import { storedVectors } from '../../apps/server/src/vectors/stored-vectors.ts';
import { VECTOR_LIMITS } from '../../apps/server/src/vectors/vector-limits.ts';
import { embedLexically } from '../../packages/components/src/knowledge/lexical-embedder.ts';

const CHUNKS = 20_000;
const WORDS_OF_CHUNK = 80;
const WARM_ROUNDS = 20;

let seed = 1;
const next = () => (seed = (seed * 16_807) % 2_147_483_647) / 2_147_483_647;
const vocabulary = Array.from({ length: 20_000 }, (_, at) => `w${at.toString(36)}${Math.floor(next() * 1e6)}`);
// Few words are common and most are rare, as in texts.
const word = () => vocabulary[Math.floor(next() ** 3 * vocabulary.length)] as string;
const textOf = (words: number) => Array.from({ length: words }, word).join(' ');

const { signal } = new AbortController();
const baseDir = mkdtempSync(join(tmpdir(), 'croft-vectors-'));
const openStore = async () => {
  const database = openDatabase({ baseDir });
  await database.ready;
  const cache = createBlockCache(VECTOR_LIMITS.cacheBytes);
  return {
    database,
    cache,
    store: storedVectors(
      async () => database.db,
      { cache, comparisons: createComparisons() },
      { userId: 'u', runId: 'r' },
    ),
  };
};
interface Cost {
  readonly ms: number;
  /** Of this process. Other programs on the machine change it less than the time. */
  readonly cpuMs: number;
}
const timed = async (work: () => Promise<unknown>): Promise<Cost> => {
  const [start, cpu] = [performance.now(), process.cpuUsage()];
  await work();
  const { user: used, system } = process.cpuUsage(cpu);
  return { ms: performance.now() - start, cpuMs: (used + system) / 1_000 };
};
const median = (list: readonly number[]) => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)] as number;
const show = (what: string, { ms, cpuMs }: Cost) =>
  console.log(`${what.padEnd(40)} ${ms.toFixed(0)} ms, ${cpuMs.toFixed(0)} ms of CPU`);
const showWait = (ns: number) => console.log(`  longest wait of the event loop: ${(ns / 1e6).toFixed(0)} ms`);

try {
  const texts = Array.from({ length: CHUNKS }, () => textOf(WORDS_OF_CHUNK));
  const chunks = texts.map((text) => ({ text, data: { text }, vector: embedLexically(text) }));
  const first = await openStore();
  await first.database.db.insert(user).values({ id: 'u', name: 'u', email: 'u@example.test' });
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  const write = { replace: true, signal, stepKey: 's' };
  show('write, without embedding', await timed(() => first.store.write('c', 'croft/lexical', chunks, write)));
  showWait(delay.max);
  await first.database.close();

  const { database, store, cache } = await openStore();
  const query = texts[77] as string;
  const vector = embedLexically(query);
  delay.reset();
  show('cold, by vector', await timed(() => store.searchVector('c', vector, 10, signal)));
  show('cold, by words (80 of them)', await timed(() => store.searchText('c', query, 10, signal)));
  const warm = async (search: () => Promise<unknown>) => {
    const list: Cost[] = [];
    for (let round = 0; round < WARM_ROUNDS; round++) list.push(await timed(search));
    return { ms: median(list.map(({ ms }) => ms)), cpuMs: median(list.map(({ cpuMs }) => cpuMs)) };
  };
  show('warm, by vector', await warm(() => store.searchVector('c', vector, 10, signal)));
  show('warm, by words (80 of them)', await warm(() => store.searchText('c', query, 10, signal)));
  show('warm, by words (5 of them)', await warm(() => store.searchText('c', textOf(5), 10, signal)));
  showWait(delay.max);
  console.log(
    `cache: ${(cache.bytes() / 1024 / 1024).toFixed(0)} MiB of ${VECTOR_LIMITS.cacheBytes / 1024 / 1024} MiB`,
  );
  await database.close();
} finally {
  rmSync(baseDir, { recursive: true, force: true });
}
