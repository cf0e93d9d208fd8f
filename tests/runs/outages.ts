import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Runs } from '@croft/runs';
import { type Database, openDatabase } from '../../apps/server/src/store/database.ts';
import { openTestDatabase } from '../store/test-database.ts';
import { effectsFile, openTestRuns } from './open-test-runs.ts';
import { chainOf } from './test-components.ts';

const AWAY_MS = 1_500;
const PATIENCE_MS = 120_000;
/** A pure node, a reported step, an addition to a file, and a step that runs again silently. */
const TYPES = ['Gate', 'Paid', 'Add', 'Effect'];

/** Where the database is stopped during a run of four nodes: the title, and the point with its node. */
export const OUTAGES = [
  ['before a step is announced', 'before n0'],
  ['inside of a step that is announced', 'before n1'],
  ['between an effect and its checkpoint', 'after n1'],
  ['before an addition to a file is noted', 'before n2'],
  ['between the addition and its checkpoint', 'after n2'],
  ['before the result is stored', 'before end'],
] as const;

/** For tests: a database that stops and starts. */
export interface StoppableDatabase {
  connection(): ReturnType<Database['connection']>;
  /** Stops PostgreSQL; the function that it returns starts it again. */
  stop(): Promise<() => Promise<void>>;
  close(): Promise<void>;
}

/** For tests: opens it. */
export async function openStoppable(): Promise<StoppableDatabase> {
  const opened = await openTestDatabase();
  const { baseDir } = opened;
  let { database } = opened;
  return {
    connection: () => database.connection(),
    async stop() {
      await database.close();
      return async () => {
        database = openDatabase({ baseDir });
        await database.ready;
      };
    },
    async close() {
      await database.close();
      await opened.close();
    },
  };
}

/** The status of a run, with the reason where it failed; undefined while the database is away. */
export async function statusOf(runs: Runs, id: string, userId: string): Promise<string | undefined> {
  const run = await runs.get(id, userId).catch(() => undefined);
  return run?.failure ? `${run.status}: ${run.failure.message}` : run?.status;
}

/** For tests: runs a flow, stops the database at a place, and says what differs from a run with each effect once. */
export async function problemsOfOutage(database: StoppableDatabase, place: string): Promise<string[]> {
  const effects = effectsFile();
  const userId = `away-${place}`;
  const restarts: Promise<void>[] = [];
  const runs = await openTestRuns(database.connection(), effects.path, {
    async at(point, node) {
      if (`${point} ${node}` !== place || restarts.length > 0) return;
      const start = await database.stop();
      restarts.push(sleep(AWAY_MS).then(start));
    },
  });
  const id = await runs.enqueue({ userId, flow: chainOf(TYPES) });
  const until = Date.now() + PATIENCE_MS;
  let status: string | undefined;
  while (Date.now() < until && (restarts.length === 0 || status !== 'completed')) {
    await restarts[0];
    status = await statusOf(runs, id, userId);
    if (status?.startsWith('failed') === true) break;
    await sleep(50);
  }
  const { entries } = await runs.timeline(id, userId);
  const seen = [
    `restarts ${restarts.length}, ${status}`,
    ...effects.lines().map((line) => line.split(' ')[1]),
    readFileSync(join(dirname(effects.path), 'added.txt'), 'utf8').trim(),
    ...entries.map(({ node, status: each, starts }) => `${node} ${each} ${starts}`),
  ];
  const wanted = [
    'restarts 1, completed',
    `${id}/n1/`,
    `${id}/n3/`,
    'n2',
    ...TYPES.map((_each, node) => `n${node} finished 1`),
  ];
  await runs.close();
  effects.remove();
  return seen.join('\n') === wanted.join('\n') ? [] : [`${seen.join(', ')} instead of ${wanted.join(', ')}`];
}
