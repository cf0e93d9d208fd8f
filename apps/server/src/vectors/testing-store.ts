import { createComparisons, type VectorStore } from '@croft/components';
import type { Db } from '../store/database.ts';
import { createBlockCache } from './block-cache.ts';
import { storedVectors } from './stored-vectors.ts';

/** The store of the user `ada` for a run, in a process that starts. */
export const newStore = (db: Db): VectorStore =>
  storedVectors(
    async () => db,
    { cache: createBlockCache(0), comparisons: createComparisons() },
    { userId: 'ada', runId: `${Math.random()}` },
  );
