import { setImmediate as turnOfLoop } from 'node:timers/promises';
import { createRegistry, emptyFlow } from '@croft/flow';
import { expect, it } from 'vitest';
import { createLiveRuns } from './live-runs.ts';
import type { RunHistory } from './run-history.ts';
import type { RunServices } from './run-services.ts';
import { createRunSlots } from './run-slots.ts';

const RUNS = 20;

it('does the parts of runs that start and end together in different turns of the event loop', async () => {
  const sinceTurn = { open: 0, end: 0 };
  const most = { open: 0, end: 0 };
  const count = (part: 'open' | 'end') => {
    sinceTurn[part] += 1;
    most[part] = Math.max(most[part], sinceTurn[part]);
  };
  const services = { services: {}, secrets: new Set(), close: () => {}, finished: async () => {} };
  const liveRuns = createLiveRuns({
    slots: createRunSlots({
      ofUser: RUNS,
      ofServer: RUNS,
      waitingOfUser: 0,
      waitingBytes: { ofUser: 0, ofServer: 0 },
    }),
    openServices: async () => {
      count('open');
      return services as unknown as RunServices;
    },
    history: { begin: async () => {}, end: async () => count('end') } as unknown as RunHistory,
    log: { error: () => {} },
  });
  let isOver = false;
  const turns = (async () => {
    for (; !isOver; await turnOfLoop()) sinceTurn.open = sinceTurn.end = 0;
  })();
  const request = {
    actor: { userId: 'one', kind: 'page' as const },
    flowId: 'flow',
    startedBy: 'api' as const,
    flow: emptyFlow(),
    inputs: {},
    registry: createRegistry([]),
    bytes: 0,
    timeoutMs: 1_000,
  };
  const runs = Array.from({ length: RUNS }, () => liveRuns.start(request as never));
  for (const { outcome } of runs) expect((await outcome).status).toBe('completed');
  isOver = true;
  await turns;
  // Two where the turn of this test ends between them.
  expect(most.open).toBeLessThanOrEqual(2);
  expect(most.end).toBeLessThanOrEqual(2);
  await liveRuns.close();
});
