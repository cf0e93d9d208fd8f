import { emptyFlow } from '@croft/flow';
import type { Attempt, Engine } from '../../packages/runs/src/engine.ts';
import type { RunRequest } from '../../packages/runs/src/run.ts';
import { RunStore } from '../../packages/runs/src/run-store.ts';
import { createTables } from '../../packages/runs/src/tables.ts';
import { useSharedDatabase } from '../store/use-shared-database.ts';
import { testSealer } from './open-test-runs.ts';

/** For tests: runs in the shared database, and an engine that only notes what it is asked for. */
export interface TestRuns {
  readonly store: RunStore;
  readonly engine: Engine;
  /** `queue <run>.<attempt> of <user> for <group>`, `cancel …`, `remove …` */
  readonly asked: string[];
  /** Queues a run of a flow without components, of the user `u`. */
  add(id: string, request?: Partial<RunRequest>): Promise<string>;
  /** The columns of a run. */
  row(id: string): Promise<Record<string, unknown> | undefined>;
}

const nameOf = ({ runId, attempt }: Attempt) => `${runId}.${attempt}`;

export function useRunStore(setUp: (runs: TestRuns) => unknown, group = ''): void {
  useSharedDatabase(async ({ pool }) => {
    await createTables(pool);
    const asked: string[] = [];
    const engine: Partial<Engine> = {
      enqueue: async (_, attempt, userId, of) => void asked.push(`queue ${nameOf(attempt)} of ${userId} for ${of}`),
      cancel: async (attempts) => void asked.push(`cancel ${attempts.map(nameOf).join(' ')}`),
      remove: async (attempts) => void asked.push(`remove ${attempts.map(nameOf).join(' ')}`),
      look: () => {},
    };
    const store = new RunStore(pool, testSealer, group);
    const flow = emptyFlow('Flow');
    await setUp({
      store,
      engine: engine as Engine,
      asked,
      add: (id, request = {}) => store.add(engine as Engine, id, { userId: 'u', flow, ...request }, 1_000),
      row: async (id) => (await pool.query('SELECT * FROM croft_runs.run WHERE id = $1', [id])).rows[0],
    });
  });
}
