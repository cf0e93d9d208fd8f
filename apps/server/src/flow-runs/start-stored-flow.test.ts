import { setImmediate as turnOfLoop, setTimeout as sleep } from 'node:timers/promises';
import { createRegistry, emptyFlow } from '@croft/flow';
import { expect, it } from 'vitest';
import { readyFlow, type ReadyOptions } from './start-stored-flow.ts';

it('reads the flows of requests that come together in different turns of the event loop', async () => {
  let sinceTurn = 0;
  let most = 0;
  const options: ReadyOptions = {
    readFlow: async () => {
      most = Math.max(most, ++sinceTurn);
      return { document: emptyFlow(), documentBytes: 0, access: 'owner', version: 1 };
    },
    flowComponents: { forFlow: async () => ({ registry: createRegistry([]), findings: [] }) },
  };
  let isOver = false;
  const turns = (async () => {
    for (; !isOver; await turnOfLoop()) sinceTurn = 0;
  })();
  await Promise.all(Array.from({ length: 20 }, () => readyFlow(options, 'one', { flowId: 'flow', values: {} })));
  isOver = true;
  await turns;
  // Two where the turn of this test ends between them.
  expect(most).toBeGreaterThan(0);
  expect(most).toBeLessThanOrEqual(2);
});

it('checks one request at a time, however many come together', async () => {
  let checking = 0;
  let most = 0;
  const options: ReadyOptions = {
    async readFlow() {
      most = Math.max(most, ++checking);
      await sleep(1);
      return { document: emptyFlow(), documentBytes: 0, access: 'owner', version: 1 };
    },
    flowComponents: {
      async forFlow() {
        await sleep(1);
        checking--;
        return { registry: createRegistry([]), findings: [] };
      },
    },
  };
  await Promise.all(Array.from({ length: 20 }, () => readyFlow(options, 'one', { flowId: 'flow', values: {} })));
  // More on a machine that is so busy that one takes more than 20 ms.
  expect(most).toBeLessThan(6);
});
