import type { Sealer } from '@croft/runs';
import type pg from 'pg';
import type { FlowComponents } from '../components/flow-components.ts';
import type { Log } from '../log.ts';
import type { Db } from '../store/database.ts';
import type { OpenRunServices } from './run-services.ts';
import type { RunThread } from './run-thread.ts';
import type { ReadFlow } from './start-stored-flow.ts';

/** The parts of a process that queued runs use. */
export interface QueuedRunOptions {
  /** The mode of the server: only its users have runs. */
  readonly autoLogin: boolean;
  readonly flowComponents: Pick<FlowComponents, 'builtins' | 'forFlow'>;
  readonly openServices: OpenRunServices;
  /** Of a user, so that no list shows them. */
  readonly secretsOf: (userId: string) => Promise<ReadonlySet<string>>;
  /** For schedules, which run the stored flow. */
  readonly readApproved: ReadFlow;
  readonly log: Log;
  readonly sealer: Sealer;
  /** Only workers of this group take the runs; see `worker-group.ts`. */
  readonly workerGroup: string;
  /** The name of the worker: the same after a restart, and of no other process on the database. */
  readonly workerName: string;
  /** Takes the runs; absent where this thread does. */
  readonly runThread?: RunThread | undefined;
  readonly database: { readonly pool: pg.Pool; connection(): pg.ClientConfig };
  /** Waits for the database. */
  readonly storage: () => Promise<Db>;
  readonly retentionMs: number;
  /** Of the finished runs of one user. */
  readonly historyBytes: number;
}
