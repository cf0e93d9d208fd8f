import { workerRoutes } from '../contract/worker-routes.ts';
import { showProblem } from '../flow-runs/all-runs.ts';
import type { LiveRuns } from '../flow-runs/live-runs.ts';
import type { QueuedRuns } from '../flow-runs/queued-runs.ts';
import { type Route, route } from './route.ts';

export interface WorkerRouteOptions {
  readonly liveRuns: Pick<LiveRuns, 'count'>;
  readonly queuedRuns: Pick<QueuedRuns, 'reader'>;
}

/** How runs of flows are carried out. */
export function makeWorkerRoutes({ liveRuns, queuedRuns }: WorkerRouteOptions): Route[] {
  return [
    route(workerRoutes.listWorkers, async () => {
      const { open, workers } = await (await queuedRuns.reader()).load().catch(showProblem);
      return {
        workers: workers.map(({ name, seenAt, running }) => ({ name, seenAt: seenAt.toISOString(), running })),
        runs: {
          direct: liveRuns.count(),
          queued: open.queued ?? 0,
          running: open.running ?? 0,
          waiting: open.waiting ?? 0,
          needsAttention: open.needs_attention ?? 0,
        },
      };
    }),
  ];
}
