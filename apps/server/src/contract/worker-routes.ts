import { z } from 'zod';
import { defineRoutes } from './define-route.ts';

/** How runs of flows are carried out, for admins. */
export const workerRoutes = defineRoutes('Runs', {
  listWorkers: {
    route: 'GET /api/v1/workers',
    summary: 'Show the workers of queued runs, and the runs that have not ended',
    access: 'admin',
    response: z.strictObject({
      /** One that sent no heartbeat lately may have ended; others continue its runs. */
      workers: z.array(z.strictObject({ name: z.string(), seenAt: z.string(), running: z.number() })),
      /** Runs of all users. `direct`: those that this process carries out at once. */
      runs: z.strictObject({
        direct: z.number(),
        queued: z.number(),
        running: z.number(),
        waiting: z.number(),
        needsAttention: z.number(),
      }),
    }),
  },
});
