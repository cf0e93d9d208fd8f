import { setImmediate as nextTurn } from 'node:timers/promises';
import { Hono } from 'hono';
import { expect, it } from 'vitest';
import { createCallTurns } from './call-turns.ts';
import { addMcpEndpoint } from './mcp-endpoint.ts';
import type { App } from './route.ts';

/** Counts turns of the event loop until it is stopped. */
function countTurns() {
  let turns = 0;
  let isOver = false;
  void (async () => {
    for (; !isOver; turns++) await nextTurn();
  })();
  return { now: () => turns, stop: () => (isOver = true) };
}

it('starts calls of one user in turns, and those of another user beside them', async () => {
  const turn = createCallTurns();
  const clock = countTurns();
  const startOf = async (userId: string) => {
    await turn(userId);
    return clock.now();
  };
  const [first, ...others] = await Promise.all([...Array.from({ length: 5 }, () => startOf('alice')), startOf('bob')]);
  clock.stop();
  expect(new Set([first, ...others.slice(0, 4)]).size).toBe(5);
  expect(others[4]).toBeLessThanOrEqual((first as number) + 1);
});

it('gives every request of a sender to MCP its own turn', async () => {
  const clock = countTurns();
  const starts: number[] = [];
  const app: App = new Hono();
  addMcpEndpoint(app, {
    open: async () => ({
      fetch: async () => {
        starts.push(clock.now());
        return new Response('answered');
      },
      close: async () => {},
    }),
    authorize: async () => ({ token: '', clientId: 'alice', scopes: [] }),
    unauthorized: 'send a key',
  });
  await Promise.all(Array.from({ length: 5 }, async () => app.request('/mcp', { method: 'POST' })));
  clock.stop();
  expect(new Set(starts).size).toBe(5);
});
